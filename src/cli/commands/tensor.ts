/** `orthodict tensor`: orthogonal factors of a symmetric tensor, or of the third moment of samples. */
import { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Progress } from '../../engine/stop.ts';
import {
  type DecomposeOptions,
  type Decomposition,
  decomposeDefaults,
  decomposeTensor,
} from '../../models/tensor/decompose.ts';
import { decomposeMoments } from '../../models/tensor/decompose-moments.ts';
import { powerMethod } from '../../models/tensor/power-method.ts';
import { symmetricTensor } from '../../models/tensor/symmetric-tensor.ts';
import { checkWritable } from '../../node/files/atomic-write.ts';
import { renderChart } from '../../node/files/chart.ts';
import { type ArrayInput, readArray, readMatrix, writeArrays } from '../../node/formats/arrays.ts';
import { createNodeExecutor } from '../../node/threads/threads.ts';
import { PAIR_RULES } from '../../rotations/pairs.ts';
import { tensorChart } from '../charts/tensor-chart.ts';
import { numberOption, requireExtension } from '../terminal/arguments.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printFacts, printJson } from '../terminal/output.ts';
import { requirePlot } from '../terminal/plot-option.ts';
import { progressLine } from '../terminal/progress-line.ts';

const METHODS = ['givens', 'power'] as const;

interface Flags extends Pick<DecomposeOptions, 'pairs' | 'starts' | 'maxSweeps' | 'tolerance' | 'seed'> {
  moments?: string;
  center?: boolean;
  whiten?: boolean;
  threads?: number;
  method: (typeof METHODS)[number];
  out: string;
  plot?: string;
  json?: boolean;
}

