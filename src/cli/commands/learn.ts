/** `orthodict learn`: learns a model from a data file. The flags come from the option tables of the methods. */

import { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import { type Matrix64, toFloat64 } from '../../core/matrix.ts';
import { requireOwnOptions } from '../../core/option-owners.ts';
import type { OptionTable } from '../../core/options.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import type { Progress } from '../../engine/stop.ts';
import { parseSpec, withArray } from '../../io/bytes/spec.ts';
import { certaintyWords, isSure } from '../../learn/certificate/certainty.ts';
import { commonOptions } from '../../learn/common-options.ts';
import { DEFAULT_METHOD, METHODS, methods, settleOptions, tableOf } from '../../learn/options.ts';
import { answersOf, type LearnResult } from '../../learn/result.ts';
import { updateOptions } from '../../learn/stream/update-options.ts';
import { renderChart } from '../../node/chart.ts';
import { readMatrix } from '../../node/io/arrays.ts';
import { loadModel, saveModel } from '../../node/io/model-file.ts';
import { learn } from '../../node/learn.ts';
import { convergenceChart } from '../charts/convergence-chart.ts';
import { SAMPLES } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { optionOf, optionsFrom, requireTogether } from '../terminal/option-flags.ts';
import {
  counted,
  formatNumber,
  printFacts,
  printJson,
  printLine,
  printRemark,
  printTable,
  statusWords,
} from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addRunFlags, type RunFlags, runFrom, whereSaved } from '../terminal/run-flags.ts';
import { methodHelp } from './learn-help.ts';

