/**
 * Converts raw samples, float32 or float64 (S), to conditioned samples in the precision of the arithmetic (T).
 *
 *     y ← (y − offset)·scale,      ‖y‖ = √Σ y²
 *
 * Both are computed in float64 for every S and T, and rounded once.
 */

/** Writes contiguous `rows × cols` samples to rows `stride` bytes apart; does not touch a row beyond `cols`. */
export function condition<S, T>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, out: usize, stride: usize,
): void {
  const pairs = cols & ~3;
  const factor = v128.splat<f64>(scale);
  for (let i = 0; i < rows; i++) {
    const from = samples + <usize>i * <usize>cols * sizeof<S>();
    const to = out + <usize>i * stride;
    for (let j = 0; j < pairs; j += 4) {
      const at = from + <usize>j * sizeof<S>();
      const shift = offset + <usize>j * 8;
      const low = v128.mul<f64>(v128.sub<f64>(loadPair<S>(at), v128.load(shift)), factor);
      const high = v128.mul<f64>(v128.sub<f64>(loadPair<S>(at + 2 * sizeof<S>()), v128.load(shift, 16)), factor);
      storeFour<T>(to + <usize>j * sizeof<T>(), low, high);
    }
    for (let j = pairs; j < cols; j++) {
      const y = (<f64>load<S>(from + <usize>j * sizeof<S>()) - load<f64>(offset + <usize>j * 8)) * scale;
      store<T>(to + <usize>j * sizeof<T>(), <T>y);
    }
  }
}

/** Norms of the conditioned samples, one float64 per row; those below `least` count as `least`. */
export function norms<S>(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, least: f64, out: usize): void {
  const pairs = cols & ~3;
  const factor = v128.splat<f64>(scale);
  for (let i = 0; i < rows; i++) {
    const from = samples + <usize>i * <usize>cols * sizeof<S>();
    let s0 = v128.splat<f64>(0);
    let s1 = s0;
    for (let j = 0; j < pairs; j += 4) {
      const at = from + <usize>j * sizeof<S>();
      const shift = offset + <usize>j * 8;
      const low = v128.mul<f64>(v128.sub<f64>(loadPair<S>(at), v128.load(shift)), factor);
      const high = v128.mul<f64>(v128.sub<f64>(loadPair<S>(at + 2 * sizeof<S>()), v128.load(shift, 16)), factor);
      s0 = v128.add<f64>(s0, v128.mul<f64>(low, low));
      s1 = v128.add<f64>(s1, v128.mul<f64>(high, high));
    }
    s0 = v128.add<f64>(s0, s1);
    let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
    for (let j = pairs; j < cols; j++) {
      const y = (<f64>load<S>(from + <usize>j * sizeof<S>()) - load<f64>(offset + <usize>j * 8)) * scale;
      sum += y * y;
    }
    store<f64>(out + <usize>i * 8, max(Math.sqrt(sum), least));
  }
}

/** Two samples of type S as float64. */
// @ts-ignore: decorator
@inline
export function loadPair<S>(at: usize): v128 {
  if (sizeof<S>() == 8) return v128.load(at);
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

/** Four float64 numbers as four numbers of type T. */
// @ts-ignore: decorator
@inline
function storeFour<T>(at: usize, low: v128, high: v128): void {
  if (sizeof<T>() == 8) {
    v128.store(at, low);
    v128.store(at, high, 16);
  } else {
    const a = f32x4.demote_f64x2_zero(low);
    const b = f32x4.demote_f64x2_zero(high);
    v128.store(at, v128.shuffle<u64>(a, b, 0, 2));
  }
}
