/**
 * Steps of a stream by the zeros of the codes: the refinement (refinement/) with sums over all blocks. M is the mask of
 * the codes x that are not zero, θ̂ their share.
 *
 *     orthogonal: B = polar(Σ_s (x∘M) zᵀ − θ̂ x zᵀ)
 *     complete:   D' = (Σ Φᵀ Φ)⁻¹ Σ Φᵀ Z with Φ = X∘M,   B ← (I + offdiagonal(B D'ᵀ)/(1 − θ̂))⁻¹ B, rows of norm 1
 */
import { addScaled, identity, type Matrix64, unitRows } from '../../core/matrix.ts';
import { solveSymmetric } from '../../linalg/cholesky.ts';
import { solve } from '../../linalg/lu.ts';
import { polar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { assessSparsity, zeroLevels } from '../refinement/code-distribution.ts';
import {
  advance,
  credibleMask,
  initialRefineState,
  type RefineState,
  thresholds,
} from '../refinement/masked-refinement.ts';
import { fitOffset } from '../refinement/offset.ts';
import { movementOf, refineComplete } from '../refinement/refine-complete.ts';
import { refineOrthogonal } from '../refinement/refine-orthogonal.ts';
import { CREDIBLE_ADVANTAGE } from '../refinement/refinement.ts';
import { type BlockStep, between, type StreamMemory } from './block-step.ts';
import type { StreamSums } from './stream-sums.ts';

/** Steps on the first block that find its thresholds: the leaks shrink quadratically. */
const SETTLING_STEPS = 6;

/** Undefined if the codes of the first block show no zeros. */
export async function zeroSteps(first: Problem, memory: StreamMemory): Promise<BlockStep | undefined> {
  const settled = await settle(first);
  if (!settled) return undefined;
  let state = settled;
  return {
    kind: 'zeros',
    async take(block, B) {
      const { offset } = block.input.conditioning;
      const share = memory.shareOf(block.samples);
      const masked = await block.refine(B, thresholds(state), 'f64', isComplete(block));
      const fit = offset ? fitOffset(block, B, masked) : { masked, shift: undefined, offset };
      if (!fit || !credibleMask(masked.values, state)) return { B, mean: offset };
      const own = sumsOf(block, B, { ...masked, ...fit.masked, counts: masked.counts });
      const mean = offset && fit.offset && between(offset, fit.offset, share);
      const all = memory.add(own);
      const moved = isComplete(block) ? completeStep(block, B, all) : orthogonalStep(block, B, all);
      if (!moved) return { B, mean };
      state = advance(state, moved.movement, zeroLevels(all.counts!), fit.shift);
      return { B: moved.B, mean };
    },
  };
}

const isComplete = ({ input }: Problem): boolean => input.coordinates.whitened === true;

/** The thresholds that the first block settles at; its atoms are left where they are. */
async function settle(first: Problem): Promise<RefineState | undefined> {
  const start = identity(first.size);
  const counts = await first.histogram(start);
  if (!(assessSparsity(counts).advantage >= CREDIBLE_ADVANTAGE)) return undefined;
  const refine = isComplete(first) ? refineComplete : refineOrthogonal;
  let state = initialRefineState(start, counts, first.input.conditioning.offset);
  const solver = refine(first, { start: state, precision: 'f64' });
  for (let step = 0; step < SETTLING_STEPS; step++) {
    state = await solver.step(state);
    if (!Number.isFinite(state.change)) return undefined;
  }
  return state;
}

type Masked = Awaited<ReturnType<Problem['refine']>>;

const shareKept = ({ values, nonZeroSamples }: Pick<StreamSums, 'values' | 'nonZeroSamples'>): number =>
  values.reduce((sum, count) => sum + count, 0) / (nonZeroSamples * values.length);

function sumsOf(block: Problem, B: Matrix64, masked: Masked): StreamSums {
  const { samples, gram, kernels, input } = block;
  const { nonZeroSamples } = input;
  const { values, counts } = masked;
  const own = { samples, nonZeroSamples, gram, values, counts };
  if (isComplete(block)) return { ...own, correlation: masked.correlation, products: masked.gram };
  const unmasked = kernels.multiply(B, gram);
  return { ...own, correlation: addScaled(masked.correlation, -shareKept(own), unmasked) };
}

interface Moved {
  readonly B: Matrix64;
  /** How the atoms moved relative to each other. */
  readonly movement: Matrix64;
}

function orthogonalStep({ kernels }: Problem, before: Matrix64, { correlation }: StreamSums): Moved {
  const B = polar(correlation, kernels);
  return { B, movement: kernels.multiply(B, before, 'nt') };
}

function completeStep({ kernels }: Problem, before: Matrix64, sums: StreamSums): Moved | undefined {
  const { correlation, products } = sums;
  const dictionary = products && solveSymmetric(products, correlation);
  const movement = dictionary && movementOf(kernels.multiply(before, dictionary, 'nt'), shareKept(sums));
  const B = movement && solve(movement, before);
  return B && { B: unitRows(B), movement };
}
