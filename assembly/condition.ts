/**
 * Converts raw samples, float32 or float64 (S), to conditioned samples in the precision of the arithmetic (T).
 *
 *     y ← (y − offset)·scale,      ‖y‖ = √Σ y²
 *
 * Both are computed in float64 and rounded once, with one exception: float32 samples without an offset stay in float32
 * for f32, where the product with scale = high + low, both float32, is y·high + y·low. It is off by less than 1 ulp.
 *
 * An offset at address 0 is none.
 */
import { multiplyAdd } from './tile';

/** Writes contiguous `rows × cols` samples to rows `stride` bytes apart; does not touch a row beyond `cols`. */
export function condition<S, T>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, out: usize, stride: usize,
): void {
  if (offset) conditionRows<S, T>(samples, rows, cols, offset, scale, out, stride, true);
  else if (stride == <usize>cols * sizeof<T>()) conditionRows<S, T>(samples, 1, rows * cols, 0, scale, out, 0, false);
  else conditionRows<S, T>(samples, rows, cols, 0, scale, out, stride, false);
}

// @ts-ignore: decorator
@inline
function conditionRows<S, T>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, out: usize, stride: usize, shifted: bool,
): void {
  const lanes = <i32>(16 / sizeof<T>());
  const whole = cols - cols % lanes;
  const factor = factorOf<S, T>(scale, shifted);
  const rest = restOf<S, T>(scale, shifted);
  for (let i = 0; i < rows; i++) {
    const from = samples + <usize>i * <usize>cols * sizeof<S>();
    const to = out + <usize>i * stride;
    for (let j = 0; j < whole; j += lanes) {
      const y = conditioned<S, T>(from + <usize>j * sizeof<S>(), offset + <usize>j * 8, factor, rest, shifted);
      v128.store(to + <usize>j * sizeof<T>(), y);
    }
    for (let j = whole; j < cols; j++) {
      store<T>(to + <usize>j * sizeof<T>(), conditionedOne<S, T>(from, j, offset, scale, shifted));
    }
  }
}

/** The scale as the vectors of {@link conditioned} need it: its high part if y stays in float32. */
// @ts-ignore: decorator
@inline
export function factorOf<S, T>(scale: f64, shifted: bool): v128 {
  return staysSingle<S, T>(shifted) ? v128.splat<f32>(<f32>scale) : v128.splat<f64>(scale);
}

/** The low part of the scale. */
// @ts-ignore: decorator
@inline
export function restOf<S, T>(scale: f64, shifted: bool): v128 {
  return staysSingle<S, T>(shifted) ? v128.splat<f32>(<f32>(scale - <f64>(<f32>scale))) : v128.splat<f64>(0);
}

// @ts-ignore: decorator
@inline
function staysSingle<S, T>(shifted: bool): bool {
  return !shifted && sizeof<S>() == 4 && sizeof<T>() == 4;
}

/** A vector of conditioned numbers of one sample: 4 in f32, 2 in f64. `shift` points to their offsets. */
// @ts-ignore: decorator
@inline
export function conditioned<S, T>(at: usize, shift: usize, factor: v128, rest: v128, shifted: bool): v128 {
  if (staysSingle<S, T>(shifted)) {
    const y = v128.load(at);
    return multiplyAdd<f32>(y, factor, v128.mul<f32>(y, rest));
  }
  const low = conditionedPair<S>(at, shift, factor, shifted);
  if (sizeof<T>() == 8) return low;
  const high = conditionedPair<S>(at + 2 * sizeof<S>(), shift + 16, factor, shifted);
  return v128.shuffle<u64>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2);
}

// @ts-ignore: decorator
@inline
function conditionedPair<S>(at: usize, shift: usize, factor: v128, shifted: bool): v128 {
  const y = loadPair<S>(at);
  return v128.mul<f64>(shifted ? v128.sub<f64>(y, v128.load(shift)) : y, factor);
}

/** Number j of the sample at `from`. */
// @ts-ignore: decorator
@inline
export function conditionedOne<S, T>(from: usize, j: i32, offset: usize, scale: f64, shifted: bool): T {
  const y = <f64>load<S>(from + <usize>j * sizeof<S>());
  return <T>((shifted ? y - load<f64>(offset + <usize>j * 8) : y) * scale);
}

/** Norms of the conditioned samples, one float64 per row; those below `least` count as `least`. */
export function norms<S>(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, least: f64, out: usize): void {
  if (offset) rowNorms<S>(samples, rows, cols, offset, scale, least, out, true);
  else rowNorms<S>(samples, rows, cols, 0, scale, least, out, false);
}

// @ts-ignore: decorator
@inline
function rowNorms<S>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, least: f64, out: usize, shifted: bool,
): void {
  const whole = cols & ~3;
  const factor = v128.splat<f64>(scale);
  for (let i = 0; i < rows; i++) {
    const from = samples + <usize>i * <usize>cols * sizeof<S>();
    let s0 = v128.splat<f64>(0);
    let s1 = s0;
    for (let j = 0; j < whole; j += 4) {
      const at = from + <usize>j * sizeof<S>();
      const shift = offset + <usize>j * 8;
      const low = conditionedPair<S>(at, shift, factor, shifted);
      const high = conditionedPair<S>(at + 2 * sizeof<S>(), shift + 16, factor, shifted);
      s0 = multiplyAdd<f64>(low, low, s0);
      s1 = multiplyAdd<f64>(high, high, s1);
    }
    s0 = v128.add<f64>(s0, s1);
    let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
    for (let j = whole; j < cols; j++) {
      const y = conditionedOne<S, f64>(from, j, offset, scale, shifted);
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
