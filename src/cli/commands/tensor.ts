/** `orthodict tensor`: orthogonal factors of a symmetric tensor, or of the third moment of samples. */
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Precision } from '../../core/matrix.ts';
import type { Progress } from '../../engine/stop.ts';
import { type ArrayInput, inPrecision, vectorOf } from '../../io/arrays.ts';
import { type TensorCertainty, tensorCertaintyWords } from '../../models/tensor/certainty.ts';
import type { Decomposition } from '../../models/tensor/learn-tensor.ts';
import { momentsOptions, tensorOptions } from '../../models/tensor/options.ts';
import { symmetricTensor } from '../../models/tensor/symmetric-tensor.ts';
import { renderChart } from '../../node/chart.ts';
import { readArray, writeArrays } from '../../node/io/arrays.ts';
import { learnMoments, learnTensor } from '../../node/models.ts';
import type { NodeRunOptions } from '../../node/run.ts';
import { tensorChart } from '../charts/tensor-chart.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { addOptions, optionsFrom } from '../terminal/option-flags.ts';
import { formatNumber, printFacts, printJson, statusWords } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addRunFlags, type RunFlags, runFrom, whereSaved } from '../terminal/run-flags.ts';

interface Flags extends RunFlags, DataFlags {
  moments?: string;
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
    .requiredOption('--out <f.npz>', 'file to write: factors (rows), weights and errors; mean and whitening if used');
  for (const name of ['center', 'whiten'] as const) {
    command.option(`--${name}`, `with --moments: ${momentsOptions.table[name].help}`);
  }
  addOptions(command, WHO, tensorOptions.table)
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

async function runTensor(file: string | undefined, flags: Flags, command: Command): Promise<void> {
  const { out, plot, json, moments } = flags;
  requireInput(file, flags, command);
  tensorOptions.settle(WHO, optionsFrom(command, tensorOptions.table)); // before the data is read
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
      ? fromTensor(file!, command, { ...running, signal, onProgress })
      : fromMoments(moments, command, { ...running, ...readingFrom(flags), signal, onProgress });
  const found = await interruptible((signal) => decompose(signal).finally(line.clear));
  if (found.status === 'aborted')
    throw new Interrupted(`${WHO}: interrupted after ${found.iterations} sweeps.${whereSaved(flags)}`);
  const { factors, weights, status, reason, iterations, objective, residual } = found;
  const told = {
    method: 'givens',
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

function requireInput(file: string | undefined, { moments }: Flags, command: Command): void {
  if ((file === undefined) === (moments === undefined)) {
    const got = file === undefined ? 'neither' : 'both';
    throw new InputError(`${WHO}: the input must be either a tensor or --moments DATA; got ${got}.`);
  }
  const ofMoments = ['center', 'whiten'].find((flag) => command.getOptionValueSource(flag) === 'cli');
  if (file !== undefined && ofMoments) {
    throw new InputError(`${WHO}: --${ofMoments} must come with --moments; got a tensor.`);
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

/** How certain the factors are; third moments do not say. */
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
    ['status', `${statusWords(status, reason)} after ${iterations} sweeps`],
    ['time', `${seconds.toFixed(2)} s`],
  ]);
}

async function fromTensor(file: string, command: Command, run: NodeRunOptions): Promise<Found> {
  const { shape, data } = await readArray(file);
  if (Array.isArray(data)) throw new InputError(`${WHO}: ${file} must hold numbers; got text.`);
  const T = symmetricTensor(shape, data, WHO, file);
  const precision = data instanceof Float32Array ? 'f32' : 'f64';
  return { ...(await learnTensor(T, optionsFrom(command, tensorOptions.table), run)), precision, arrays: {} };
}

async function fromMoments(data: string, command: Command, run: NodeRunOptions): Promise<Found> {
  const found = await learnMoments(data, optionsFrom(command, momentsOptions.table), run);
  const { mean, whitening } = found;
  return {
    ...found,
    arrays: { ...(mean && { mean: vectorOf(mean) }), ...(whitening && { whitening }) },
  };
}
