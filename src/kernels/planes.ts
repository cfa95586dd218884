/** Sums over the columns of two rows x and y of a matrix, and their rotation. Plain loops. */
import type { Matrix } from '../core/matrix.ts';
import type { PlaneSums } from './kernels.ts';

/** The sums of rows i and j, as `rotatePlanes` gives them to `choose`. */
export function planeSums(rows: Matrix, i: number, j: number, kind: PlaneSums): Float64Array {
  return kind === 'quartic' ? quarticSums(rows, i, j) : cubicSums(rows, i, j);
}

function quarticSums({ data, cols }: Matrix, i: number, j: number): Float64Array {
  let uu = 0;
  let uw = 0;
  let ww = 0;
  for (let k = 0, a = i * cols, b = j * cols; k < cols; k++, a++, b++) {
    const x = data[a];
    const y = data[b];
    const u = (x + y) * (x - y);
    const w = x * y;
    uu += u * u;
    uw += u * w;
    ww += w * w;
  }
  return Float64Array.of(uu, uw, ww);
}

function cubicSums({ data, cols }: Matrix, i: number, j: number): Float64Array {
  let xxx = 0;
  let xxy = 0;
  let xyy = 0;
  let yyy = 0;
  for (let k = 0, a = i * cols, b = j * cols; k < cols; k++, a++, b++) {
    const x = data[a];
    const y = data[b];
    const xx = x * x;
    const yy = y * y;
    xxx += xx * x;
    xxy += xx * y;
    xyy += x * yy;
    yyy += y * yy;
  }
  return Float64Array.of(xxx, xxy, xyy, yyy);
}

/** Rotates two rows: row_i, row_j ← c row_i + s row_j, c row_j − s row_i. */
export function rotateRows({ data, cols }: Matrix, i: number, j: number, c: number, s: number): void {
  for (let k = 0, a = i * cols, b = j * cols; k < cols; k++, a++, b++) {
    const x = data[a];
    const y = data[b];
    data[a] = c * x + s * y;
    data[b] = c * y - s * x;
  }
}
