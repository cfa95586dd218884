/** `orthodict mixture`: clusters of samples as a mixture of Gaussians. */
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import { zeros } from '../../core/matrix.ts';
import { rangesOf, type Source } from '../../engine/source/source.ts';
import { inPrecision, vectorOf } from '../../io/arrays.ts';
import type { MixtureResult } from '../../models/mixtures/learn-mixture.ts';
import type { MixtureOptions } from '../../models/mixtures/option-types.ts';
import { mixtureOptions } from '../../models/mixtures/options.ts';
import { type ChartSpec, renderChart } from '../../node/chart.ts';
import { writeArrays } from '../../node/io/arrays.ts';
import { writeAtomically } from '../../node/io/atomic-write.ts';
import { openSource } from '../../node/io/file-source.ts';
import { learnMixture } from '../../node/models.ts';
import { atomGallery } from '../../pictures/gallery.ts';
import { encodePng } from '../../pictures/png.ts';
import { bicChart } from '../charts/bic-chart.ts';
import { MOST_POINTS, mixtureChart } from '../charts/mixture-chart.ts';
import { parseShape, SAMPLES } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { addOptions, optionsFrom, requireTogether } from '../terminal/option-flags.ts';
import { printJson } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addRunFlags, type RunFlags, runFrom, whereSaved } from '../terminal/run-flags.ts';
import { describeMixture, printMixture } from './mixture-summary.ts';

interface Flags extends RunFlags, DataFlags {
  out: string;
  picture?: string;
  shape?: string;
  plot?: string;
  json?: boolean;
}

const WHO = 'mixture';

export function mixtureCommand(): Command {
  const command = new Command(WHO).argument('<DATA>', SAMPLES);
  addOptions(command, WHO, mixtureOptions.table)
    .requiredOption('--out <f.npz>', 'file to write')
    .option('--picture <f.png>', 'draw the means as tiles')
    .option('--shape <WxH>', 'width and height of a tile; default: a square if possible')
    .option(
      '--plot <FILE>',
      'draw the samples in the plane where the means differ most (or, for several numbers of clusters, their BIC) as .svg or .png',
    )
    .option('--json', 'print one JSON object');
  return addRunFlags(addDataFlags(command), WHO)
    .addHelpText(
      'after',
      `
The label of a sample is its most probable cluster; clusters are numbered from 0 by decreasing weight.
BIC balances likelihood against the number of parameters: smaller is better.

Examples:
  orthodict mixture data.npz --clusters 5 --out clusters.npz
  orthodict mixture data.npz --clusters 1-8 --out clusters.npz --plot bic.svg
  orthodict mixture table.csv --clusters 3 --covariance full --out clusters.npz
  orthodict mixture images.npy --clusters 10 --out clusters.npz --picture means.png --plot clusters.svg`,
    )
    .action((data: string, flags: Flags) => run(data, flags, optionsFrom(command, mixtureOptions.table)));
}

async function run(data: string, flags: Flags, options: MixtureOptions): Promise<void> {
  const { out, picture, shape: shapeText, plot, json } = flags;
  requireTogether(WHO, flags, { shape: 'picture' });
  const settings = mixtureOptions.settle(WHO, options); // rejects bad options before the data is read
  await checkOutputs(WHO, { out, picture, plot });
  const shape = shapeText === undefined ? {} : parseShape(WHO, shapeText);
  const running = await runFrom(WHO, flags);
  const started = performance.now();
  const { starts } = settings;
  const numbers = [settings.clusters].flat().length;
  const line = progressLine({ loops: (2 * starts + 2) * numbers });
  line.say('reading …');
  const source = await openSource(data, { memoryLimit: running.memoryLimit, ...readingFrom(flags) });
  try {
    if (plot && numbers === 1 && source.cols < 2)
      throw new InputError(`${WHO}: --plot must have at least 2 features; got 1.`);
    const compute = (signal: AbortSignal) =>
      learnMixture(source, options, { ...running, signal, onProgress: line.update });
    const found = await interruptible((signal) => compute(signal).finally(line.clear));
    if (found.status === 'aborted')
      throw new Interrupted(`${WHO}: interrupted after ${found.iterations} steps.${whereSaved(flags)}`);
    await save(out, found);
    if (picture) {
      const scale = Math.max(1, Math.ceil(80 / Math.sqrt(found.features)));
      await writeAtomically(picture, [encodePng(atomGallery(found.means, { ...shape, scale, gap: 2 }))]);
    }
    if (plot) await renderChart(found.tried ? bicChart(found.tried) : await scatterChart(source, found), plot);
    const seconds = (performance.now() - started) / 1000;
    if (json)
      printJson({ ...describeMixture(found), seconds, out, ...(picture && { picture }), ...(plot && { plot }) });
    else printMixture(found, seconds, out);
  } finally {
    await source.close?.();
  }
}

/** Reads every k-th sample: a chart shows a few thousand points. */
async function scatterChart(source: Source, found: MixtureResult): Promise<ChartSpec> {
  const every = Math.ceil(source.rows / MOST_POINTS);
  const points = zeros(Math.ceil(source.rows / every), source.cols);
  for (const { start, end } of rangesOf(source)) {
    const { data } = await source.read(start, end);
    for (let l = Math.ceil(start / every) * every; l < end; l += every) {
      points.data.set(
        data.subarray((l - start) * source.cols, (l - start + 1) * source.cols),
        (l / every) * source.cols,
      );
    }
  }
  return mixtureChart(points, { ...found, labels: found.labels.filter((_, l) => l % every === 0) });
}

async function save(out: string, found: MixtureResult): Promise<void> {
  const { means, weights, variance, covariance, covariances, labels, tried, samples, features, precision } = found;
  const { status, iterations, repaired, starts, logLikelihood, bic } = found;
  const arrays = {
    means,
    weights: vectorOf(weights),
    variance: { shape: [], data: Float64Array.of(variance) },
    covariances: { shape: shapeOf(found), data: covariances.data },
    labels: vectorOf(labels),
    meta: JSON.stringify({
      format: 1,
      kind: WHO,
      covariance,
      status,
      iterations,
      starts,
      repaired,
      logLikelihood,
      bic,
      ...(tried && { tried }),
      samples,
      features,
    }),
  };
  await writeArrays(out, inPrecision(arrays, precision));
}

/** Shape of the covariances, as in scikit-learn: a number, k, k×d, d×d or k×d×d. */
function shapeOf({ covariance, means: { rows: k, cols: d } }: MixtureResult): number[] {
  return { common: [], spherical: [k], diagonal: [k, d], tied: [d, d], full: [k, d, d] }[covariance];
}