interface Flags extends RunFlags, DataFlags {
  readonly out: string;
  readonly init?: string;
  readonly update?: string;
  readonly window?: number;
  readonly plot?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** The options of all methods. An option that several methods share is listed once. */
const methodTable: OptionTable = Object.assign({}, ...methods.toReversed().map(({ options }) => options));
/** Common options that decide when to stop. --help lists them in a separate group, after the others. */
const STOPPING_FLAGS: readonly string[] = ['maxIterations', 'maxSeconds', 'tolerance', 'objectiveTolerance', 'scout'];

export function learnCommand(): Command {
  const command = new Command('learn')
    .argument('<DATA>', SAMPLES)
    .requiredOption('--out <model.npz>', 'model to write')
    .addOption(new Option('--method <NAME>', 'learning method, see below').choices(METHODS).default(DEFAULT_METHOD));
  for (const [name, spec] of Object.entries(commonOptions.table)) {
    if (!spec.flag) continue;
    const option = optionOf('learn', name, spec);
    command.addOption(STOPPING_FLAGS.includes(name) ? option.helpGroup('When to stop exploring:') : option);
  }
  for (const [name, spec] of Object.entries(methodTable)) {
    command.addOption(optionOf('learn', name, spec).hideHelp()); // listed under its method instead
  }
  command
    .option('--init <FILE>', 'start from the atoms of a model, or from a matrix of atoms (.npy, f.npz:name)')
    .option('--update <model.npz>', 'update this model with the samples, in one pass over them; see below')
    .addOption(optionOf('learn', 'window', updateOptions.table.window).helpGroup('With --update:'))
    .option('--plot <FILE>', 'draw the convergence as .svg or .png')
    .option('--explain', 'print the phases that the run took, why each ended and what it cost')
    .option('--json', 'print one JSON object');
  return addRunFlags(addDataFlags(command), 'learn')
    .addHelpText('after', () => `\n${methodHelp(methods)}\n${EXAMPLES}`)
    .action((data: string, flags: Flags) => runLearn(data, flags, command));
}

const EXAMPLES = `--update takes a model of method msp. It reads the new samples once, in chunks, and keeps the order and signs of the atoms. The
old model is weighted by the number of samples it was learned from. Its mean and whitening are updated too, if it has them.

Examples:
  orthodict learn data.npz --out model.npz
  orthodict learn signals.csv --whiten zca --out model.npz --json
  orthodict learn images.npy --components 100 --out model.npz --checkpoint run.npz --resume
  orthodict learn table.csv --holdout 0.1 --starts 4 --out model.npz
  orthodict learn photos/ --patches 8x8 --out model.npz
  orthodict learn few.npy --method householder --reflectors 5 --out model.npz
  orthodict learn today.npy --update model.npz --out newer.npz`;

async function runLearn(data: string, flags: Flags, command: Command): Promise<void> {
  const { out, plot, json } = flags;
  requireTogether('learn', flags, { window: 'update' });
  if (flags.update !== undefined) {
    const { runUpdate } = await import('./learn-update.ts');
    return runUpdate(data, { ...flags, update: flags.update }, command);
  }
  await checkOutputs('learn', { out, plot });
  const run = { ...(await runFrom('learn', flags)), ...readingFrom(flags) };
  const options = await optionsOf(flags, command);
  const { method, settings } = settleOptions(options); // rejects bad options before the data is read
  if (plot && method.learn) {
    throw new InputError(`learn: --plot must come with a method that takes steps; got ${method.name}.`);
  }
  const steps: Progress[] = [];
  const line = progressLine({ maxSeconds: settings.maxSeconds });
  line.say('reading …');
  const onProgress = (progress: Progress) => {
    if (plot) steps.push({ ...progress, atoms: undefined }); // atoms() would keep every state in memory
    line.update(progress);
  };
  const result = await interruptible((signal) =>
    learn(data, options, { ...run, signal, onProgress }).finally(line.clear),
  );
  if (result.status === 'aborted') {
    throw new Interrupted(`learn: interrupted after ${result.iterations} iterations.${whereSaved(flags)}`);
  }
  await saveModel(out, result);
  if (plot) await renderChart(convergenceChart(steps), plot);
  for (const { text } of result.remarks) printRemark(`learn: ${text}.`);
  if (json) printJson(summary(result, out));
  else await printSummary(result, out);
  if (flags.explain && !json) printPath(result.path);
}

/** The options of the run; files given on the command line are replaced by the matrices in them. */
async function optionsOf({ init }: Flags, command: Command) {
  const given = { ...optionsFrom(command, commonOptions.table), ...(await ownOptions(command)) };
  if (init !== undefined && given.starts !== undefined) {
    throw new InputError('learn: --starts must come without --init, which is one start; got both.');
  }
  const chosen = methods.find(({ name }) => name === command.getOptionValue('method'))!;
  if (init !== undefined && chosen.options.start) {
    throw new InputError(
      `learn: --init must come with a method that starts from atoms; got ${chosen.name}, which takes --start.`,
    );
  }
  const start = init === undefined ? undefined : await atomsFrom(init);
  return { ...given, method: command.getOptionValue('method'), ...(start && { start }) };
}

/** The options of the chosen method. Files given on the command line are replaced by the matrices in them. */
async function ownOptions(command: Command): Promise<Readonly<Record<string, unknown>>> {
  const chosen: string = command.getOptionValue('method');
  const given = optionsFrom(command, methodTable);
  const tables = Object.fromEntries(methods.map(({ name, options }) => [name, options]));
  requireOwnOptions('learn', tables[chosen], Object.keys(given), { word: 'method', chosen, tables });
  const read = async ([name, value]: readonly [string, unknown]) => {
    const { flag } = tables[chosen][name];
    const isFile = flag?.kind === 'word or file' && !flag.words.includes(value as string);
    return [name, isFile ? await matrixFrom(value as string, flag.array) : value] as const;
  };
  return Object.fromEntries(await Promise.all(Object.entries(given).map(read)));
}

/** Reads a matrix; `array` is the one to read from an archive if the spec names none. */
async function matrixFrom(spec: string, array: string): Promise<Matrix64> {
  const { path, array: named } = parseSpec(spec);
  const isArchive = named === undefined && /\.npz$/i.test(path);
  return toFloat64(await readMatrix(isArchive ? withArray(path, array) : spec));
}

/** Reads atoms from a model, or from a file that holds a matrix. */
async function atomsFrom(spec: string): Promise<Matrix64> {
  const { path, array } = parseSpec(spec);
  const isModel = array === undefined && /\.npz$/i.test(path);
  return isModel ? (await loadModel(path)).dictionary.atoms : toFloat64(await readMatrix(spec));
}

function summary(result: LearnResult, out: string) {
  const { settings, status, reason, iterations, passes, objective, seconds, backend, threads, refined } = result;
  return {
    method: settings.method,
    status,
    reason,
    iterations,
    passes,
    objective: Number.isNaN(objective) ? null : objective,
    objectiveUnit: result.objectiveUnit,
    seconds,
    backend,
    threads,
    precision: settings.precision ?? 'f64',
    refined,
    refinement: result.refinement,
    remarks: result.remarks,
    path: result.path,
    ...result.details,
    ...answersOf(result),
    components: result.dictionary.components,
    features: result.features,
    samples: result.samples,
    out,
  };
}

function describeDictionary({ transform, components }: Dictionary): string {
  if (transform.kind === 'reflectors') return `product of ${counted(transform.reflectors.rows, 'reflector')}`;
  if (transform.kind === 'rotations') return `product of ${counted(transform.rotations.rows, 'rotation')}`;
  return counted(components, 'atom');
}

async function printSummary(result: LearnResult, out: string): Promise<void> {
  const { status, reason, iterations, passes, samples, features, refined, refinement, threads, details } = result;
  const { whiten }: Partial<LearnResult['settings']> = result.settings;
  printFacts([
    ['model', `${out}: ${describeDictionary(result.dictionary)} of ${counted(features, 'feature')}`],
    ['data', counted(samples, 'sample')],
    ['method', `${result.description}${whiten === undefined ? '' : `, whiten ${whiten}`}`],
    [
      'status',
      `${statusWords(status, reason)} after ${counted(iterations, 'iteration')}, ${counted(passes, 'pass', 'passes')}`,
    ],
    ...startFacts(result),
    ['refined', refined ? `yes (${refinement})` : `no: ${refinement}`],
    ...(result.certainty ? [['certainty', certaintyWords(result.certainty)] as const] : []),
    ...Object.entries(details).map(([name, value]) => [name, String(value ?? 'none')] as const),
    ['time', `${result.seconds.toFixed(2)} s on ${result.backend}, ${counted(threads, 'thread')}`],
  ]);
  if (result.holdout) (await import('./evaluation-table.ts')).printHoldout(result.holdout);
}

/** What the run did, phase by phase; a pass over a part of the samples counts by its share. */
function printPath(path: LearnResult['path']): void {
  printLine();
  printTable(
    ['phase', 'steps', 'passes', 'seconds', 'ended because'],
    path.map(({ phase, iterations, passes, seconds, reason }) => {
      return [phase, formatNumber(iterations), passes.toFixed(1), seconds.toFixed(2), reason];
    }),
  );
}

/** With more starts than this, only the best is shown; --json lists all. */
const MOST_LISTED = 8;

/** How much the result depends on the random start. */
function startFacts({ settings, status, starts, agreement, certainty }: LearnResult): [label: string, value: string][] {
  if (starts && agreement) {
    const objectives = starts.map(({ objective, seed, refined, kept }) => {
      return `${objective.toPrecision(6)} (seed ${seed}${refined ? ', refined' : ''}${kept ? ', kept' : ''})`;
    });
    const shown = starts.length > MOST_LISTED ? objectives.filter((_, k) => starts[k].kept) : objectives;
    const { atoms, byAll } = agreement;
    const found = `${formatNumber(byAll)} of ${counted(atoms, 'atom')} are found by every start (|cosine| above 0.99)`;
    return [
      ['starts', `${starts.length}, objective ${shown.join(', ')}`],
      ['agreement', byAll === atoms ? found : `${found}; the others depend on the start`],
    ];
  }
  const method = methods.find(({ name }) => name === settings.method);
  const hasStarts = method !== undefined && tableOf(method).starts !== undefined;
  if (!hasStarts || settings.start || status !== 'converged' || isSure(certainty)) return [];
  return [
    ['converged', 'further steps change little; another start may give another result (compare with --starts 4)'],
  ];
}
