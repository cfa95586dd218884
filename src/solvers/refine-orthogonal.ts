/**
 * Refinement to exactness: the zeros of the codes tell away the finite-sample bias that ℓ_q leaves.
 *
 *     M = |X_ji|/c_j > t_i,   θ̂ = mean(M),   A' = polar((X∘M)ᵀ Z − θ̂ A ZᵀZ)
 *
 * c_j is the energy of sample j over the mean (an error in A leaks in proportion to it); the subtraction turns the linear rate
 * θ into a superlinear one; polar(A·SPD) = A makes the true A a fixed point. The thresholds t_i = max(3 s_i, T_i) keep out
 * noise and leakage. s_i is the level of atom i's zeros, from the histogram of the previous pass. T_i bounds what the error of
 * A can leak: the last step moved atom i by R = A'Aᵀ, and that is how wrong it was, so
 *
 *     T_i ← min(T_i, 4·max_k≠i |R_ik| σ_k),   from T_i = σ_i/2
 *
 * On noiseless data T collapses with the error and the end is exact; on noisy data s takes over.
 */
import { polar } from '../linalg/polar.ts';
import { addScaled, type Matrix64, type Precision } from '../matrix.ts';
import { type AtomDistribution, describeAtoms } from './code-distribution.ts';
import type { Problem } from './problem.ts';
import type { Solver, SolverState } from './solver.ts';

export interface RefineState extends SolverState {
  readonly atoms: Matrix64;
  /** s_i of the atoms one step ago. */
  readonly levels: Float64Array;
  /** σ_i */
  readonly signals: Float64Array;
  /** T_i */
  readonly leaks: Float64Array;
  /** θ̂, the fraction of codes that are not zero. */
  readonly theta: number;
  /** Largest movement between two atoms in the last step, max_{i≠k} |R_ik|. */
  readonly change: number;
}

/** `mixed`: float32 while the atoms still move by more than it could blur, float64 from then on. */
export type RefiningPrecision = Precision | 'mixed';
const FLOAT32_IS_ENOUGH = 1e-3;

export function precisionAt(precision: RefiningPrecision, { change }: RefineState): Precision {
  if (precision !== 'mixed') return precision;
  return change > FLOAT32_IS_ENOUGH ? 'f32' : 'f64';
}

const NOISE_CUT = 3;
const LEAK_CUT = 4;
const FIRST_CUT = 0.5;

/** `counts` is the histogram of the codes at `start`. */
export function refineOrthogonal(
  problem: Problem,
  start: Matrix64,
  counts: Float64Array,
  precision: RefiningPrecision,
): Solver<RefineState> {
  return {
    name: 'refine',
    init: async () => initialRefineState(start, counts),
    async step(state) {
      const { counts, ...masked } = await problem.refine(state.atoms, thresholds(state), precisionAt(precision, state));
      const theta = keptFraction(masked.values, problem);
      if (!credibleMask(masked.values, state)) return maskFailed(state);
      const subtracted = problem.kernels.multiply(state.atoms, problem.gram);
      const atoms = polar(addScaled(masked.correlation, -theta, subtracted), problem.kernels);
      const movement = problem.kernels.multiply(atoms, state.atoms, 'nt');
      return { ...advance(state, movement, describeAtoms(counts)), atoms, theta };
    },
    report: reportRefinement,
    atoms: ({ atoms }) => atoms,
  };
}

export function initialRefineState(atoms: Matrix64, counts: Float64Array): RefineState {
  const description = describeAtoms(counts);
  const signals = Float64Array.from(description, (atom) => atom.signal);
  return {
    atoms,
    levels: Float64Array.from(description, (atom) => atom.level),
    signals,
    leaks: signals.map((sigma) => FIRST_CUT * sigma),
    theta: Number.NaN,
    change: Number.POSITIVE_INFINITY,
  };
}

export function thresholds({ levels, leaks }: RefineState): Float64Array {
  return levels.map((level, i) => Math.max(NOISE_CUT * level, leaks[i]));
}

/** θ̂: one for all atoms, because one per atom would move the fixed point. */
export function keptFraction(kept: Float64Array, problem: Problem): number {
  return kept.reduce((sum, count) => sum + count, 0) / (problem.input.nonZeroSamples * problem.size);
}

/** Every atom that carries signal must keep a code. */
export function credibleMask(kept: Float64Array, { signals }: RefineState): boolean {
  return kept.every((count, i) => count > 0 || signals[i] === 0);
}

/** A change that is no number ends the refinement. */
export function maskFailed(state: RefineState): RefineState {
  return { ...state, change: Number.NaN };
}

/** Lowers the leak bounds by what the last step moved. */
export function advance(state: RefineState, movement: Matrix64, description: AtomDistribution[]): RefineState {
  const K = movement.rows;
  const { signals } = state;
  let change = 0;
  const leaks = state.leaks.map((leak, i) => {
    let largest = 0;
    for (let k = 0; k < K; k++) {
      if (k === i) continue;
      const moved = Math.abs(movement.data[i * K + k]);
      change = Math.max(change, moved);
      largest = Math.max(largest, moved * signals[k]);
    }
    return Math.min(leak, LEAK_CUT * largest);
  });
  return { ...state, leaks, change, levels: Float64Array.from(description, (atom) => atom.level) };
}

/** The objective of a refinement is minus the mean level of the zeros, relative to the signal. */
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
