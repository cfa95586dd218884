/**
 * The common part of refining orthogonal and complete dictionaries: which codes count as zeros.
 *
 *     M = |X_ji|/c_j > t_i,   t_i = max(3 s_i, T_i),   θ̂ = mean(M)
 *
 * c_j is the energy of sample j over the mean (an error in the atoms leaks in proportion to it). The thresholds keep
 * out noise and leakage. s_i is the level of atom i's zeros, from the histogram of the previous pass. T_i bounds the
 * leakage: the last step moved atom i by row i of R, which was its error, so
 *
 *     T_i ← min(T_i, 4·max_k≠i |R_ik| σ_k),   from T_i = σ_i/2
 *
 * If the samples are centred, their offset is refined as well (offset.ts), and T_i is at least 4|δ_i|.
 *
 * On noiseless data T vanishes with the error and the result is exact; on noisy data s takes over.
 */
import type { Matrix64, Precision } from '../../core/matrix.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { type Field, flag, number, vector } from '../../engine/state-shape.ts';
import type { Correlation } from '../../kernels/kernels.ts';
import type { Problem } from '../problem.ts';
import { describeAtoms, zeroLevels } from './code-distribution.ts';
import { fitOffset, type OffsetFit } from './offset.ts';

export interface RefineState extends SolverState {
  /** The atoms A, or the encoder B. */
  readonly atoms: Matrix64;
  /** `atoms` one step ago. */
  readonly before: Matrix64;
  /** m, if the samples are centred. */
  readonly offset?: Float64Array;
  /** s_i of the atoms one step ago. */
  readonly levels: Float64Array;
  /** σ_i */
  readonly signals: Float64Array;
  /** T_i */
  readonly leaks: Float64Array;
  /** θ̂, the fraction of codes that are not zero. */
  readonly theta: number;
  /** Largest movement between two atoms in the last step, max_{i≠k} |R_ik|, or of an atom's zeros, |δ_i|/σ_i. */
  readonly change: number;
  /** Whether the rounding of float32 has become visible, with `mixed` precision. */
  readonly rounded: boolean;
}

/** `mixed`: float32 while the atoms move by more than its rounding, then float64. */
export type RefiningPrecision = Precision | 'mixed';

/**
 * Movements that are float32's rounding: below `surely`; or below `perhaps` if they no longer shrink to `shrinking` of the
 * last, which happens if whitening has amplified the rounding.
 */
const ROUNDING = { surely: 1e-6, perhaps: 1e-3, shrinking: 0.5 };

const showsRounding = (change: number, last: number): boolean =>
  change <= ROUNDING.surely || (change <= ROUNDING.perhaps && change > ROUNDING.shrinking * last);

const precisionAt = (precision: RefiningPrecision, { rounded }: RefineState): Precision =>
  precision === 'mixed' ? (rounded ? 'f64' : 'f32') : precision;

/** Zeros below this share of the signal leave no room for noise that could matter. */
const EXACT_ZERO = 1e-8;

/** Whether the data shows no noise and the atoms no error: other samples cannot make them better. */
export const isExact = ({ levels, signals, change }: RefineState): boolean =>
  change <= EXACT_ZERO && levels.every((level, i) => level <= EXACT_ZERO * signals[i]);

const NOISE_CUT = 3;
const LEAK_CUT = 4;
const FIRST_CUT = 0.5;

/** Computes better atoms from the masked sums, and their relative movement R; undefined if there are none. */
export type Update = (
  state: Pick<RefineState, 'atoms' | 'before'>,
  masked: Correlation,
  theta: number,
  precision: Precision,
) => { readonly atoms: Matrix64; readonly movement: Matrix64 } | undefined;

export interface MaskedRefinementOptions {
  readonly start: RefineState;
  readonly precision: RefiningPrecision;
  /** Zeros may be few: look for their level from below. */
  readonly dense?: boolean | undefined;
}

/** Share of the codes that are certainly zeros, if most are not. */
const FEWEST_ZEROS = 0.05;
const firstShare = (dense: boolean | undefined): number | undefined => (dense ? FEWEST_ZEROS : undefined);

