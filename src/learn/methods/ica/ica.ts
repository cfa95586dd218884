/**
 * Independent component analysis on white data, E[z zᵀ] = I: maximum likelihood over the orthogonal group with a density for
 * every source that is fitted to its codes, so that light-tailed, heavy-tailed and skewed sources can be mixed. With
 * ψ the score of the density (scores.ts), a step is Newton's in the relative gradient, with the Hessian of independent codes:
 *
 *     A ← polar(diag(E ψ′) A − E[ψ(x) zᵀ]),      x = A z
 *
 * polar(diag(κ) A + M A) turns A by the skew E with E_ij (κ_i + κ_j) = M_ij − M_ji, here κ_i = E ψ_i′ − E ψ_i x_i, which the
 * score of a source that is not normal makes positive. Any ψ has the sources as a fixed point; the true score has the least error.
 *
 * While exploring, codes are mixtures and their densities show little, so ψ = ± tanh x, the sign that of κ_i: FastICA with logcosh.
 * Mixtures of two sources are separated (dependent-pairs.ts). Then the densities are fitted in a few steps and stay until the atoms have moved far.
 * If steps do not shrink, a multiple of A is added, which shortens them. A run ends when it has converged to within sampling error.
 *
 * The objective is the negentropy of the codes, Σ_i h(N(0,1)) − h(x_i), in nats a sample.
 */
import { breather } from '../../../core/breathe.ts';
import { dot, type Matrix64, row, zeros } from '../../../core/matrix.ts';
import { toggle } from '../../../core/options.ts';
import type { SolverState } from '../../../engine/solver.ts';
import { finite, matrix, number, orthogonal, whole } from '../../../engine/state-shape.ts';
import { polar } from '../../../linalg/polar.ts';
import { commonBut } from '../../common-options.ts';
import { finish, withUnitVariance } from '../../finish.ts';
import type { Problem } from '../../problem.ts';
import { someCodes } from '../../some-codes.ts';
import { asSolver, defineMethod } from '../method.ts';
import { type PlaneTurn, partingTurns, turned } from './dependent-pairs.ts';
import { INTERVALS, scoreCorrelationPass } from './score-correlation.ts';
import { commonScores, fitScores, meanSlopes, negentropy } from './scores.ts';

interface IcaState extends SolverState {
  readonly atoms: Matrix64;
  /** ψ of every atom on the grid. */
  readonly scores: Matrix64;
  /** Steps taken since exploring began; next: fits of the scores made. */
  readonly steps: number;
  readonly fits: number;
  /** Number of times that mixed pairs were separated. */
  readonly partings: number;
  /** Distance that the atoms have moved since the last fit. */
  readonly moved: number;
  /** Damping: the multiple of A that is added. */
  readonly damping: number;
  readonly objective: number;
  readonly change: number;
  /** Squared distance left to the fixed point, in units of the sampling error; infinite while unknown. */
  readonly left: number;
}

/** Exploring ends when a step moves the atoms by no more than `change`, or after `steps` steps. */
const EXPLORED = { change: 0.02, steps: 38 };
/** Samples for exploring: a fixed number, or this many per atom. */
const EXPLORING = { samples: 1 << 14, perAtom: 700 };
/** Most times that mixed pairs are separated, after which exploring goes on. They are found from this many samples. */
const MOST_PARTINGS = 3;
const PARTING_SAMPLES = 2048;
/**
 * Number of fits of the scores at first and in all; the change below which atoms are at rest, and the movement since the last fit
 * that calls for another.
 */
const FITS = { first: 2, most: 12, rest: 0.01, far: 0.08 };
/** Least length that a step counts as until the scores are fitted. */
const UNSETTLED = 1e-3;
/**
 * A step that is longer than `slow` times the last one adds damping: first a share of the mean κ, then more. One shorter than
 * `fast` times the last one takes some away.
 */
const DAMPING = { slow: 0.8, fast: 0.3, first: 0.25, growth: 2 };

