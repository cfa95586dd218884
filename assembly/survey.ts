/**
 * What the first pass wants to know of the samples, as they are conditioned: y ← (y − offset)·scale in float64.
 *
 *     suspicion  Σ 0·y, zero if all numbers are finite, otherwise NaN
 *     largest    max |y|;   zeros   number of samples that are zero
 *     normSum    Σ ‖y‖;     sums    Σ y, one per feature
 */
import { loadPair } from './condition';

/** Adds contiguous `rows × cols` samples to `sums` and to `totals`: suspicion, largest, zeros, normSum. */
export function survey<S>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, sums: usize, totals: usize,
): void {
  const pairs = cols & ~1;
  const factor = v128.splat<f64>(scale);
  const nothing = v128.splat<f64>(0);
  let suspicion = nothing;
  let largest = load<f64>(totals, 8);
  let zeros = load<f64>(totals, 16);
  let normSum = load<f64>(totals, 24);
  for (let i = 0; i < rows; i++) {
    const from = samples + <usize>i * <usize>cols * sizeof<S>();
    let most = nothing;
    let squares = nothing;
    for (let j = 0; j < pairs; j += 2) {
      const shift = <usize>j * 8;
      const y = v128.mul<f64>(v128.sub<f64>(loadPair<S>(from + <usize>j * sizeof<S>()), v128.load(offset + shift)), factor);
      suspicion = v128.add<f64>(suspicion, v128.mul<f64>(y, nothing));
      most = v128.max<f64>(most, v128.abs<f64>(y));
      squares = v128.add<f64>(squares, v128.mul<f64>(y, y));
      v128.store(sums + shift, v128.add<f64>(v128.load(sums + shift), y));
    }
    let rowLargest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
    let square = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
    if (pairs < cols) {
      const at = <usize>pairs * 8;
      const y = (<f64>load<S>(from + <usize>pairs * sizeof<S>()) - load<f64>(offset + at)) * scale;
      suspicion = v128.add<f64>(suspicion, v128.splat<f64>(0 * y));
      rowLargest = max(rowLargest, abs(y));
      square += y * y;
      store<f64>(sums + at, load<f64>(sums + at) + y);
    }
    if (rowLargest == 0) zeros += 1;
    largest = max(largest, rowLargest);
    normSum += Math.sqrt(square);
  }
  store<f64>(totals, load<f64>(totals) + f64x2.extract_lane(suspicion, 0) + f64x2.extract_lane(suspicion, 1));
  store<f64>(totals, largest, 8);
  store<f64>(totals, zeros, 16);
  store<f64>(totals, normSum, 24);
}