/** Makes the solver of a refinement. `atoms`: what these are. With `gram` the update also gets Φᵀ Φ. */
export function maskedRefinement(
  problem: Problem,
  { start, precision, dense }: MaskedRefinementOptions,
  atoms: Field,
  update: Update,
  gram = false,
): Solver<RefineState> {
  const levels = vector(start.levels.length, { least: 0 });
  const offset = start.offset && { offset: vector(start.offset.length) };
  return {
    name: 'refine',
    shape: {
      atoms,
      before: atoms,
      ...offset,
      levels,
      signals: levels,
      leaks: levels,
      theta: number,
      change: number,
      rounded: flag,
    },
    init: async () => start,
    async step(state) {
      const { atoms, offset } = state;
      const here = problem.about(offset);
      const now = precisionAt(precision, state);
      const sums = await here.refine(atoms, thresholds(state), now, gram);
      const theta = keptFraction(sums.values, problem);
      const fit: Partial<OffsetFit> | undefined = offset ? fitOffset(here, atoms, sums) : {};
      const next = fit && credibleMask(sums.values, state) ? update(state, fit.masked ?? sums, theta, now) : undefined;
      if (!fit || !next) return { ...state, change: Number.NaN }; // a change of NaN ends the refinement
      const moved = { atoms: next.atoms, before: atoms, ...(fit.offset && { offset: fit.offset }) };
      return {
        ...advance(state, next.movement, zeroLevels(sums.counts, firstShare(dense)), fit.shift),
        ...moved,
        theta,
      };
    },
    report: reportRefinement,
    atoms: (state) => state.atoms,
  };
}

/**
 * Makes the first state. `counts`: histogram of the codes at these atoms; `offset`: what was subtracted from the samples, if anything; `cut`: what an
 * error of the atoms may leak, relative to the signal; `dense`: as above.
 */
export function initialRefineState(
  atoms: Matrix64,
  counts: Float64Array,
  offset?: Float64Array,
  { cut = FIRST_CUT, dense }: { readonly cut?: number | undefined; readonly dense?: boolean | undefined } = {},
): RefineState {
  const description = describeAtoms(counts, firstShare(dense));
  const signals = Float64Array.from(description, (atom) => atom.signal);
  return {
    atoms,
    before: atoms,
    ...(offset && { offset }),
    levels: Float64Array.from(description, (atom) => atom.level),
    signals,
    leaks: signals.map((sigma) => cut * sigma),
    theta: Number.NaN,
    change: Number.POSITIVE_INFINITY,
    rounded: false,
  };
}

/** Returns the histogram of the codes at the end; if samples are centred, also the offset at which the zeros have mean 0. */
export async function closeRefinement(problem: Problem, state: RefineState) {
  const { atoms, offset } = state;
  if (!offset) return { state, counts: await problem.histogram(atoms) };
  const here = problem.about(offset);
  const sums = await here.refine(atoms, thresholds(state), 'f64');
  const fit = fitOffset(here, atoms, sums);
  return { state: { ...state, offset: fit?.offset ?? offset }, counts: sums.counts };
}

export function thresholds({ levels, leaks }: RefineState): Float64Array {
  return levels.map((level, i) => Math.max(NOISE_CUT * level, leaks[i]));
}

/** Returns θ̂: one for all atoms, because one per atom would move the fixed point. */
function keptFraction(kept: Float64Array, problem: Problem): number {
  return kept.reduce((sum, count) => sum + count, 0) / (problem.input.nonZeroSamples * problem.size);
}

/** Whether every atom that carries signal keeps a code. */
export function credibleMask(kept: Float64Array, { signals }: RefineState): boolean {
  return kept.every((count, i) => count > 0 || signals[i] === 0);
}

/** Lowers the leak bounds by the movements of the last step: of the atoms, and of their zeros if there is an offset. */
export function advance(
  state: RefineState,
  movement: Matrix64,
  levels: Float64Array,
  shift?: Float64Array,
): RefineState {
  const K = movement.rows;
  const { signals } = state;
  const leaks = new Float64Array(K);
  let change = 0;
  for (let i = 0; i < K; i++) {
    let largest = shift ? Math.abs(shift[i]) : 0;
    if (signals[i] > 0) change = Math.max(change, largest / signals[i]);
    for (let k = 0; k < K; k++) {
      if (k === i) continue;
      const moved = Math.abs(movement.data[i * K + k]);
      change = Math.max(change, moved);
      largest = Math.max(largest, moved * signals[k]);
    }
    leaks[i] = Math.min(state.leaks[i], LEAK_CUT * largest);
  }
  const rounded = state.rounded || showsRounding(change, state.change);
  return { ...state, leaks, change, rounded, levels: levels.map((level, i) => steady(level, state.levels[i])) };
}

/** Levels that differ by less count as equal: otherwise thresholds would follow single codes and never settle. */
const SAME_LEVEL = 0.02;

const steady = (level: number, before: number): number =>
  Math.abs(level - before) <= SAME_LEVEL * before ? before : level;

/** Reports minus the mean level of the zeros, relative to the signal, as the objective. */
export function reportRefinement({ levels, signals, change }: RefineState) {
  let sum = 0;
  let count = 0;
  levels.forEach((level, i) => {
    if (signals[i] > 0) {
      sum += level / signals[i];
      count++;
    }
  });
  return { objective: count > 0 ? -sum / count : 0, change };
}
