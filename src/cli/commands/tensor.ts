/** `orthodict tensor`: orthogonal factors of a symmetric tensor, or of the third moment of samples. */
import { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Precision } from '../../core/matrix.ts';
import { requireOwnOptions } from '../../core/option-owners.ts';
import { defineOptions, type OptionSpec, type OptionTable } from '../../core/options.ts';
import type { Progress } from '../../engine/stop.ts';
import { type ArrayInput, inPrecision, vectorOf } from '../../io/arrays.ts';
import { type TensorCertainty, tensorCertaintyWords } from '../../models/tensor/certainty.ts';
import type { Decomposition } from '../../models/tensor/learn-tensor.ts';
import { momentsOptions, tensorOptions } from '../../models/tensor/options.ts';
import { powerMethod, powerMethodOptions } from '../../models/tensor/power-method.ts';
import { symmetricTensor } from '../../models/tensor/symmetric-tensor.ts';
import { renderChart } from '../../node/chart.ts';
import { readArray, writeArrays } from '../../node/io/arrays.ts';
import { learnMoments, learnTensor } from '../../node/models.ts';
import type { NodeRunOptions } from '../../node/run.ts';
import { tensorChart } from '../charts/tensor-chart.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { addOptions, flagOf, optionsFrom } from '../terminal/option-flags.ts';
import { formatNumber, printFacts, printJson, statusWords } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addRunFlags, type RunFlags, runFrom, whereSaved } from '../terminal/run-flags.ts';

const { starts, seed } = powerMethodOptions.table;
/** The options of each method. */
const TABLES = { givens: tensorOptions.table, power: { starts, seed } } as const;
const METHODS = ['givens', 'power'] as const satisfies readonly (keyof typeof TABLES)[];

interface Flags extends RunFlags, DataFlags {
  moments?: string;
  method: (typeof METHODS)[number];
  tolerance: number;
  out: string;
  plot?: string;
  json?: boolean;
}

const WHO = 'tensor';

export function tensorCommand(): Command {
  const command = new Command(WHO)
    .argument('[T.npy]', 'a symmetric d x d x d tensor: .npy or .npz; file.npz:name picks an array')
    .option(
      '--moments <DATA>',
      'decompose the third moment of the samples of DATA (mean of y*y*y) instead of a tensor, without forming it',
    )
    .requiredOption('--out <f.npz>', 'file to write: factors (rows), weights and errors; mean and whitening if used')
    .addOption(
      new Option('--method <NAME>', 'givens: plane rotations; power: one factor at a time, with deflation')
        .choices(METHODS)
        .default(METHODS[0]),
    );
  for (const name of ['center', 'whiten'] as const) {
    command.option(`--${name}`, `with --moments: ${momentsOptions.table[name].help}`);
  }
  addOptions(command, WHO, describedTable())
    .option('--plot <FILE>', 'draw the weights and the convergence as .svg or .png')
    .option('--json', 'print one JSON object');
  return addRunFlags(addDataFlags(command), WHO)
    .addHelpText(
      'after',
      `
Examples:
  orthodict tensor T.npy --out factors.npz
  orthodict tensor --moments signals.npy --whiten --out factors.npz --plot factors.svg`,
    )
    .action((file: string | undefined, flags: Flags) => runTensor(file, flags, command));
}

/** The options of all methods. The help says which method an option belongs to. */
function describedTable(): OptionTable {
  const entries = Object.entries(tensorOptions.table).map(([name, spec]): [string, OptionSpec] => {
    const power: OptionSpec | undefined = Object.entries(TABLES.power).find(([own]) => own === name)?.[1];
    if (!power) return [name, { ...spec, help: `with givens: ${spec.help}` }];
    if (power.default === spec.default) return [name, spec];
    const help = `${spec.help} (default: ${spec.default}; power: ${power.default} per factor)`;
    return [name, { ...spec, help, default: undefined }];
  });
  return Object.fromEntries(entries);
}

async function runTensor(file: string | undefined, flags: Flags, command: Command): Promise<void> {
  const { out, plot, json, moments, method } = flags;
  requireInput(file, flags, command);
  requireOptions(method, command);
  await checkOutputs(WHO, { out, plot });
  const running = await runFrom(WHO, flags);
  const started = performance.now();
  const line = progressLine({ loops: command.getOptionValue('starts') });
  line.say('reading …');
  const steps: Progress[] = [];
  const onProgress = (progress: Progress) => {
    if (progress.iteration > 0) steps.push({ ...progress, atoms: undefined });
    line.update(progress);
  };
  const decompose = (signal: AbortSignal): Promise<Found> =>
    moments === undefined
      ? fromTensor(file!, flags, command, { ...running, signal, onProgress })
      : fromMoments(moments, command, { ...running, ...readingFrom(flags), signal, onProgress });
  const found = await interruptible((signal) => decompose(signal).finally(line.clear));
  if (found.status === 'aborted')
    throw new Interrupted(`${WHO}: interrupted after ${found.iterations} sweeps.${whereSaved(flags)}`);
  const { factors, weights, status, reason, iterations, objective, residual } = found;
  const told = {
    method,
    status,
    reason,
    iterations,
    objective,
    residual,
    ...certaintyFacts(found),
    size: factors.cols,
  };
  await writeArrays(out, inPrecision(arraysOf(found, told), found.precision));
  if (plot) await renderChart(tensorChart(weights, steps), plot);
  const seconds = (performance.now() - started) / 1000;
  if (json) printJson({ ...told, seconds, out });
  else print(found, seconds, out);
}

