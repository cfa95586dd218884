/**
 * How large the codes of a strip are (see respond.ts), without changing them: per atom
 *
 *     kept    the number of codes with |x| > t_i·c_j
 *     powers  Σ |x|^norm,   |x|^norm = (x²)^h, or |x|·(x²)^h if the norm is odd
 *
 * Summed in T over the rows of one panel (at most ACCUMULATION_ROWS), then added to float64 sums.
 */
import { addValues } from './respond';

/** `thresholds`, `norms` and `meanNorm` as in `mask`; `halves` is h. Norm 4, the usual one, has its own loop. */
export function measure<T>(
  codes: usize, stride: usize, rows: i32, thresholds: usize, norms: usize, meanNorm: f64, odd: bool, halves: i32, kept: usize,
  powers: usize,
): void {
  if (!odd && halves == 2) visit<T>(codes, stride, rows, thresholds, norms, meanNorm, false, 2, kept, powers);
  else visit<T>(codes, stride, rows, thresholds, norms, meanNorm, odd, halves, kept, powers);
}

// @ts-ignore: decorator
@inline
function visit<T>(
  codes: usize, stride: usize, rows: i32, thresholds: usize, norms: usize, meanNorm: f64, odd: bool, halves: i32, kept: usize,
  powers: usize,
): void {
  const t0 = v128.load(thresholds);
  const t1 = v128.load(thresholds, 16);
  const one = v128.splat<T>(1 as T);
  let v0 = v128.splat<T>(0 as T);
  let v1 = v0;
  let p0 = v0;
  let p1 = v0;
  for (let j = 0; j < rows; j++) {
    const at = codes + <usize>j * stride;
    const c = load<f64>(norms + <usize>j * 8) / meanNorm;
    const cs = v128.splat<T>(<T>(c > 0 ? c : NaN));
    const x0 = v128.abs<T>(v128.load(at));
    const x1 = v128.abs<T>(v128.load(at, 16));
    v0 = v128.add<T>(v0, v128.and(one, v128.gt<T>(x0, v128.mul<T>(t0, cs))));
    v1 = v128.add<T>(v1, v128.and(one, v128.gt<T>(x1, v128.mul<T>(t1, cs))));
    p0 = v128.add<T>(p0, raised<T>(x0, odd, halves));
    p1 = v128.add<T>(p1, raised<T>(x1, odd, halves));
  }
  addValues<T>(v0, v1, kept);
  addValues<T>(p0, p1, powers);
}

/** x^(2·halves), times x if odd, for x ≥ 0. */
// @ts-ignore: decorator
@inline
function raised<T>(x: v128, odd: bool, halves: i32): v128 {
  const square = v128.mul<T>(x, x);
  let power = odd ? x : v128.splat<T>(1 as T);
  for (let k = 0; k < halves; k++) power = v128.mul<T>(power, square);
  return power;
}
