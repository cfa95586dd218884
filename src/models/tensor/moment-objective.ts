/**
 * f(A) = Σ_i T(a_i, a_i, a_i) of a tensor that is a sum over samples, which is never formed (Algorithm 6): the samples
 * are kept in the coordinates of A, a step sums four entries over them, a rotation turns two of their components.
 * O(samples) each.
 *
 *     T = Σ_terms Σ_l w_l sym(x_l ⊗ x_l ⊗ y_l),     y = x if not given: plain third moments
 *     T_iij = Σ w (x_i² y_j + 2 x_i x_j y_i) / 3
 *
 * Other symmetric moments are such sums too: 24 sym(x ⊗ y ⊗ z) is the sum of the cubes of x+y+z, x−y−z, y−x−z, z−x−y.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import { shareMatrix } from '../../core/share.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { rotateRows } from '../../linalg/rotations.ts';
import type { RotationObjective } from '../../rotations/engine.ts';
import type { Planes, Turn } from '../../rotations/planes.ts';
import type { OnThreads } from '../../rotations/turn-groups.ts';
import { defineTurnPlanes } from '../../rotations/turn-planes.ts';
import { tensorTurn } from './dense-objective.ts';

/** A sum over samples: Σ_l w_l sym(x_l ⊗ x_l ⊗ y_l), with y = x if it is not given. */
export interface MomentTerm {
  /** Component-major, d×p: a row holds one component of all samples. */
  readonly x: Matrix64;
  readonly y?: Matrix64 | undefined;
  /** One per sample, or one for all; default: 1. */
  readonly weight?: number | Float64Array | undefined;
}

interface TurnedTerm {
  readonly x: Matrix64;
  readonly y: Matrix64 | undefined;
  readonly each: Float64Array | undefined;
  readonly all: number;
}

/** f(A) = Σ_i T(a_i, a_i, a_i) of a tensor that is a sum over samples and is never formed, for `ascend`. */
export function momentObjective(
  terms: readonly MomentTerm[],
  kernels: Kernels,
  onThreads?: OnThreads,
): RotationObjective {
  const size = terms[0].x.rows;
  const length = terms.reduce((sum, { x, y }) => sum + (y ? 2 : 1) * x.cols, 0);
  const share = (M: Matrix64) => (onThreads ? shareMatrix(M) : M);
  const weights = terms.map(({ weight = 1 }) =>
    typeof weight === 'number'
      ? { each: undefined, all: weight }
      : { each: share({ rows: 1, cols: weight.length, data: weight }).data, all: 1 },
  );
  let turned: TurnedTerm[] = [];
  const total = (i: number) => turned.reduce((sum, term) => sum + cube(term, i), 0);
  return {
    size,
    restore(A) {
      turned = terms.map(({ x, y }, term) => ({
        x: share(kernels.multiply(A, x)),
        y: y && share(kernels.multiply(A, y)),
        ...weights[term],
      }));
    },
    value() {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += total(i);
      return sum;
    },
    best: (i, j) => momentTurn(turned, i, j),
    rotate: (i, j, c, s) => rotateTerms(turned, i, j, c, s),
    turnGroups: onThreads?.(turnMomentPlanes, () => ({ rows: turned, length })),
    signs: {
      gain: (i) => -2 * total(i),
      flip(i) {
        for (const { x, y } of turned) {
          negateRow(x, i);
          if (y) negateRow(y, i);
        }
      },
    },
  };
}

const momentPlanes = (terms: readonly TurnedTerm[]): Planes => ({
  best: (i, j) => momentTurn(terms, i, j),
  rotate: (i, j, c, s) => rotateTerms(terms, i, j, c, s),
});

const turnMomentPlanes = defineTurnPlanes(import.meta.url, 'turn-moment-planes', momentPlanes, (x) => [
  { x, y: undefined, each: undefined, all: 1 / x.cols },
]);

function momentTurn(terms: readonly TurnedTerm[], i: number, j: number): Turn {
  const sums = [0, 0, 0, 0];
  for (const term of terms) addEntries(term, i, j, sums);
  return tensorTurn(sums[0], sums[1], sums[2], sums[3]);
}

function rotateTerms(terms: readonly TurnedTerm[], i: number, j: number, c: number, s: number): void {
  for (const { x, y } of terms) {
    rotateRows(x, i, j, c, s);
    if (y) rotateRows(y, i, j, c, s);
  }
}

function cube({ x, y = x, each, all }: TurnedTerm, i: number): number {
  const p = x.cols;
  let sum = 0;
  for (let at = i * p, l = 0; l < p; l++, at++) sum += (each ? each[l] : 1) * x.data[at] * x.data[at] * y.data[at];
  return all * sum;
}

/** Adds T_iii, T_iij, T_ijj, T_jjj. */
function addEntries({ x, y, each, all }: TurnedTerm, i: number, j: number, sums: number[]): void {
  const p = x.cols;
  const xi = x.data.subarray(i * p, (i + 1) * p);
  const xj = x.data.subarray(j * p, (j + 1) * p);
  let iii = 0;
  let iij = 0;
  let ijj = 0;
  let jjj = 0;
  if (!y && !each) {
    for (let l = 0; l < p; l++) {
      const a = xi[l];
      const b = xj[l];
      const ab = a * b;
      iii += a * a * a;
      iij += a * ab;
      ijj += ab * b;
      jjj += b * b * b;
    }
  } else {
    const other = y ?? x;
    const yi = other.data.subarray(i * p, (i + 1) * p);
    const yj = other.data.subarray(j * p, (j + 1) * p);
    for (let l = 0; l < p; l++) {
      const w = each ? each[l] : 1;
      const a = xi[l];
      const b = xj[l];
      iii += w * a * a * yi[l];
      iij += (w * a * (a * yj[l] + 2 * b * yi[l])) / 3;
      ijj += (w * b * (b * yi[l] + 2 * a * yj[l])) / 3;
      jjj += w * b * b * yj[l];
    }
  }
  sums[0] += all * iii;
  sums[1] += all * iij;
  sums[2] += all * ijj;
  sums[3] += all * jjj;
}

function negateRow({ data, cols }: Matrix64, i: number): void {
  for (let k = i * cols; k < (i + 1) * cols; k++) data[k] = -data[k];
}
