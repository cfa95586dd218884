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
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { addOptions, flagOf, optionsFrom } from '../terminal/option-flags.ts';
import { printFacts, printJson, printLine, printRemark } from '../terminal/output.ts';
import { checkOutputs } from '../terminal/outputs.ts';
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
On data (--data), in shares of the energy of the samples, less the mean of a model that has one:
missing        when every sample keeps its k largest codes, for this model, PCA and DCT
codesFor90/99  codes that a sample needs for 90 % or 99 % of the energy of its codes, on average
kurtosis       of all codes: 3 for normal ones, more for sparse ones
atomUse        energy of each atom; used: share of the samples that need it for 99 %; unused: in fewer than 1 of 1000
PCA is fitted to the very samples it is judged on, its best case; learn --holdout fits it to the others.

A dictionary against the truth (--truth), up to sign and order:
recoveryError  |1 - g|, g = the sum of the fourth powers of A D over n: 0 is perfect
maxAtomError   largest distance of a unit atom from its partner, partners assigned optimally
frobenius      with true reflectors: distance of the two products, order and signs included
matched        atoms whose |cosine| with their partner is above 0.99
amari          Amari distance, 0 to 1

Others, partners assigned optimally:
exact          sparse-pca: components with exactly the true non-zeros; nonzerosFound of nonzeros, nonzerosWrong
meanDistance   topics: l1 distance of the distributions, 0 to 2; mixture: distance of the means in standard deviations
agreement      mixture with true labels: share of the samples in their class's cluster; purity: in its most frequent class

Examples:
  orthodict evaluate model.npz --data other.csv --plot missing.svg
  orthodict evaluate model.npz --truth data.npz:atoms --json
  orthodict evaluate sparse.npz --truth planted.npz:loadings
  orthodict evaluate clusters.npz --truth data.npz:labels`;

export function evaluateCommand(): Command {
  const command = new Command('evaluate')
    .argument('<model.npz>', 'a file written by learn; for --truth also by sparse-pca, topics or mixture')
    .option('--data <DATA>', 'samples to describe by few codes, best others than those learned from')
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

/** Flags that have no effect without --data. */
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
  const dctShape = meta.options.dctShape ?? (meta.patch && dctShapeOf(meta.patch)); // of a model of method dct, or of patches
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
