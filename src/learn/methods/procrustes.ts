/**
 * Orthogonal Procrustes alternation: sparse codes for the atoms, then the best atoms for the codes (Lesage et al. 2005; Bao et al. 2013).
 *
 *     X = HT(Z Aᵀ),   A ← polar(Xᵀ Z)
 *
 * HT keeps codes of at least ζ, or the s largest of every sample. Both steps lower ‖Z − X A‖² (+ ζ²‖X‖₀ with a threshold): what is
 * maximised is the energy of the codes kept, less ζ² for each with a threshold, and it never falls. The fixed points are many.
 */
import { inputError } from '../../core/errors.ts';
import {
  type Matrix,
  type Matrix64,
  type Precision,
  rootMeanSquareDifference,
  selectRows,
  toFloat64,
  zeros,
} from '../../core/matrix.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { selectKernels } from '../../kernels/select.ts';
import { polar } from '../../linalg/polar.ts';
import type { Selection } from '../../passes/select-codes.ts';
import type { Problem } from '../problem.ts';

export interface ProcrustesOptions {
  /** Which codes are kept; a threshold is for samples in their own units. Neither: those above their root mean square. */
  readonly selection: Selection;
  readonly precision: Precision;
  /** K×K, orthogonal. */
  readonly start: Matrix64;
}

export interface ProcrustesState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  readonly change: number;
}

export function procrustesAlternation(problem: Problem, options: ProcrustesOptions): Solver<ProcrustesState> {
  const { precision, start } = options;
  const { unit } = problem.input;
  const selection = workingSelection(problem, options.selection);
  const penalty = (selection.threshold ?? 0) ** 2;
  return {
    name: 'procrustes',
    init: async () => ({ atoms: start, objective: Number.NEGATIVE_INFINITY, change: Number.POSITIVE_INFINITY }),
    async step({ atoms }) {
      const { correlation, energy, kept } = await problem.correlateSelected(atoms, selection, precision);
      requireKept(kept, selection, unit);
      const next = polar(correlation, problem.kernels);
      return { atoms: next, objective: energy - penalty * kept, change: rootMeanSquareDifference(next, atoms) };
    },
    report: ({ objective, change }) => ({ objective: objective / unit ** 2, merit: objective, change }),
    atoms: ({ atoms }) => atoms,
  };
}

export function requireKept(kept: number, { threshold = 0 }: Selection, unit: number): void {
  if (kept === 0) throw inputError('learn', 'threshold', 'small enough to keep a code', threshold / unit);
}

/** In working coordinates. */
export function workingSelection(problem: Problem, { keep, threshold }: Selection): Selection {
  if (keep !== undefined) return { keep };
  if (threshold !== undefined) return { threshold: threshold * problem.input.unit };
  const { gram, size, samples } = problem;
  let energy = 0;
  for (let i = 0; i < size; i++) energy += gram.data[i * size + i];
  return { threshold: Math.sqrt(energy / (samples * size)) };
}

/**
 * The atoms (K×n, orthonormal) for which samples ≈ codes · atoms with the least squares, where the codes are known:
 * polar(codesᵀ · samples). K ≤ n; where the codes leave an atom open, it is completed to an orthonormal set.
 */
export async function procrustes(samples: Matrix, codes: Matrix): Promise<Matrix64> {
  const [K, n] = [codes.cols, samples.cols];
  if (codes.rows !== samples.rows) {
    throw inputError('procrustes', 'codes', `of ${samples.rows} rows, like the samples`, codes.rows);
  }
  if (!(K >= 1 && K <= n)) throw inputError('procrustes', 'codes', `of 1 to ${n} columns`, K);
  for (const [name, { data }] of Object.entries({ samples, codes })) {
    if (!data.every(Number.isFinite)) throw inputError('procrustes', name, 'finite', 'NaN or infinity');
  }
  const kernels = await selectKernels('auto');
  const correlation = kernels.multiply(toFloat64(codes), toFloat64(samples), 'tn');
  if (K === n) return polar(correlation, kernels);
  const square = zeros(n, n); // rows of zeros leave the first K rows of the polar factor as they are
  square.data.set(correlation.data);
  const first = Array.from({ length: K }, (_, i) => i);
  return selectRows(polar(square, kernels), first);
}
