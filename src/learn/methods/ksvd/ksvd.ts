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
 *
 * From random atoms, the first codes of a pursuit are informative and the last ones are not, and a run that uses all of them comes
 * to rest at poor atoms. So pursuits grow: epoch e = 1 … E goes over the samples in parts, with an update after each, and allows
 * at most S^(e/E) codes, where S is the limit. Then every step is a pass over all samples.
 */
import { type Matrix64, range, rootMeanSquareDifference, row } from '../../../core/matrix.ts';
import { choice, count, number } from '../../../core/options.ts';
import { type AtomsState, atomsShape, initialState } from '../../../engine/solver.ts';
import { unitRows, whole } from '../../../engine/state-shape.ts';
import type { Kernels } from '../../../kernels/kernels.ts';
import type { PursuitLimits } from '../../../passes/pursue.ts';
import { freeDictionary } from '../../finish.ts';
import type { Problem } from '../../problem.ts';
import { sweepAtoms, unitVector, unusedAtoms } from '../atom-sweep.ts';
import { asSolver, defineMethod } from '../method.ts';
import { type PursuitMoments, pursuitMomentsPass } from './pursuit-moments.ts';

/** Number of epochs in which pursuits grow. */
const EPOCHS = 8;
/**
 * Samples of a part: `perAtom` for each atom, but between two shares of all samples, and no fewer than `least`. A part is made of several
 * runs of neighbours, as samples may be sorted.
 */
const PART = { perAtom: 25, shares: [1 / 16, 1 / 4], least: 256, runs: 8, longestRun: 512 } as const;

export const ksvd = defineMethod({
  name: 'ksvd',
  forComparison: true,
  summary: 'K-SVD with orthogonal matching pursuit, any number of atoms',
  space: 'free',
  defaults: { maxIterations: 100, tolerance: 1e-3, objectiveTolerance: 1e-3 },
  options: {
    keep: count({
      placeholder: 'S',
      help: 'largest number of atoms per sample; default if residual is not given: sqrt of n',
    }),
    residual: number(
      {
        placeholder: 'E',
        mustBe: 'a number, at least 0 and below 1',
        help: 'stop the pursuit of a sample at this relative residual',
      },
      (x) => x >= 0 && x < 1,
    ),
    growth: choice(['auto', 'none'], {
      default: 'auto',
      help: `auto: begin with few codes and subsamples for ${EPOCHS} epochs, unless starting atoms are given; none: use all of them at once, as published`,
    }),
  },
  describe: ({ keep, residual }) =>
    residual === undefined ? `ksvd, ${keep ?? 'sqrt n'} codes a sample` : `ksvd, residual ${residual}`,
  solver(problem, settings, start) {
    const limits = pursuitLimits(settings, start.cols);
    const byResidual = limits.residual !== undefined;
    const degree = byResidual ? 0 : 2;
    const epochs = settings.growth === 'none' || settings.start ? 0 : EPOCHS;
    return asSolver<KsvdState>({
      name: 'ksvd',
      shape: { ...atomsShape(unitRows(start.rows, start.cols)), epoch: whole() },
      init: async () => ({ ...initialState(start), epoch: 0 }),
      async step({ atoms, epoch }) {
        const grows = epoch < epochs;
        const parts = grows ? partsOf(problem, start.rows, epoch) : [problem];
        const now = grows ? grownLimits(limits, start.cols, epoch + 1) : limits;
        let next = atoms;
        let objective = 0;
        for (const part of parts) {
          const moments = await part.sum(pursuitMomentsPass, next, { limits: now });
          next = updateAtoms(next, moments, problem.kernels);
          objective -= byResidual ? moments.codes : moments.residual;
        }
        return { atoms: next, objective, change: rootMeanSquareDifference(next, atoms), epoch: epoch + 1 };
      },
      report: ({ objective, change, epoch }) => ({
        objective: problem.reported(objective, degree),
        // while pursuits grow, neither value shows convergence
        merit: epoch <= epochs ? Number.NaN : objective,
        change: epoch <= epochs ? Number.NaN : change,
      }),
      atoms: ({ atoms }) => atoms,
      objectiveUnit: problem.objectiveUnit(degree),
    });
  },
  finish: (problem, { atoms }, settings) => freeDictionary(problem, atoms, pursuitLimits(settings, atoms.cols)),
});

interface KsvdState extends AtomsState {
  /** Steps taken. */
  readonly epoch: number;
}

/** Splits the samples into the parts of an epoch while pursuits grow. */
function partsOf(problem: Problem, atoms: number, epoch: number): Problem[] {
  const p = problem.samples;
  const [smallest, largest] = PART.shares.map((share) => share * p);
  const wish = Math.max(PART.least, smallest, Math.min(PART.perAtom * atoms, largest));
  const parts = Math.max(1, Math.round(p / wish));
  const rows = Math.ceil(p / parts);
  const run = Math.min(Math.ceil(rows / PART.runs), PART.longestRun);
  return range(parts).map((i) => problem.spread(rows, { turn: epoch * parts + i, run }));
}

/** Returns the limits of epoch `e`, from 1. */
const grownLimits = (limits: PursuitLimits, n: number, e: number): PursuitLimits => ({
  ...limits,
  keep: Math.round((limits.keep ?? n) ** (e / EPOCHS)),
});

/** Atoms with a larger cosine between them count as repeats. */
const REPEATED = 0.99;

/** Fills in the default of √n atoms per sample, with which pursuits take about as long as the product of samples and atoms. */
const pursuitLimits = ({ keep, residual }: PursuitLimits, n: number): PursuitLimits =>
  keep === undefined && residual === undefined ? { keep: Math.round(Math.sqrt(n)) } : { keep, residual };

function updateAtoms(D: Matrix64, moments: PursuitMoments, kernels: Kernels): Matrix64 {
  const unused = unusedAtoms(moments);
  const cosines = kernels.multiply(D, D, 'nt');
  let taken = 0;
  const replacement = (k: number) =>
    (unused[k] || repeats(row(cosines, k), k)) && taken < moments.worst.rows
      ? unitVector(row(moments.worst, taken++))
      : undefined;
  return sweepAtoms(D, moments, { norm: 'one', replacement }, kernels);
}

/** Whether an atom before k is the same up to sign; `cosines`: of atom k with all. */
function repeats(cosines: Float64Array, k: number): boolean {
  for (let l = 0; l < k; l++) if (Math.abs(cosines[l]) > REPEATED) return true;
  return false;
}
