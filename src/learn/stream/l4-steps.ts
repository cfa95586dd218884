/**
 * Steps of a stream by the fourth powers of the codes, as MSP makes them (methods/msp.ts):
 *
 *     H = Σ_s (x³ zᵀ − shift),   orthogonal: B = polar(H)      shift = 3σ⁴ B per sample, σ² = E x²
 *                                complete:   B = polar(H R^(−1/2)) R^(−1/2), R = E z zᵀ      shift = 3 E x_i² · B z zᵀ
 *
 * There is a shift if the data is white and every atom's codes have heavier tails than the normal distribution.
 */
import { addScaled, copy, type Matrix64, range, trace } from '../../core/matrix.ts';
import { eigh, symmetricPower } from '../../linalg/eigh.ts';
import { polar } from '../../linalg/polar.ts';
import { surveyPass } from '../../passes/survey.ts';
import type { Problem } from '../problem.ts';
import { isWhite } from '../whitening.ts';
import { type BlockStep, between, polarNear, type StreamMemory, withSigns } from './block-step.ts';

/** E x⁴ = 3 (E x²)² for normal x. */
const NORMAL = 3;
/** Least variance of codes in a direction, relative to all, that can be whitened: beside an outlier, smaller ones are rounding errors. */
const LEAST_VARIANCE = 1e-14;

/** Makes the first step, whose shift depends on the first block. */
export async function l4Steps(first: Problem, B: Matrix64): Promise<BlockStep> {
  const shifted = isWhite(first.input.coordinates) && (await hasHeavyTails(first, B));
  const step: BlockStep = {
    kind: 'l4',
    async take(given, B, memory) {
      const mean = await movedMean(given, memory);
      const block = given.about(mean);
      const { correlation, values } = await block.correlate(B, { kind: 'power', norm: 4 }, 'f64');
      const H = shifted ? addScaled(correlation, -1, shiftOf(block, B)) : correlation;
      const { gram, samples, input } = block;
      const sums = memory.with({ samples, nonZeroSamples: input.nonZeroSamples, gram, correlation: H, values });
      return { B: next(sums.correlation, B, block, sums), mean, step, memory: memory.holding(sums) };
    },
  };
  return step;
}

async function hasHeavyTails(block: Problem, B: Matrix64): Promise<boolean> {
  const { values } = await block.correlate(B, { kind: 'power', norm: 4 }, 'f64');
  const energies = block.energies(B);
  return values.every((value, i) => value * block.samples > NORMAL * energies[i] ** 2);
}

/** Returns the mean of all samples, if they are centred. */
async function movedMean(block: Problem, memory: StreamMemory): Promise<Float64Array | undefined> {
  const { executor, source, conditioning, signal } = block.input;
  if (!conditioning.offset) return undefined;
  const { sum } = await executor.sum(surveyPass, { moments: false }, source, signal);
  const mean = sum.map((x) => x / source.rows);
  return between(conditioning.offset, mean, memory.shareOf(source.rows));
}

function shiftOf(block: Problem, B: Matrix64): Matrix64 {
  const { samples: p, size: K, gram, kernels } = block;
  if (!block.input.coordinates.whitened) {
    const variance = trace(gram) / (p * K);
    return { ...B, data: B.data.map((b) => NORMAL * p * variance ** 2 * b) };
  }
  const energies = block.energies(B);
  const product = kernels.multiply(B, gram);
  return { ...product, data: product.data.map((x, at) => (NORMAL * energies[Math.floor(at / K)] * x) / p) };
}

function next(
  H: Matrix64,
  B: Matrix64,
  { kernels, input }: Problem,
  { gram, samples }: { readonly gram: Matrix64; readonly samples: number },
): Matrix64 {
  if (!input.coordinates.whitened) return polarNear(H, B, kernels);
  const R = copy(gram);
  for (const i of range(R.data.length)) R.data[i] /= samples;
  const { values, vectors } = eigh(R, kernels);
  const least = LEAST_VARIANCE * trace(R);
  const whitening = symmetricPower({ values: values.map((value) => Math.max(value, least)), vectors }, -0.5);
  return withSigns(kernels.multiply(polar(kernels.multiply(H, whitening), kernels), whitening), B);
}