export function tensorCommand(): Command {
  const number = (flag: string) => numberOption('tensor', flag);
  return new Command('tensor')
    .description('Decompose a symmetric tensor of third order into orthogonal factors.')
    .argument('[T.npy]', 'a symmetric tensor, d x d x d: .npy or .npz; file.npz:name picks an array')
    .option(
      '--moments <DATA>',
      'instead of a tensor: the mean of y*y*y over the samples of DATA, which is never formed',
    )
    .option('--center', 'with --moments: subtract the mean sample')
    .option('--whiten', 'with --moments: subtract the mean and make the covariance the identity')
    .requiredOption('--out <f.npz>', 'file to write: factors (rows) and weights; mean and whitening where used')
    .addOption(
      new Option('--method <NAME>', 'givens: plane rotations; power: one factor at a time, with deflation')
        .choices(METHODS)
        .default(METHODS[0]),
    )
    .addOption(new Option('--pairs <RULE>', 'order of the planes').choices(PAIR_RULES).default(decomposeDefaults.pairs))
    .option('--starts <N>', 'random starts, of which the best is kept', number('--starts'), decomposeDefaults.starts)
    .option('--max-sweeps <S>', 'stop after so many sweeps', number('--max-sweeps'), decomposeDefaults.maxSweeps)
    .option(
      '--tolerance <E>',
      'stop when a sweep moves the factors by no more',
      number('--tolerance'),
      decomposeDefaults.tolerance,
    )
    .option('--seed <K>', 'of the random start', number('--seed'), decomposeDefaults.seed)
    .option('--threads <T>', 'with --moments; default: all cores', number('--threads'))
    .option('--plot <FILE>', 'draw the weights and the convergence as .svg or .png')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  orthodict tensor T.npy --out factors.npz
  orthodict tensor --moments signals.npy --whiten --out factors.npz --plot factors.svg`,
    )
    .action((file: string | undefined, flags: Flags) => runTensor(file, flags));
}

async function runTensor(file: string | undefined, flags: Flags): Promise<void> {
  const { out, plot, json, moments, method } = flags;
  if ((file === undefined) === (moments === undefined)) {
    throw new InputError(
      `tensor: the input must be either a tensor or --moments DATA; got ${file === undefined ? 'neither' : 'both'}.`,
    );
  }
  const ofMoments = (['center', 'whiten', 'threads'] as const).find((flag) => flags[flag] !== undefined);
  if (file !== undefined && ofMoments) {
    throw new InputError(`tensor: --${ofMoments} must come with --moments; got a tensor.`);
  }
  if (moments !== undefined && method === 'power') {
    throw new InputError('tensor: --method power must come with a tensor; got --moments.');
  }
  requireExtension('tensor', '--out', out, ['.npz']);
  await checkWritable(out);
  await requirePlot('tensor', plot);
  const started = performance.now();
  const line = progressLine(flags.tolerance ?? decomposeDefaults.tolerance);
  line.say('reading …');
  const steps: Progress[] = [];
  const onProgress = (progress: Progress) => {
    steps.push(progress);
    line.update(progress);
  };
  const decompose = (signal: AbortSignal): Promise<Found> =>
    moments === undefined
      ? fromTensor(file!, flags, signal, onProgress)
      : fromMoments(moments, flags, signal, onProgress);
  const found = await interruptible((signal) => decompose(signal).finally(line.clear));
  if (found.status === 'aborted') throw new Interrupted(`tensor: interrupted after ${found.sweeps} sweeps.`);
  const { factors, weights, arrays, status, reason, sweeps, objective, residual } = found;
  await writeArrays(out, { factors, weights: { shape: [weights.length], data: weights }, ...arrays });
  if (plot) await renderChart(tensorChart(weights, steps), plot);
  const seconds = (performance.now() - started) / 1000;
  const [most, least] = [weights[0], weights[weights.length - 1]];
  if (json) printJson({ method, status, reason, sweeps, objective, residual, size: factors.cols, seconds, out });
  else {
    printFacts([
      ['factors', `${out}: ${factors.rows} of ${factors.cols} numbers`],
      ['weights', `${formatNumber(most)} to ${formatNumber(least)}, sum ${formatNumber(objective)}`],
      ...(residual === undefined ? [] : [['residual', formatNumber(residual)] as const]),
      ['status', `${status} (${reason})${sweeps > 0 ? ` after ${sweeps} sweeps` : ''}`],
      ['time', `${seconds.toFixed(2)} s`],
    ]);
  }
}

type OnProgress = NonNullable<DecomposeOptions['onProgress']>;

interface Found extends Decomposition {
  readonly residual?: number | undefined;
  /** What else to write. */
  readonly arrays: Readonly<Record<string, ArrayInput>>;
}

async function fromTensor(file: string, flags: Flags, signal: AbortSignal, onProgress: OnProgress): Promise<Found> {
  const { shape, data } = await readArray(file);
  if (Array.isArray(data)) throw new InputError(`tensor: ${file} must hold numbers; got text.`);
  const T = symmetricTensor(shape, data, 'tensor', file);
  if (flags.method === 'givens') return { ...(await decomposeTensor(T, { ...flags, signal, onProgress })), arrays: {} };
  const { factors, weights } = powerMethod(T, { seed: flags.seed });
  const rest = T.data.reduce((sum, x) => sum + x * x, 0);
  const explained = weights.reduce((sum, w) => sum + w * w, 0);
  return {
    factors,
    weights,
    objective: weights.reduce((sum, w) => sum + w, 0),
    residual: rest > 0 ? Math.sqrt(Math.max(0, rest - explained) / rest) : 0,
    status: 'converged',
    reason: 'all factors found',
    sweeps: 0,
    arrays: {},
  };
}

async function fromMoments(data: string, flags: Flags, signal: AbortSignal, onProgress: OnProgress): Promise<Found> {
  const samples = await readMatrix(data);
  const executor = await createNodeExecutor({ threads: flags.threads });
  const found = await decomposeMoments(samples, { ...flags, executor, signal, onProgress }).finally(executor.close);
  const { mean, whitening } = found;
  return {
    ...found,
    arrays: { ...(mean && { mean: { shape: [mean.length], data: mean } }), ...(whitening && { whitening }) },
  };
}
