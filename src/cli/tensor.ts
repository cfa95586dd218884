/** `orthodict tensor`: orthogonal factors of a symmetric tensor, or of the third moment of samples. */
import { Command, Option } from 'commander';
import { InputError } from '../errors.ts';
import { PAIR_RULES } from '../givens/pairs.ts';
import { type ArrayInput, readArray, readMatrix, writeArrays } from '../node/arrays.ts';
import { checkWritable } from '../node/atomic-write.ts';
import { type DecomposeOptions, type Decomposition, decomposeDefaults, decomposeTensor } from '../tensor/decompose.ts';
import { decomposeMoments } from '../tensor/decompose-moments.ts';
import { powerMethod } from '../tensor/power-method.ts';
import { symmetricTensor } from '../tensor/symmetric-tensor.ts';
import { numberOption, requireExtension } from './arguments.ts';
import { Interrupted, interruptible } from './interrupt.ts';
import { formatNumber, printFacts, printJson } from './output.ts';
import { progressLine } from './progress-line.ts';

const METHODS = ['givens', 'power'] as const;

interface Flags extends Pick<DecomposeOptions, 'pairs' | 'starts' | 'maxSweeps' | 'tolerance' | 'seed'> {
  moments?: string;
  center?: boolean;
  whiten?: boolean;
  method: (typeof METHODS)[number];
  out: string;
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
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  orthodict tensor T.npy --out factors.npz
  orthodict tensor --moments signals.npy --whiten --out factors.npz`,
    )
    .action((file: string | undefined, flags: Flags) => runTensor(file, flags));
}

async function runTensor(file: string | undefined, flags: Flags): Promise<void> {
  const { out, json, moments, center, whiten, method } = flags;
  if ((file === undefined) === (moments === undefined)) {
    throw new InputError(
      `tensor: the input must be either a tensor or --moments DATA; got ${file === undefined ? 'neither' : 'both'}.`,
    );
  }
  if (file !== undefined && (center || whiten)) {
    throw new InputError(`tensor: --${center ? 'center' : 'whiten'} must come with --moments; got a tensor.`);
  }
  if (moments !== undefined && method === 'power') {
    throw new InputError('tensor: --method power must come with a tensor; got --moments.');
  }
  requireExtension('tensor', '--out', out, ['.npz']);
  await checkWritable(out);
  const started = performance.now();
  const line = progressLine(flags.tolerance ?? decomposeDefaults.tolerance);
  line.say('reading …');
  const decompose = (signal: AbortSignal): Promise<Found> =>
    moments === undefined
      ? fromTensor(file!, flags, signal, line.update)
      : fromMoments(moments, flags, signal, line.update);
  const found = await interruptible((signal) => decompose(signal).finally(line.clear));
  if (found.status === 'aborted') throw new Interrupted(`tensor: interrupted after ${found.sweeps} sweeps.`);
  const { factors, weights, arrays, status, reason, sweeps, objective, residual } = found;
  await writeArrays(out, { factors, weights: { shape: [weights.length], data: weights }, ...arrays });
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
  const found = await decomposeMoments(await readMatrix(data), { ...flags, signal, onProgress });
  const { mean, whitening } = found;
  return {
    ...found,
    arrays: { ...(mean && { mean: { shape: [mean.length], data: mean } }), ...(whitening && { whitening }) },
  };
}
