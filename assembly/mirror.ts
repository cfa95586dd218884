/** Makes a square matrix symmetric: copies what is above the diagonal below it. */

/** Rows written while columns are read, so that both stay in the L1 cache. */
const BLOCK: i32 = 16;

/** An n×n matrix whose rows are `stride` bytes apart. */
export function mirror<T>(at: usize, n: i32, stride: usize): void {
  for (let first = 0; first < n; first += BLOCK) {
    const last = min(n, first + BLOCK);
    for (let j = 0; j < last; j++) {
      const row = at + <usize>j * stride;
      const column = at + <usize>j * sizeof<T>();
      for (let i = max(first, j + 1); i < last; i++) {
        store<T>(column + <usize>i * stride, load<T>(row + <usize>i * sizeof<T>()));
      }
    }
  }
}
