/**
 * f(A) = Σ_i T(a_i, a_i, a_i) of a tensor that is a sum over samples, which is never formed (Algorithm 6): the samples
 * are kept in the coordinates of A, a step sums four entries over them, a rotation changes two of their components.
 * O(samples) each.
 *
 *     T = Σ_terms Σ_l w_l sym(x_l ⊗ x_l ⊗ y_l),     y = x if not given: plain third moments
 *     T_iij = Σ w (x_i² y_j + 2 x_i x_j y_i) / 3
 *
 * Other symmetric moments are such sums too: 24 sym(x ⊗ y ⊗ z) is the sum of the cubes of x+y+z, x−y−z, y−x−z, z−x−y.
 */

import { demand } from '../../core/errors.ts';
import { type Matrix64, row } from '../../core/matrix.ts';
import { requireObject } from '../../core/require-matrix.ts';
import { shareMatrix } from '../../core/shared-memory.ts';
import type { Kernels, PlaneRows } from '../../kernels/kernels.ts';
import { planeSums, rotateRows } from '../../kernels/planes.ts';
import { planeRows } from '../../kernels/wasm/plane-rows.ts';
import type { RotationObjective } from '../../rotations/coordinate-ascent.ts';
import { type PlaneRotation, rotateByKernels, rotatePlane } from '../../rotations/plane-rotation.ts';
import type { OnThreads } from '../../rotations/rotate-groups.ts';
import { defineRotatePlanes } from '../../rotations/rotate-planes.ts';
import { tensorRotation } from './dense-objective.ts';

/** A sum over samples: Σ_l w_l sym(x_l ⊗ x_l ⊗ y_l), with y = x if it is not given. */
export interface MomentTerm {
  /** The samples, component-major, d×p: a row holds one component of all samples. */
  readonly x: Matrix64;
  readonly y?: Matrix64 | undefined;
  /** A weight per sample, or one for all; default: 1. */
  readonly weight?: number | Float64Array | undefined;
}

interface RotatedTerm {
  readonly x: PlaneRows<Float64Array>;
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
  const isList = Array.isArray(terms) && terms.length > 0;
  demand(isList, 'momentObjective', 'terms', 'an array of at least one term', isList ? '' : typeof terms);
  for (const term of terms) requireObject('momentObjective', 'terms', term, 'terms with x', ['x']);
  requireObject('momentObjective', 'kernels', kernels, 'kernels, such as those of selectKernels', ['multiply']);
  const size = terms[0].x.rows;
  const length = terms.reduce((sum, { x, y }) => sum + (y ? 2 : 1) * x.cols, 0);
  const share = (M: Matrix64) => (onThreads ? shareMatrix(M) : M);
  const placed = (M: Matrix64, place: PlaneRows<Float64Array> | undefined) => (place ? copyInto(place, M) : share(M));
  const weights = terms.map(({ weight = 1 }) =>
    typeof weight === 'number'
      ? { each: undefined, all: weight }
      : { each: share({ rows: 1, cols: weight.length, data: weight }).data, all: 1 },
  );
  const isPlain = (term: number) => !terms[term].y && !weights[term].each;
  const places = terms.map(({ x }, term) =>
    onThreads && isPlain(term) ? planeRows(x.rows, x.cols, 'f64') : undefined,
  );
  let rotated: RotatedTerm[] = [];
  const total = (i: number) => rotated.reduce((sum, term) => sum + cube(term, i), 0);
  return {
    size,
    restore(A) {
      rotated = terms.map(({ x, y }, term) => ({
        x: placed(kernels.multiply(A, x), places[term]),
        y: y && share(kernels.multiply(A, y)),
        ...weights[term],
      }));
    },
    value() {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += total(i);
      return sum;
    },
    best: (i, j) => momentRotation(rotated, i, j),
    rotate: (i, j, c, s) => rotateTerms(rotated, i, j, c, s),
    rotateGroups: onThreads?.(rotateMomentPlanes, () => ({ rows: rotated, length })),
    signs: {
      gain: (i) => -2 * total(i),
      flip(i) {
        for (const { x, y } of rotated) {
          negateRow(x, i);
          if (y) negateRow(y, i);
        }
      },
    },
  };
}

/** Kernels rotate the rows of a single term of plain third moments; other terms are rotated plane by plane. */
export const rotateMomentPlanes = defineRotatePlanes<readonly RotatedTerm[]>(
  import.meta.url,
  'rotate-moment-planes',
  (terms, planes, leastAngle, kernels) => {
    const [{ x, y, each, all }] = terms;
    if (terms.length === 1 && !y && !each) {
      const rotationOf = (sums: Float64Array) => weightedRotation(sums, all);
      return rotateByKernels(kernels, { rows: x, planes, sums: 'cubic' }, rotationOf, leastAngle);
    }
    const best = (i: number, j: number) => momentRotation(terms, i, j);
    const rotate = (i: number, j: number, c: number, s: number) => rotateTerms(terms, i, j, c, s);
    return planes.map((plane) => rotatePlane({ best, rotate }, plane, leastAngle));
  },
  (x) => [{ x, y: undefined, each: undefined, all: 1 / x.cols }],
);

function momentRotation(terms: readonly RotatedTerm[], i: number, j: number): PlaneRotation {
  const sums = new Float64Array(4);
  for (const term of terms)
    entriesOf(term, i, j).forEach((entry, k) => {
      sums[k] += term.all * entry;
    });
  return weightedRotation(sums, 1);
}

const weightedRotation = (sums: Float64Array, weight: number): PlaneRotation =>
  tensorRotation(weight * sums[0], weight * sums[1], weight * sums[2], weight * sums[3]);

function rotateTerms(terms: readonly RotatedTerm[], i: number, j: number, c: number, s: number): void {
  for (const { x, y } of terms) {
    rotateRows(x, i, j, c, s);
    if (y) rotateRows(y, i, j, c, s);
  }
}

function cube({ x, y = x, each, all }: RotatedTerm, i: number): number {
  const p = x.cols;
  let sum = 0;
  for (let at = i * p, l = 0; l < p; l++, at++) sum += (each ? each[l] : 1) * x.data[at] * x.data[at] * y.data[at];
  return all * sum;
}

/** T_iii, T_iij, T_ijj, T_jjj of a term, without the weight that is the same for all samples. */
function entriesOf({ x, y = x, each }: RotatedTerm, i: number, j: number): Float64Array {
  if (y === x && !each) return planeSums(x, i, j, 'cubic');
  const [xi, xj, yi, yj] = [row(x, i), row(x, j), row(y, i), row(y, j)];
  let iii = 0;
  let iij = 0;
  let ijj = 0;
  let jjj = 0;
  for (let l = 0; l < x.cols; l++) {
    const w = each ? each[l] : 1;
    const a = xi[l];
    const b = xj[l];
    iii += w * a * a * yi[l];
    iij += (w * a * (a * yj[l] + 2 * b * yi[l])) / 3;
    ijj += (w * b * (b * yi[l] + 2 * a * yj[l])) / 3;
    jjj += w * b * b * yj[l];
  }
  return Float64Array.of(iii, iij, ijj, jjj);
}

/** Copies M to the same rows of a matrix with at least as many columns. */
function copyInto(place: PlaneRows<Float64Array>, M: Matrix64): PlaneRows<Float64Array> {
  for (let i = 0; i < M.rows; i++) row(place, i).set(row(M, i));
  return place;
}

function negateRow({ data, cols }: Matrix64, i: number): void {
  for (let k = i * cols; k < (i + 1) * cols; k++) data[k] = -data[k];
}
