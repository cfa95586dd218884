/**
 * Powers of two, lane by lane:
 *
 *     x = k + f,   |f| ≤ ½,   k whole;      2^x = 2^k P(f)
 *
 * k and f are exact: who wants e^x multiplies x by log₂ e, and so do the factors of x beforehand. P is the polynomial with the
 * smallest relative error and P(0) = 1: degree 6 in f32, 2e-8 with its coefficients rounded; degree 10 in f64, 3e-16. 2^k is
 * made of its bits.
 *
 * Relative error, rounding included: below 2e-7 in f32, below 1e-15 in f64, for |x| ≤ 126 and |x| ≤ 1022. A smaller x counts
 * as −126 or −1022, for a larger one the result is undefined. NaN gives NaN.
 */
import { multiplyAdd } from './tile';

/** Where the constants are: the least x, what rounds, and the coefficients of P from the lowest. */
const LEAST: usize = 0;
const SHIFT: usize = 1;
const P: usize = 2;

// Adding 1.5·2^23 or 1.5·2^52 rounds to a whole number and leaves it in the lowest bits.
const single = memory.data<f32>([
  -126, 12582912,
  1, 0.69314724, 0.24022652, 0.055503104, 0.009617693, 0.0013406645, 0.00015594678,
]);
const double = memory.data<f64>([
  -1022, 6755399441055744,
  1, 0.6931471805599516, 0.24022650695910472, 0.05550410866434658, 0.009618129107380712, 0.0013333558246481354,
  0.00015403530800820733, 1.5252647747332631e-5, 1.3215235633743612e-6, 1.0210506527089217e-7, 7.1117588080212435e-9,
]);

// @ts-ignore: decorator
@inline
export function exp2<T>(x: v128): v128 {
  const clamped = v128.pmax<T>(x, constant<T>(LEAST));
  const shifted = v128.add<T>(clamped, constant<T>(SHIFT));
  const f = v128.sub<T>(clamped, v128.sub<T>(shifted, constant<T>(SHIFT)));
  return v128.mul<T>(ofFraction<T>(f), ofWhole<T>(shifted));
}

/** P(f), with few steps that wait for each other. */
// @ts-ignore: decorator
@inline
function ofFraction<T>(f: v128): v128 {
  const f2 = v128.mul<T>(f, f);
  const f4 = v128.mul<T>(f2, f2);
  const low = multiplyAdd<T>(f2, pair<T>(P + 2, f), pair<T>(P, f));
  if (sizeof<T>() == 4) return multiplyAdd<T>(f4, multiplyAdd<T>(f2, constant<T>(P + 6), pair<T>(P + 4, f)), low);
  const middle = multiplyAdd<T>(f2, pair<T>(P + 6, f), pair<T>(P + 4, f));
  const high = multiplyAdd<T>(f2, constant<T>(P + 10), pair<T>(P + 8, f));
  return multiplyAdd<T>(f4, multiplyAdd<T>(f4, high, middle), low);
}

/** p_i + p_(i+1) f, where `place` is that of p_i. */
// @ts-ignore: decorator
@inline
function pair<T>(place: usize, f: v128): v128 {
  return multiplyAdd<T>(constant<T>(place + 1), f, constant<T>(place));
}

/** 2^k, where k is in the lowest bits. */
// @ts-ignore: decorator
@inline
function ofWhole<T>(k: v128): v128 {
  const one = constant<T>(P);
  if (sizeof<T>() == 4) return v128.add<i32>(v128.shl<i32>(k, 23), one);
  return v128.add<i64>(v128.shl<i64>(k, 52), one);
}

/** A constant in all lanes, loaded: in V8 a constant vector costs three instructions wherever it is used, a load one. */
// @ts-ignore: decorator
@inline
function constant<T>(place: usize): v128 {
  return v128.load_splat<T>((sizeof<T>() == 4 ? single : double) + place * sizeof<T>());
}
