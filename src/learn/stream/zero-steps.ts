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
import {
  type BlockMove,
  type BlockStep,
  between,
  LEAST_SAMPLES,
  polarNear,
  type StreamMemory,
  withSigns,
} from './block-step.ts';
import type { StreamSums } from './stream-sums.ts';

/** Limits of the steps on the first block that find its thresholds: their number, and the movement of the atoms at which they end. */
const SETTLING = { steps: 30, change: 1e-11 };

/** Makes the first step; undefined if the codes of the first block show no zeros. */
export async function zeroSteps(first: Problem): Promise<BlockStep | undefined> {
  const settled = await settle(first);
  return settled && new ZeroSteps(settled, Number.POSITIVE_INFINITY);
}

class ZeroSteps implements BlockStep {
  readonly kind = 'zeros';
  readonly #state: RefineState;
  readonly #blur: number;

  constructor(state: RefineState, blur: number) {
    this.#state = state;
    this.#blur = blur;
  }

  /**
   * Adds a block. If the atoms move by more than noise explains, its sums change and are computed again. A few samples
   * cannot show this, and are used once.
   */
  async take(block: Problem, B: Matrix64, memory: StreamMemory): Promise<BlockMove> {
    const share = memory.shareOf(block.samples);
    const rounds = block.samples < LEAST_SAMPLES ? 1 : MOST_ROUNDS;
    let move: BlockMove = { B, mean: block.input.conditioning.offset, step: this, memory };
    let step: ZeroSteps = this;
    for (let round = 1; round <= rounds; round++) {
      const next = await step.#next(block.about(move.mean), move, share);
      if (!next) break;
      step = next.step;
      const isLast = round === rounds || !(step.#state.change > step.#blur);
      const { B, mean, memory, all } = next;
      move = { B, mean, step, memory: isLast ? memory.holding(all) : memory };
      if (isLast) break;
    }
    return move;
  }

  /** Returns the next move; undefined if the zeros cannot be distinguished. The memory is that of the blocks before. */
  async #next(block: Problem, { B, memory: past }: BlockMove, share: number) {
    const { offset } = block.input.conditioning;
    const masked = await block.refine(B, thresholds(this.#state), 'f64', isComplete(block));
    const fit = offset ? fitOffset(block, B, masked) : { masked, shift: undefined, offset };
    if (!fit) return undefined;
    const { blur, memory } = this.#noticed(block.samples, masked.counts, past);
    const all = memory.with(sumsOf(block, B, { ...fit.masked, counts: masked.counts }));
    if (!credibleMask(all.values, this.#state)) return undefined;
    const moved = isComplete(block) ? completeStep(block, B, all) : orthogonalStep(block, B, all);
    if (!moved) return undefined;
    const state = advance(this.#state, moved.movement, zeroLevels(all.counts!), fit.shift);
    const mean = offset && fit.offset && between(offset, fit.offset, share);
    return { B: moved.B, mean, step: new ZeroSteps(state, blur), memory, all };
  }

  /** Reduces the weight of the past if better atoms have made the zeros clearer. */
  #noticed(samples: number, counts: Float64Array, memory: StreamMemory) {
    const blur = samples < LEAST_SAMPLES ? Number.POSITIVE_INFINITY : blurOf(counts, this.#state.signals);
    if (!(blur < CLEARER * this.#blur)) return { blur: this.#blur, memory };
    return { blur, memory: this.#blur < Number.POSITIVE_INFINITY ? memory.faded((blur / this.#blur) ** 2) : memory };
  }
}

const MOST_ROUNDS = 6;

/**
 * Ratio of zero levels below which the zeros have become clearer: the sums of the blocks before then count by the inverse of their
 * variance: they belong to worse atoms. On noisy data noise makes up the zeros, and all blocks count alike.
 */
const CLEARER = 0.7;

/** Returns the mean level of the zeros, relative to the signal. */
function blurOf(counts: Float64Array, signals: Float64Array): number {
  const levels = zeroLevels(counts);
  const sum = levels.reduce((sum, level, i) => sum + (signals[i] > 0 ? level / signals[i] : 0), 0);
  return Math.max(sum / levels.length, Number.EPSILON);
}

const isComplete = ({ input }: Problem): boolean => input.coordinates.whitened === true;

/**
 * Computes the thresholds for the present atoms: the first block is refined by itself, which shows the level of its zeros, and how
 * far the atoms are from its optimum.
 */
async function settle(first: Problem): Promise<RefineState | undefined> {
  const start = identity(first.size);
  const counts = await first.histogram(start);
  if (!(assessSparsity(counts).advantage >= CREDIBLE_ADVANTAGE)) return undefined;
  const refine = isComplete(first) ? refineComplete : refineOrthogonal;
  const initial = initialRefineState(start, counts, first.input.conditioning.offset);
  const solver = refine(first, { start: initial, precision: 'f64' });
  let state = initial;
  for (let step = 0; step < SETTLING.steps && state.change > SETTLING.change; step++) {
    state = await solver.step(state);
    if (!Number.isFinite(state.change)) return undefined;
  }
  return advance(initial, state.atoms, state.levels);
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
  /** Relative movement of the atoms. */
  readonly movement: Matrix64;
}

function orthogonalStep({ kernels }: Problem, before: Matrix64, { correlation }: StreamSums): Moved {
  const B = polarNear(correlation, before, kernels);
  return { B, movement: kernels.multiply(B, before, 'nt') };
}

function completeStep({ kernels }: Problem, before: Matrix64, sums: StreamSums): Moved | undefined {
  const { correlation, products } = sums;
  const dictionary = products && solveSymmetric(products, correlation);
  const movement = dictionary && movementOf(kernels.multiply(before, dictionary, 'nt'), shareKept(sums));
  const B = movement && solve(movement, before);
  return B && { B: withSigns(unitRows(B), before), movement };
}
