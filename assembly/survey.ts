/**
 * What the first pass wants to know of the samples, as they are conditioned: y ← (y − offset)·scale in float64.
 *
 *     largest  max |y|;   zeros  number of samples that are zero;   normSum  Σ ‖y‖, not finite if a number is not
 *     sums     Σ y, one per feature
 */
import { loadPair } from './condition';

/** Adds contiguous `rows × cols` samples to `sums` and to `totals`: largest, zeros, normSum. */
export function survey<S>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, sums: usize, totals: usize,
): void {
  const whole = cols & ~3;
  const factor = v128.splat<f64>(scale);
  const nothing = v128.splat<f64>(0);
  let largest = load<f64>(totals);
  let zeros = load<f64>(totals, 8);
  let normSum = load<f64>(totals, 16);
  for (let i = 0; i < rows; i++) {
    const from = samples + <usize>i * <usize>cols * sizeof<S>();
    let most0 = nothing;
    let most1 = nothing;
    let squares0 = nothing;
    let squares1 = nothing;
    for (let j = 0; j < whole; j += 4) {
      const at = from + <usize>j * sizeof<S>();
      const shift = offset + <usize>j * 8;
      const sum = sums + <usize>j * 8;
      const y0 = v128.mul<f64>(v128.sub<f64>(loadPair<S>(at), v128.load(shift)), factor);
      const y1 = v128.mul<f64>(v128.sub<f64>(loadPair<S>(at + 2 * sizeof<S>()), v128.load(shift, 16)), factor);
      most0 = v128.pmax<f64>(most0, v128.abs<f64>(y0));
      most1 = v128.pmax<f64>(most1, v128.abs<f64>(y1));
      squares0 = v128.add<f64>(squares0, v128.mul<f64>(y0, y0));
      squares1 = v128.add<f64>(squares1, v128.mul<f64>(y1, y1));
      v128.store(sum, v128.add<f64>(v128.load(sum), y0));
      v128.store(sum, v128.add<f64>(v128.load(sum, 16), y1), 16);
    }
    most0 = v128.pmax<f64>(most0, most1);
    squares0 = v128.add<f64>(squares0, squares1);
    let rowLargest = max(f64x2.extract_lane(most0, 0), f64x2.extract_lane(most0, 1));
    let square = f64x2.extract_lane(squares0, 0) + f64x2.extract_lane(squares0, 1);
    for (let j = whole; j < cols; j++) {
      const at = <usize>j * 8;
      const y = (<f64>load<S>(from + <usize>j * sizeof<S>()) - load<f64>(offset + at)) * scale;
      rowLargest = max(rowLargest, abs(y));
      square += y * y;
      store<f64>(sums + at, load<f64>(sums + at) + y);
    }
    if (rowLargest == 0) zeros += 1;
    largest = max(largest, rowLargest);
    normSum += Math.sqrt(square);
  }
  store<f64>(totals, largest);
  store<f64>(totals, zeros, 8);
  store<f64>(totals, normSum, 16);
}
