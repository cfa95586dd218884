/**
 * K-SVD (Aharon, Elad & Bruckstein 2006) in its approximate form (Rubinstein, Zibulevsky & Elad 2008): batch OMP, and one power
 * iteration for every atom k in turn, over the samples j that use it.
 *
 *     X = OMP(Y, D);   for k = 1 … K:   E_j = y_j − Σ_{l≠k} x_jl d_l,   d_k ← Σ_j x_jk E_j/‖·‖
 *
 * The codes stay those of the pursuit until the next one finds them anew (Sahoo & Makur 2013), so that the sum over j is
 * (Xᵀ Y)_k − Σ_{l≠k} (Xᵀ X)_kl d_l: sums over the samples are enough, and every thread takes part in them.
 *
 * An atom that no sample uses, or that another atom repeats, becomes the sample that is fitted worst. The objective is −‖Y − X D‖², or
 * minus the number of codes where pursuits end by their residual; they are greedy, so it may fall.
 */
import { dot, type Matrix64, rootMeanSquareDifference, row } from '../../../core/matrix.ts';
import type { Solver, SolverState } from '../../../engine/solver.ts';
import type { PursuitLimits } from '../../../linalg/pursuit.ts';
import type { Problem } from '../../problem.ts';
import { sweepAtoms, unitVector, unusedAtoms } from '../atom-sweep.ts';
import type { PursuitMoments } from './pursuit-moments.ts';

export interface KsvdOptions {
  /** Neither: √n atoms a sample. */
  readonly limits: PursuitLimits;
  /** K×n, unit rows. */
  readonly start: Matrix64;
}

export interface KsvdState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  readonly change: number;
}

/** Atoms repeat each other when the cosine between them is larger. */
const REPEATED = 0.99;

export function ksvd(problem: Problem, options: KsvdOptions): Solver<KsvdState> {
  const { start } = options;
  const limits = pursuitLimits(options.limits, start.cols);
  const byResidual = limits.residual !== undefined;
  const unit = problem.input.unit ** 2;
  return {
    name: 'ksvd',
    init: async () => ({ atoms: start, objective: Number.NEGATIVE_INFINITY, change: Number.POSITIVE_INFINITY }),
    async step({ atoms }) {
      const moments = await problem.pursuitMoments(atoms, limits);
      const next = updateAtoms(atoms, moments);
      const objective = byResidual ? -moments.codes : -moments.residual;
      return { atoms: next, objective, change: rootMeanSquareDifference(next, atoms) };
    },
    report: ({ objective, change }) => ({
      objective: byResidual ? objective : objective / unit,
      merit: objective,
      change,
    }),
    atoms: ({ atoms }) => atoms,
  };
}

/** With √n atoms a sample the pursuits take about as long as the product of samples and atoms. */
export const pursuitLimits = ({ keep, residual }: PursuitLimits, n: number): PursuitLimits =>
  keep === undefined && residual === undefined ? { keep: Math.round(Math.sqrt(n)) } : { keep, residual };

function updateAtoms(D: Matrix64, moments: PursuitMoments): Matrix64 {
  const unused = unusedAtoms(moments);
  let taken = 0;
  return sweepAtoms(D, moments, {
    norm: 'one',
    replacement: (k, now) =>
      (unused[k] || repeats(now, k)) && taken < moments.worst.rows
        ? unitVector(row(moments.worst, taken++))
        : undefined,
  });
}

/** Whether an atom before k is the same up to sign. */
function repeats(D: Matrix64, k: number): boolean {
  for (let l = 0; l < k; l++) if (Math.abs(dot(row(D, l), row(D, k))) > REPEATED) return true;
  return false;
}
