/** The sign of det M, by elimination with partial pivoting: 1, −1, or 0 for a singular matrix. */
import { copy, type Matrix64 } from '../core/matrix.ts';

export function determinantSign(M: Matrix64): number {
  const { data, rows: n } = copy(M);
  let sign = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(data[i * n + k]) > Math.abs(data[pivot * n + k])) pivot = i;
    const head = data[pivot * n + k];
    if (head === 0) return 0;
    if (pivot !== k) {
      sign = -sign;
      const lower = data.slice(k * n, (k + 1) * n);
      data.copyWithin(k * n, pivot * n, (pivot + 1) * n);
      data.set(lower, pivot * n);
    }
    if (head < 0) sign = -sign;
    for (let i = k + 1; i < n; i++) {
      const factor = data[i * n + k] / head;
      for (let j = k; j < n; j++) data[i * n + j] -= factor * data[k * n + j];
    }
  }
  return sign;
}
