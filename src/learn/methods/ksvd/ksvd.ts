/**
 * K-SVD (Aharon, Elad & Bruckstein 2006) in its approximate form (Rubinstein, Zibulevsky & Elad 2008): batch OMP, and
 * one power iteration for every atom k in turn, over the samples j that use it.
 *
 *     X = OMP(Y, D);   for k = 1 … K:   E_j = y_j − Σ_{l≠k} x_jl d_l,   d_k ← Σ_j x_jk E_j/‖·‖
 *
 * The codes do not change until the next pursuit (Sahoo & Makur 2013), so only sums over the samples are needed, which
 * all threads share: the sum over j is (Xᵀ Y)_k − Σ_{l≠k} (Xᵀ X)_kl d_l.
 *
 * An atom that no sample uses, or that repeats another, is replaced by the sample that is fitted worst. The objective
 * is −‖Y − X D‖², or minus the number of codes if pursuits end by their residual. Pursuits are greedy, so it may fall.
 */
import { dot, type Matrix64, rootMeanSquareDifference, row } from '../../../core/matrix.ts';
import { count, number } from '../../../core/options.ts';
import { atomsShape, initialState } from '../../../engine/solver.ts';
import { unitRows } from '../../../engine/state-shape.ts';
import type { Kernels } from '../../../kernels/kernels.ts';
import type { PursuitLimits } from '../../../passes/pursue.ts';
import { freeDictionary } from '../../finish.ts';
import { sweepAtoms, unitVector, unusedAtoms } from '../atom-sweep.ts';
import { asSolver, defineMethod } from '../method.ts';
import { type PursuitMoments, pursuitMomentsPass } from './pursuit-moments.ts';

export const ksvd = defineMethod({
  name: 'ksvd',
  forComparison: true,
  summary: 'K-SVD with orthogonal matching pursuit, any number of atoms',
  space: 'free',
  defaults: { maxIterations: 100, tolerance: 1e-3 },
  options: {
    keep: count({ placeholder: 'S', help: 'largest number of atoms per sample; default, without residual: sqrt of n' }),
    residual: number(
      {
        placeholder: 'E',
        mustBe: 'a number, at least 0 and below 1',
        help: 'end the pursuit of a sample at this relative residual',
      },
      (x) => x >= 0 && x < 1,
    ),
  },
  describe: ({ keep, residual }) =>
    residual === undefined ? `ksvd, ${keep ?? 'sqrt n'} codes a sample` : `ksvd, residual ${residual}`,
  solver(problem, settings, start) {
    const limits = pursuitLimits(settings, start.cols);
    const byResidual = limits.residual !== undefined;
    const degree = byResidual ? 0 : 2;
    return asSolver({
      name: 'ksvd',
      shape: atomsShape(unitRows(start.rows, start.cols)),
      init: async () => initialState(start),
      async step({ atoms }) {
        const moments = await problem.sum(pursuitMomentsPass, atoms, { limits });
        const next = updateAtoms(atoms, moments, problem.kernels);
        const objective = byResidual ? -moments.codes : -moments.residual;
        return { atoms: next, objective, change: rootMeanSquareDifference(next, atoms) };
      },
      report: ({ objective, change }) => ({ objective: problem.reported(objective, degree), merit: objective, change }),
      atoms: ({ atoms }) => atoms,
      objectiveUnit: problem.objectiveUnit(degree),
    });
  },
  finish: (problem, { atoms }, settings) => freeDictionary(problem, atoms, pursuitLimits(settings, atoms.cols)),
});

/** Atoms with a larger cosine between them count as repeats. */
const REPEATED = 0.99;

/** With √n atoms per sample, pursuits take about as long as the product of samples and atoms. */
const pursuitLimits = ({ keep, residual }: PursuitLimits, n: number): PursuitLimits =>
  keep === undefined && residual === undefined ? { keep: Math.round(Math.sqrt(n)) } : { keep, residual };

function updateAtoms(D: Matrix64, moments: PursuitMoments, kernels: Kernels): Matrix64 {
  const unused = unusedAtoms(moments);
  let taken = 0;
  const replacement = (k: number, now: Matrix64) =>
    (unused[k] || repeats(now, k)) && taken < moments.worst.rows ? unitVector(row(moments.worst, taken++)) : undefined;
  return sweepAtoms(D, moments, { norm: 'one', replacement }, kernels);
}

/** Whether an atom before k is the same up to sign. */
function repeats(D: Matrix64, k: number): boolean {
  for (let l = 0; l < k; l++) if (Math.abs(dot(row(D, l), row(D, k))) > REPEATED) return true;
  return false;
}