export const ica = defineMethod({
  name: 'ica',
  summary: 'independent component analysis, for sources of any distribution, sparse or not',
  space: 'orthogonal',
  fixed: { whiten: ['zca', 'which needs white data'], center: [true, 'which needs the mean subtracted'] },
  takes: commonBut('objectiveTolerance', 'scout'),
  options: {
    unitVariance: toggle({
      help: 'scale the codes of every atom to variance 1 instead of the atoms to norm 1',
    }),
  },
  independent: true,
  finish(problem, end, { unitVariance }) {
    const dictionary = finish(problem, end, 'orthogonal', 'zca');
    return unitVariance ? withUnitVariance(dictionary, problem) : dictionary;
  },
  solver(problem, _, start) {
    const K = start.rows;
    return asSolver<IcaState>({
      name: 'ica',
      shape: {
        atoms: orthogonal(K, K, problem.kernels),
        scores: matrix(K, INTERVALS + 1),
        steps: whole(),
        fits: whole(),
        partings: whole(),
        moved: finite(0),
        damping: finite(0),
        objective: number,
        change: number,
        left: number,
      },
      init: async () => ({
        atoms: start,
        scores: commonScores(K, Math.tanh),
        steps: 0,
        fits: 0,
        partings: 0,
        moved: 0,
        damping: 0,
        objective: Number.NEGATIVE_INFINITY,
        change: Number.POSITIVE_INFINITY,
        left: Number.POSITIVE_INFINITY,
      }),
      async step(state) {
        const { atoms, scores, fits, damping } = state;
        const seen = fits === 0 ? problem.spread(Math.max(EXPLORING.samples, EXPLORING.perAtom * K)) : problem;
        const p = seen.samples;
        const { correlation, counts } = await seen.sum(scoreCorrelationPass, atoms, { scores });
        const slopes = meanSlopes(scores, counts, p);
        const { step, curvature } = newtonStep(atoms, correlation, slopes, p, damping);
        const next = polar(step, problem.kernels);
        const change = changeUpToSigns(next, atoms);
        const explored = fits === 0 && (change <= EXPLORED.change || state.steps + 1 >= EXPLORED.steps);
        const turns = explored && state.partings < MOST_PARTINGS ? await turnsAt(problem, next) : [];
        const fit = isTimeToFit(state, change, explored && turns.length === 0);
        return {
          ...advance(state, { change, curvature, fit, parted: turns.length > 0 }, p),
          atoms: turned(next, turns),
          scores: fit ? fitScores(counts, p, problem.kernels) : scores,
          objective: negentropy(counts, p),
        };
      },
      report: ({ objective, change, fits, left }) => ({
        objective,
        left,
        merit: Number.NaN, // it may fall: only the change shows convergence
        change: fits < FITS.first ? Math.max(change, UNSETTLED) : change,
      }),
      atoms: ({ atoms }) => atoms,
    });
  },
});

/** Whether the scores are fitted after a step: when exploring has ended, in the first steps, and when atoms come to rest far away. */
function isTimeToFit({ fits, moved }: IcaState, change: number, explored: boolean): boolean {
  if (fits === 0) return explored;
  return fits < FITS.first || (change <= FITS.rest && moved > FITS.far && fits < FITS.most);
}

/** What a step was: its length, the mean of |κ|, and what it was followed by. */
interface IcaStep {
  readonly change: number;
  readonly curvature: number;
  readonly fit: boolean;
  readonly parted: boolean;
}

/** Counts a step. */
function advance(state: IcaState, { change, curvature, fit, parted }: IcaStep, p: number) {
  const { steps, fits, partings, moved, damping, change: last } = state;
  const settling = fits < FITS.first;
  return {
    steps: parted ? 0 : steps + 1,
    fits: fits + (fit ? 1 : 0),
    partings: partings + (parted ? 1 : 0),
    moved: fit ? change : moved + change,
    damping: settling ? 0 : nextDamping(damping, change / last, curvature),
    change,
    left: fit || settling ? Number.POSITIVE_INFINITY : leftToGo(change, last, state.atoms.rows, p),
  };
}

/**
 * Squared distance to the fixed point if steps go on to shrink as the last one did, in units of the sampling error: the
 * angle between two atoms has a standard error of about 1/√p.
 */
function leftToGo(change: number, last: number, K: number, p: number): number {
  const rest = change < last ? change ** 2 / (last - change) : Number.POSITIVE_INFINITY;
  return (p * rest ** 2) / Math.max(1, K - 1);
}

/** Finds the turns that separate mixed pairs. */
const turnsAt = async (problem: Problem, atoms: Matrix64): Promise<PlaneTurn[]> =>
  partingTurns(await someCodes(problem, atoms, breather(problem.input.signal), PARTING_SAMPLES), problem.kernels);

/** Returns the damping of the next step. `ratio`: of the last step to the one before; `curvature`: the mean of |κ|. */
function nextDamping(damping: number, ratio: number, curvature: number): number {
  if (ratio > DAMPING.slow) return Math.max(DAMPING.first * curvature, DAMPING.growth * damping);
  return ratio < DAMPING.fast ? damping / DAMPING.growth : damping;
}

/** Returns ±(diag(E ψ′) A − E[ψ(x) zᵀ]) + damping · A, the signs those of κ; and the mean of |κ|. */
function newtonStep(A: Matrix64, correlation: Matrix64, slopes: Float64Array, p: number, damping: number) {
  const K = A.rows;
  const step = zeros(K, K);
  let curvature = 0;
  for (let i = 0; i < K; i++) {
    const [a, c, s] = [row(A, i), row(correlation, i), row(step, i)];
    const κ = slopes[i] - dot(c, a) / p;
    const sign = κ < 0 ? -1 : 1;
    curvature += Math.abs(κ) / K;
    for (let k = 0; k < K; k++) s[k] = sign * (slopes[i] * a[k] - c[k] / p) + damping * a[k];
  }
  return { step, curvature };
}

/** Returns the root mean square over rows of the distance between ±a and b. */
export function changeUpToSigns(A: Matrix64, B: Matrix64): number {
  let sum = 0;
  for (let i = 0; i < A.rows; i++) {
    const [a, b] = [row(A, i), row(B, i)];
    let same = 0;
    let opposite = 0;
    for (let k = 0; k < a.length; k++) {
      same += (a[k] - b[k]) ** 2;
      opposite += (a[k] + b[k]) ** 2;
    }
    sum += Math.min(same, opposite);
  }
  return Math.sqrt(sum / A.rows);
}
