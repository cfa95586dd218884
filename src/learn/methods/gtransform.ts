/**
 * Learning a fast transform (Rusu & Thompson 2017): Procrustes alternation in which the atoms stay a product of G plane rotations.
 *
 *     X = HT(Z Aᵀ),   A ← S P R_G … R_1 of large tr(Aᵀ C),   C = Xᵀ Z
 *
 * Two products compete in every step, that of the greedy choice for C and the last one, both with their angles optimised in turn
 * for C. The last one cannot have got worse, so what is kept never gets less.
 */
import { inputError } from '../../core/errors.ts';
import type { Matrix64 } from '../../core/matrix.ts';
import { fitRotations, polishRotations } from '../../dictionaries/factoring/factor-givens.ts';
import type { Solver } from '../../engine/solver.ts';
import type { RotationTransform } from '../../kernels/kernels.ts';
import { rotationMatrix } from '../../linalg/rotations.ts';
import type { Problem } from '../problem.ts';
import { type ProcrustesOptions, type ProcrustesState, requireKept, workingSelection } from './procrustes.ts';

export interface GTransformOptions extends ProcrustesOptions {
  /** G; default: n log₂ n. */
  readonly rotations?: number | undefined;
}

export interface GTransformState extends ProcrustesState {
  /** G×4. */
  readonly rotations: Matrix64;
  readonly order: Float64Array;
  readonly signs: Float64Array;
}

export function gTransform(problem: Problem, options: GTransformOptions): Solver<GTransformState> {
  const { precision, start } = options;
  const n = problem.size;
  if (problem.input.coordinates.analysis) {
    throw inputError(
      'learn',
      'the samples',
      'of full rank, with as many components as features and without whitening, for method gtransform',
      `${n} components of ${problem.input.source.cols} features`,
    );
  }
  const count = options.rotations ?? Math.max(1, Math.round(n * Math.log2(n)));
  const { unit } = problem.input;
  const selection = workingSelection(problem, options.selection);
  const penalty = (selection.threshold ?? 0) ** 2;
  return {
    name: 'gtransform',
    async init() {
      const product = fitRotations(start, count);
      return { ...stateOf(product), objective: Number.NEGATIVE_INFINITY, change: Number.POSITIVE_INFINITY };
    },
    async step(state) {
      const { correlation, energy, kept } = await problem.correlateSelected(state.atoms, selection, precision);
      requireKept(kept, selection, unit);
      const products = [productOf(state), fitRotations(correlation, count)].map((product) =>
        stateOf(polishRotations(correlation, product)),
      );
      const [last, fresh] = products.map(({ atoms }) => inner(atoms, correlation));
      const next = fresh > last ? products[1] : products[0];
      const change = Math.sqrt(Math.max(0, 2 - (2 * inner(next.atoms, state.atoms)) / n));
      return { ...next, objective: energy - penalty * kept, change };
    },
    report: ({ objective, change }) => ({ objective: objective / unit ** 2, merit: objective, change }),
    atoms: ({ atoms }) => atoms,
    rotations: ({ rotations }) => rotations,
  };
}

function stateOf(product: RotationTransform) {
  const { rotations, order, signs } = product;
  return { atoms: rotationMatrix(product), rotations, order: Float64Array.from(order), signs };
}

function productOf({ rotations, order, signs }: GTransformState): RotationTransform {
  return { kind: 'rotations', rotations, order: Int32Array.from(order), signs };
}

/** tr(Aᵀ B) */
function inner(A: Matrix64, B: Matrix64): number {
  let sum = 0;
  for (let i = 0; i < A.data.length; i++) sum += A.data[i] * B.data[i];
  return sum;
}
