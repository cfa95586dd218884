/**
 * Sums over samples of sparse codes, in float64.
 *
 *     B += Xᵀ Y,   A += Xᵀ X
 */
import { multiplyAdd } from './tile';

/**
 * `samples`: conditioned rows, `stride` bytes apart, zero-padded to whole panels; so are the rows of `correlation`.
 * `starts`: where the codes of a sample begin in `atoms` and `values`, and where those of the last one end.
 */
export function codeMoments(
  samples: usize, stride: usize, rows: i32, starts: usize, atoms: usize, values: usize, K: i32, gram: usize, correlation: usize,
): void {
  for (let j = 0; j < rows; j++) {
    const start = load<i32>(starts + <usize>j * 4);
    const end = load<i32>(starts + <usize>j * 4, 4);
    for (let s = start; s < end; s++) {
      const k = <usize>load<i32>(atoms + <usize>s * 4);
      const x = load<f64>(values + <usize>s * 8);
      addScaled(samples, stride, x, correlation + k * stride);
      const line = gram + k * <usize>K * 8;
      for (let t = start; t < end; t++) {
        const at = line + <usize>load<i32>(atoms + <usize>t * 4) * 8;
        store<f64>(at, load<f64>(at) + x * load<f64>(values + <usize>t * 8));
      }
    }
    samples += stride;
  }
}

// @ts-ignore: decorator
@inline
function addScaled(sample: usize, bytes: usize, x: f64, to: usize): void {
  const factor = f64x2.splat(x);
  const end = sample + bytes;
  while (sample < end) {
    v128.store(to, multiplyAdd<f64>(factor, v128.load(sample), v128.load(to)));
    v128.store(to, multiplyAdd<f64>(factor, v128.load(sample, 16), v128.load(to, 16)), 16);
    sample += 32;
    to += 32;
  }
}
