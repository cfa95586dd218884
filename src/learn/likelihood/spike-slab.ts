/**
 * Maximum likelihood over orthogonal A of codes X = Z Aᵀ that are nearly zero with probability 1 − θ: N(0, t²), the spike,
 * and otherwise N(0, s²), the slab. One fixed point serves all stages; they differ in how θ, t² and s² move.
 *
 *     r = P(spike | x),   w = 1/s² + r d,   d = 1/t² − 1/s²,   β = mean of w − r(1 − r) d² x²
 *     A ← polar(β A S − (w∘X)ᵀ Z/p),   S = ZᵀZ/p
 *
 * −w x is the slope of the log density, so at a maximum (w∘X)ᵀ X is symmetric and the step stays. β, the mean curvature, plays the
 * part of the shift in MSP and makes the step Newton's on average.
 *
 * Far from a solution an error of A leaks into a sample in proportion to its energy. With a `spread` δ the spike is as wide
 * as that: t_j² = t² c_j², c_j² = (e_j + δ)/(1 + δ), e_j the energy of sample j relative to the mean, s_j² = max(s², 1.01 t_j²).
 */
import { addScaled, type Matrix64, type Precision, scaleRows, trace } from '../../core/matrix.ts';
import type { SolverState } from '../../engine/solver.ts';
import { type Field, finite, number, type StateShape } from '../../engine/state-shape.ts';
import { polar } from '../../linalg/polar.ts';
import { correlatePass } from '../../passes/correlate.ts';
import type { Problem } from '../problem.ts';

/** The distribution of codes. */
export interface SpikeSlab {
  /** Share of codes that are not in the spike. */
  readonly theta: number;
  /** t² */
  readonly spike: number;
  /** s² */
  readonly slab: number;
}

export interface LikelihoodState extends SolverState {
  readonly atoms: Matrix64;
  readonly theta: number;
  readonly spike: number;
  readonly slab: number;
  /** Samples with energy. */
  readonly live: number;
  /** Mean of r: the share of codes that the spike explains. */
  readonly inSpike: number;
  /** Mean of x²/c² over these codes: what t² should be. */
  readonly level: number;
  /** Largest movement between two atoms in the last step. */
  readonly change: number;
}

/** Least energy of a sample, relative to the mean: certified atoms leave less of a sample that does not use the others. */
const LEAST_ENERGY = 1e-8;

/** Mean square of a code. */
export const meanSquare = (problem: Problem, live: number): number => trace(problem.gram) / (live * problem.size);

export const firstState = (problem: Problem, atoms: Matrix64, model: SpikeSlab): LikelihoodState => ({
  atoms,
  ...model,
  live: problem.input.nonZeroSamples,
  inSpike: Number.NaN,
  level: Number.NaN,
  change: Number.POSITIVE_INFINITY,
});

export const likelihoodShape = (atoms: Field): StateShape<LikelihoodState> => ({
  atoms,
  theta: finite(0),
  spike: finite(0),
  slab: finite(0),
  live: finite(0),
  inSpike: number,
  level: number,
  change: number,
});

/** Makes a step of the atoms and measures the codes; the parameters of the distribution stay. */
export async function likelihoodStep(
  problem: Problem,
  state: LikelihoodState,
  precision: Precision,
  spread?: number | undefined,
): Promise<LikelihoodState> {
  const { atoms: A, theta, spike, slab } = state;
  const { kernels, gram, size: K } = problem;
  const meanEnergy = trace(gram) / state.live;
  const leastEnergy = LEAST_ENERGY * meanEnergy;
  const { correlation, values, likelihood } = await problem.sum(correlatePass, A, {
    response: { kind: 'likelihood', theta, spike, slab, spread, meanEnergy, leastEnergy },
    precision,
  });
  const { live, slope, spikeEnergy } = likelihood!;
  const spikes = sum(values);
  const curvature = sum(slope) / (live * K);
  const target = addScaled(kernels.multiply(scaled(A, curvature), gram), -1, correlation);
  const atoms = polar(target, kernels, precision);
  return {
    ...state,
    atoms,
    live,
    inSpike: spikes / (live * K),
    level: sum(spikeEnergy) / spikes,
    change: largestMovement(kernels.multiply(atoms, A, 'nt')),
  };
}

const sum = (numbers: Float64Array): number => numbers.reduce((total, x) => total + x, 0);

const scaled = (A: Matrix64, factor: number): Matrix64 => scaleRows(A, new Float64Array(A.rows).fill(factor));

/** Largest entry off the diagonal: an atom's own sign and size do not count. */
function largestMovement({ rows: K, data }: Matrix64): number {
  let largest = 0;
  for (let i = 0; i < K; i++) {
    for (let k = 0; k < K; k++) if (i !== k) largest = Math.max(largest, Math.abs(data[i * K + k]));
  }
  return largest;
}

/** Reports a step to the user: minus the level of the zeros, relative to that of all codes. */
export const reportLikelihood = (problem: Problem, { level, live, change }: LikelihoodState) => ({
  objective: -Math.sqrt(level / meanSquare(problem, live)),
  change,
});
