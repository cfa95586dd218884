/**
 * f(A) = Σ_i T(a_i, a_i, a_i) of a tensor that is a sum over samples, which is never formed (Algorithm 6): the samples are kept
 * in the coordinates of A, a step sums four entries over them, a rotation turns two of their components. O(samples) each.
 *
 *     T = Σ_terms Σ_l w_l sym(x_l ⊗ x_l ⊗ y_l),     y = x where none is given: plain third moments
 *     T_iij = Σ w (x_i² y_j + 2 x_i x_j y_i) / 3
 *
 * Other symmetric moments are such sums too: 24 sym(x ⊗ y ⊗ z) is the sum of the cubes of x+y+z, x−y−z, y−x−z, z−x−y.
 */
import type { RotationObjective } from '../givens/engine.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { rotateRows } from '../linalg/rotations.ts';
import type { Matrix64 } from '../matrix.ts';
import { tensorTurn } from './dense-objective.ts';

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

export function momentObjective(terms: readonly MomentTerm[], kernels: Kernels): RotationObjective {
  let turned: TurnedTerm[] = [];
  const size = terms[0].x.rows;
  const total = (i: number) => turned.reduce((sum, term) => sum + cube(term, i), 0);
  return {
    size,
    restore(A) {
      turned = terms.map(({ x, y, weight = 1 }) => ({
        x: kernels.multiply(A, x),
        y: y && kernels.multiply(A, y),
        each: typeof weight === 'number' ? undefined : weight,
        all: typeof weight === 'number' ? weight : 1,
      }));
    },
    value() {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += total(i);
      return sum;
    },
    best(i, j) {
      const sums = [0, 0, 0, 0];
      for (const term of turned) addEntries(term, i, j, sums);
      return tensorTurn(sums[0], sums[1], sums[2], sums[3]);
    },
    rotate(i, j, c, s) {
      for (const { x, y } of turned) {
        rotateRows(x, i, j, c, s);
        if (y) rotateRows(y, i, j, c, s);
      }
    },
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
