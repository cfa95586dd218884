/** `orthodict mixture`: clusters of samples as a mixture of spherical Gaussians. */
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import { atomGallery } from '../../images/gallery.ts';
import { encodePng } from '../../images/png.ts';
import type { MixtureResult } from '../../models/mixtures/learn-mixture.ts';
import { CONVERGED, type MixtureOptions, mixtureOptions } from '../../models/mixtures/options.ts';
import { writeAtomically } from '../../node/files/atomic-write.ts';
import { renderChart } from '../../node/files/chart.ts';
import { readMatrix, writeArrays } from '../../node/formats/arrays.ts';
import { learnMixture } from '../../node/models.ts';
import { mixtureChart } from '../charts/mixture-chart.ts';
import { parseShape, SAMPLES } from '../terminal/arguments.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { addOptions, optionsFrom, requireTogether } from '../terminal/option-flags.ts';
import { formatNumber, printFacts, printJson, printLine, printTable } from '../terminal/output.ts';
import { checkOutputs } from '../terminal/outputs.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addRunFlags, type RunFlags, runFrom, whereSaved } from '../terminal/run-flags.ts';

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
    .option('--plot <FILE>', 'draw the samples, projected to where the means differ most, as .svg or .png')
    .option('--json', 'print one JSON object');
  return addRunFlags(addDataFlags(command), WHO)
    .addHelpText(
      'after',
      `
Labels are the most probable clusters, numbered from 0 in order of decreasing weight. The means must
be linearly independent: do not subtract the mean sample from DATA.

Examples:
  orthodict mixture data.npz --clusters 5 --out clusters.npz
  orthodict mixture images.npy --clusters 10 --out clusters.npz --picture means.png --plot clusters.svg`,
    )
    .action((data: string, flags: Flags) => run(data, flags, optionsFrom(command, mixtureOptions.table)));
}

async function run(data: string, flags: Flags, options: MixtureOptions): Promise<void> {
  const { out, picture, shape: shapeText, plot, json } = flags;
  requireTogether(WHO, flags, { shape: 'picture' });
  const { starts, maxIterations } = mixtureOptions.settle(WHO, options); // rejects bad options before the data is read
  await checkOutputs(WHO, { out, picture, plot });
  const shape = shapeText === undefined ? {} : parseShape(WHO, shapeText);
  const running = await runFrom(WHO, flags);
  const started = performance.now();
  const line = progressLine({ tolerance: CONVERGED, maxIterations, loops: starts + 1 });
  line.say('reading …');
  const learned = async (signal: AbortSignal) => {
    const samples = await readMatrix(data, readingFrom(flags));
    if (plot && samples.cols < 2) throw new InputError(`${WHO}: --plot must have at least 2 features; got 1.`);
    return { samples, found: await learnMixture(samples, options, { ...running, signal, onProgress: line.update }) };
  };
  const { samples, found } = await interruptible((signal) => learned(signal).finally(line.clear));
  if (found.status === 'aborted')
    throw new Interrupted(`${WHO}: interrupted after ${found.iterations} steps.${whereSaved(flags)}`);
  await save(out, found);
  if (picture) {
    const scale = Math.max(1, Math.ceil(80 / Math.sqrt(samples.cols)));
    await writeAtomically(picture, [encodePng(atomGallery(found.means, { ...shape, scale, gap: 2 }))]);
  }
  if (plot) await renderChart(mixtureChart(samples, found), plot);
  const seconds = (performance.now() - started) / 1000;
  if (json) printJson({ ...describe(found), seconds, out, ...(picture && { picture }), ...(plot && { plot }) });
  else print(found, seconds, out);
}

async function save(out: string, found: MixtureResult): Promise<void> {
  const { means, weights, variance, labels, status, iterations, repaired, repair, logLikelihood, samples, features } =
    found;
  await writeArrays(out, {
    means,
    weights: { shape: [weights.length], data: weights },
    variance: { shape: [], data: Float64Array.of(variance) },
    labels: { shape: [labels.length], data: labels },
    meta: JSON.stringify({
      format: 1,
      kind: WHO,
      status,
      iterations,
      repaired,
      repair,
      logLikelihood,
      samples,
      features,
    }),
  });
}

function describe(found: MixtureResult) {
  const { status, iterations, repaired, repair, logLikelihood, variance, weights, labels, samples, features } = found;
  const sizes = new Float64Array(weights.length);
  for (const label of labels) sizes[label]++;
  const clusters = Array.from(weights, (weight, k) => ({
    weight,
    samples: sizes[k],
    separation: separation(found, k),
  }));
  return { status, iterations, repaired, repair, logLikelihood, variance, clusters, samples, features };
}

/** Distance of a mean from the nearest other one, in standard deviations; null if there is only one cluster. */
function separation({ means, variance }: MixtureResult, k: number): number | null {
  const { rows, cols, data } = means;
  if (rows === 1) return null;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i++) {
    let square = 0;
    for (let c = 0; c < cols; c++) square += (data[i * cols + c] - data[k * cols + c]) ** 2;
    if (i !== k) nearest = Math.min(nearest, square);
  }
  return Math.sqrt(nearest / variance);
}

function print(found: MixtureResult, seconds: number, out: string): void {
  const { status, iterations, repair, logLikelihood, variance, clusters, samples, features } = describe(found);
  printFacts([
    ['clusters', `${out}: ${clusters.length} of ${formatNumber(features)} features`],
    ['data', `${formatNumber(samples)} samples`],
    ['standard deviation', formatNumber(Math.sqrt(variance))],
    ['log-likelihood', `${formatNumber(logLikelihood)} a sample`],
    ['status', `${status} after ${iterations} steps`],
    ['repair', repair],
    ['time', `${seconds.toFixed(2)} s`],
  ]);
  printLine();
  printTable(
    ['cluster', 'weight', 'samples', 'nearest mean'],
    clusters.map(({ weight, samples: size, separation: distance }, k) => [
      String(k),
      `${(100 * weight).toFixed(1)} %`,
      formatNumber(size),
      distance === null ? '' : `${formatNumber(distance)} deviations`,
    ]),
  );
}