function requireInput(file: string | undefined, { moments, method }: Flags, command: Command): void {
  if ((file === undefined) === (moments === undefined)) {
    const got = file === undefined ? 'neither' : 'both';
    throw new InputError(`${WHO}: the input must be either a tensor or --moments DATA; got ${got}.`);
  }
  const ofMoments = ['center', 'whiten'].find((flag) => command.getOptionValueSource(flag) === 'cli');
  if (file !== undefined && ofMoments) {
    throw new InputError(`${WHO}: --${ofMoments} must come with --moments; got a tensor.`);
  }
  if (moments !== undefined && method === 'power') {
    throw new InputError(`${WHO}: --method power must come with a tensor; got --moments.`);
  }
}

/** Rejects bad options before the data is read. */
function requireOptions(method: Flags['method'], command: Command): void {
  const given = Object.keys(optionsFrom(command, tensorOptions.table));
  const choices = { word: '--method', chosen: method, tables: TABLES, shown: flagOf };
  requireOwnOptions(WHO, TABLES[method], given, choices);
  const table: OptionTable = TABLES[method];
  defineOptions(table).settle(WHO, optionsFrom(command, table));
  const running = ['checkpoint', 'backend'].find((flag) => command.getOptionValueSource(flag) === 'cli');
  if (method === 'power' && running) {
    throw new InputError(`${WHO}: --${running} must come with --method givens; got power.`);
  }
}

interface Found extends Decomposition {
  readonly residual?: number | undefined;
  readonly certainty?: TensorCertainty | undefined;
  /** Precision of the tensor or of the samples. */
  readonly precision: Precision;
  /** Further arrays to write. */
  readonly arrays: Readonly<Record<string, ArrayInput>>;
}

/** How certain the factors are, if the method can say. */
const certaintyFacts = ({ certainty }: Found) =>
  certainty && { certainty: tensorCertaintyWords(certainty), certain: certainty.certain, noise: certainty.noise };

function arraysOf({ factors, weights, certainty, arrays }: Found, told: object): Record<string, ArrayInput> {
  return {
    factors,
    weights: vectorOf(weights),
    ...(certainty && { errors: vectorOf(certainty.errors) }),
    ...arrays,
    meta: JSON.stringify({ format: 1, kind: 'tensor', ...told }),
  };
}

function print(found: Found, seconds: number, out: string): void {
  const { factors, weights, objective, residual, certainty, status, reason, iterations } = found;
  const [most, least] = [weights[0], weights[weights.length - 1]];
  printFacts([
    ['factors', `${out}: ${factors.rows} of ${factors.cols} numbers`],
    ['weights', `${formatNumber(most)} to ${formatNumber(least)}, sum ${formatNumber(objective)}`],
    ...(residual === undefined ? [] : [['residual', formatNumber(residual)] as const]),
    ...(certainty
      ? [['certainty', `${tensorCertaintyWords(certainty)}, noise ${formatNumber(certainty.noise)}`] as const]
      : []),
    ['status', `${statusWords(status, reason)}${iterations > 0 ? ` after ${iterations} sweeps` : ''}`],
    ['time', `${seconds.toFixed(2)} s`],
  ]);
}

async function fromTensor(file: string, { method }: Flags, command: Command, run: NodeRunOptions): Promise<Found> {
  const { shape, data } = await readArray(file);
  if (Array.isArray(data)) throw new InputError(`${WHO}: ${file} must hold numbers; got text.`);
  const T = symmetricTensor(shape, data, WHO, file);
  const precision = data instanceof Float32Array ? 'f32' : 'f64';
  if (method === 'givens') {
    return { ...(await learnTensor(T, optionsFrom(command, tensorOptions.table), run)), precision, arrays: {} };
  }
  const { factors, weights } = powerMethod(T, optionsFrom(command, TABLES.power));
  const rest = T.data.reduce((sum, x) => sum + x * x, 0);
  const explained = weights.reduce((sum, w) => sum + w * w, 0);
  return {
    factors,
    weights,
    objective: weights.reduce((sum, w) => sum + w, 0),
    residual: rest > 0 ? Math.sqrt(Math.max(0, rest - explained) / rest) : 0,
    status: 'converged',
    reason: 'all factors found',
    iterations: 0,
    precision,
    arrays: {},
  };
}

async function fromMoments(data: string, command: Command, run: NodeRunOptions): Promise<Found> {
  const found = await learnMoments(data, optionsFrom(command, momentsOptions.table), run);
  const { mean, whitening } = found;
  return {
    ...found,
    arrays: { ...(mean && { mean: vectorOf(mean) }), ...(whitening && { whitening }) },
  };
}
