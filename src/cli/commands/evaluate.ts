/** `orthodict evaluate`: how good a model is, on data and against the truth. */

import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import { dctShapeOf } from '../../dictionaries/dct.ts';
import { requireFitting } from '../../dictionaries/model.ts';
import { evaluateOptions } from '../../metrics/evaluate.ts';
import { renderChart } from '../../node/chart.ts';
import { evaluate } from '../../node/evaluate.ts';
import { openSource } from '../../node/io/file-source.ts';
import { loadModel } from '../../node/io/model-file.ts';
import { evaluationChart } from '../charts/evaluation-chart.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { addOptions, flagOf, optionsFrom } from '../terminal/option-flags.ts';
import { printFacts, printJson, printLine, printRemark } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addPlaceFlags, type PlaceFlags, placeFrom } from '../terminal/run-flags.ts';
import { compareWithTruth } from './evaluate-truth.ts';
import { printEvaluation } from './evaluation-table.ts';

interface Flags extends DataFlags, PlaceFlags {
  readonly truth?: string;
  readonly data?: string;
  readonly plot?: string;
  readonly json?: boolean;
}

const HELP = `
With --data, as shares of the energy of the samples (after subtracting the model's mean, if it has one):
missing        energy missing when every sample keeps its k largest codes: this model, PCA and DCT
codesFor90/99  average number of codes that hold 90 % or 99 % of the energy of a sample's codes
kurtosis       of all codes: 3 for normal ones, more for sparse ones
atomUse        energy of each atom; used: share of the samples that need it for 99 %; unused: needed by fewer than 1 in 1000
PCA is fitted to the samples it is evaluated on, its best case; learn --holdout fits it to the others.

With --truth, for a dictionary, up to sign and order:
recoveryError  |1 - g|, g = the sum of the fourth powers of A D over n: 0 is perfect
maxAtomError   largest distance between a unit atom and its partner, partners assigned optimally
frobenius      if the truth is reflectors: distance between the two products, order and signs included
matched        number of atoms whose |cosine| with their partner is above 0.99
amari          Amari distance, 0 to 1

With --truth, for other results, partners assigned optimally:
exact          sparse-pca: components with exactly the true non-zeros; nonzerosFound of nonzeros, nonzerosWrong
meanDistance   topics: l1 distance between distributions, 0 to 2; mixture: distance between means in standard deviations
agreement      mixture with true labels: share of the samples in the cluster matched to their class;
purity         share of the samples that belong to the most frequent class of their cluster

Examples:
  orthodict evaluate model.npz --data other.csv --plot missing.svg
  orthodict evaluate model.npz --truth data.npz:atoms --json
  orthodict evaluate sparse.npz --truth planted.npz:loadings
  orthodict evaluate clusters.npz --truth data.npz:labels`;

export function evaluateCommand(): Command {
  const command = new Command('evaluate')
    .argument('<model.npz>', 'a file written by learn; for --truth also by sparse-pca, topics or mixture')
    .option('--data <DATA>', 'samples to describe by a few codes; best not those the model was learned from')
    .option(
      '--truth <f.npz:name>',
      'atoms or reflectors of a dictionary; loadings of sparse-pca; topics; means or labels of a mixture',
    );
  addOptions(command, 'evaluate', evaluateOptions.table)
    .option('--plot <FILE>', 'draw the missing energy as .svg or .png')
    .option('--json', 'print one JSON object');
  return addPlaceFlags(addDataFlags(command), 'evaluate')
    .addHelpText('after', HELP)
    .action((path: string, flags: Flags) => interruptible((signal) => runEvaluate(path, flags, command, signal)));
}

async function runEvaluate(path: string, flags: Flags, command: Command, signal: AbortSignal): Promise<void> {
  const { truth, data, plot, json } = flags;
  if (truth === undefined && data === undefined) {
    throw new InputError('evaluate: --data or --truth must be given; got neither.');
  }
  if (data === undefined) requireNone(command);
  await checkOutputs('evaluate', { plot });
  const compared = truth === undefined ? undefined : await compareWithTruth(path, truth);
  const evaluation = data === undefined ? undefined : await evaluateData(path, data, flags, command, signal);
  if (plot && evaluation) await renderChart(evaluationChart(evaluation), plot);
  if (json) {
    printJson({ ...compared?.figures, ...evaluation });
    return;
  }
  if (compared) printFacts(compared.facts);
  if (compared && evaluation) printLine();
  if (evaluation) printEvaluation(evaluation);
}

/** Refuses flags that have no effect without --data. */
function requireNone(command: Command): void {
  const others = ['truth', 'data', 'json'];
  const given = command.options.map((option) => option.attributeName());
  const idle = given.find((name) => !others.includes(name) && command.getOptionValueSource(name) === 'cli');
  if (idle === undefined) return;
  throw new InputError(`evaluate: ${flagOf(idle)} must come with --data; got ${flagOf(idle)} alone.`);
}

async function evaluateData(path: string, data: string, flags: Flags, command: Command, signal: AbortSignal) {
  const place = await placeFrom('evaluate', flags);
  const { dictionary, meta, remark } = await loadModel(path);
  const dctShape = meta.options.dctShape ?? (meta.patch && dctShapeOf(meta.patch)); // known for models of method dct and of patches
  const known = typeof dctShape === 'string' ? { dctShape } : {};
  const line = progressLine();
  line.say('evaluating …');
  const options = { ...known, ...optionsFrom(command, evaluateOptions.table) };
  const { memoryLimit } = place;
  const source = await openSource(data, { memoryLimit, ...readingFrom(flags, meta.patch), signal });
  try {
    requireFitting('evaluate', meta, source);
    const found = await evaluate(dictionary, source, options, { ...place, signal });
    line.clear();
    if (remark) printRemark(`evaluate: ${path}: ${remark}.`);
    return found;
  } finally {
    line.clear();
    await source.close?.();
  }
}
