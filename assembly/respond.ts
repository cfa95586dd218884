/**
 * Responses, applied in place to codes.
 *
 *     power   φ(x) = sign(x)·|x|^(norm−1) = x·(x²)^h for even norms, x·|x|·(x²)^h for odd ones
 *             h = −1, norm 1: φ(x) = sign(x), φ(0) = 0
 *     mask    φ(x) = x·[|x| > t_i·c_j];                                      value [kept]
 *             with the sums of the codes kept and of those rejected
 *     bins    counts of |x|/c_j by exponent and top three bits of the mantissa
 *
 * A power takes any sequence of codes. The others take a strip: PANEL atoms wide, rows `stride` bytes apart, which is a
 * panel of codes `[row][PANEL]` or part of a row-major matrix. Lanes are atoms, so values add up lane by lane: in T over
 * the rows of one strip (at most ACCUMULATION_ROWS), then in float64.
 */
import { addWide, PANEL, PANEL_BYTES } from './tile';

/** Responds to `bytes` bytes of codes, rounded up to PANEL_BYTES. `squares` is h above; `odd` adds the factor |x|. */
export function power<T>(codes: usize, bytes: usize, odd: bool, squares: i32): void {
  if (squares < 0) signs<T>(codes, bytes);
  else if (!odd && squares == 1) raise<T>(codes, bytes, false, 1); // norm 4, the usual one
  else raise<T>(codes, bytes, odd, squares);
}

function signs<T>(codes: usize, bytes: usize): void {
  const zero = v128.splat<T>(0 as T);
  const one = v128.splat<T>(1 as T);
  const signBit = v128.neg<T>(zero);
  const end = codes + bytes;
  for (let at = codes; at < end; at += PANEL_BYTES) {
    const x0 = v128.load(at);
    const x1 = v128.load(at, 16);
    v128.store(at, v128.and(v128.or(v128.and(x0, signBit), one), v128.ne<T>(x0, zero)));
    v128.store(at, v128.and(v128.or(v128.and(x1, signBit), one), v128.ne<T>(x1, zero)), 16);
  }
}

// @ts-ignore: decorator
@inline
function raise<T>(codes: usize, bytes: usize, odd: bool, squares: i32): void {
  const end = codes + bytes;
  for (let at = codes; at < end; at += PANEL_BYTES) {
    const x0 = v128.load(at);
    const x1 = v128.load(at, 16);
    const s0 = v128.mul<T>(x0, x0);
    const s1 = v128.mul<T>(x1, x1);
    let p0 = odd ? v128.mul<T>(x0, v128.abs<T>(x0)) : x0;
    let p1 = odd ? v128.mul<T>(x1, v128.abs<T>(x1)) : x1;
    for (let k = 0; k < squares; k++) {
      p0 = v128.mul<T>(p0, s0);
      p1 = v128.mul<T>(p1, s1);
    }
    v128.store(at, p0);
    v128.store(at, p1, 16);
  }
}

/**
 * `thresholds` are the panel's t_i in T, `norms` the samples' norms in float64; c_j = ‖y_j‖/meanNorm.
 * A zero sample gets c_j = NaN: no code is greater than NaN, so none is kept.
 */
export function mask<T>(
  codes: usize, stride: usize, rows: i32, thresholds: usize, norms: usize, meanNorm: f64, values: usize, kept: usize, rejected: usize,
): void {
  const t0 = v128.load(thresholds);
  const t1 = v128.load(thresholds, 16);
  const one = v128.splat<T>(1 as T);
  let v0 = v128.splat<T>(0 as T);
  let v1 = v0;
  let s0 = v0;
  let s1 = v0;
  let r0 = v0;
  let r1 = v0;
  for (let j = 0; j < rows; j++) {
    const at = codes + <usize>j * stride;
    const c = load<f64>(norms + <usize>j * 8) / meanNorm;
    const cs = v128.splat<T>(<T>(c > 0 ? c : NaN));
    const x0 = v128.load(at);
    const x1 = v128.load(at, 16);
    const k0 = v128.gt<T>(v128.abs<T>(x0), v128.mul<T>(t0, cs));
    const k1 = v128.gt<T>(v128.abs<T>(x1), v128.mul<T>(t1, cs));
    const p0 = v128.and(x0, k0);
    const p1 = v128.and(x1, k1);
    v128.store(at, p0);
    v128.store(at, p1, 16);
    v0 = v128.add<T>(v0, v128.and(one, k0));
    v1 = v128.add<T>(v1, v128.and(one, k1));
    s0 = v128.add<T>(s0, p0);
    s1 = v128.add<T>(s1, p1);
    r0 = v128.add<T>(r0, v128.andnot(x0, k0));
    r1 = v128.add<T>(r1, v128.andnot(x1, k1));
  }
  addValues<T>(v0, v1, values);
  addValues<T>(s0, s1, kept);
  addValues<T>(r0, r1, rejected);
}

/** Adds a strip's sums in T to float64 sums. */
export function addValues<T>(v0: v128, v1: v128, values: usize): void {
  if (sizeof<T>() == 8) {
    v128.store(values, v128.add<f64>(v128.load(values), v0));
    v128.store(values, v128.add<f64>(v128.load(values, 16), v1), 16);
  } else {
    addWide(values, v0);
    addWide(values + 32, v1);
  }
}

/**
 * Counts the codes of a strip. `counts` points to the line of its first atom; a line is `bins` float64 numbers.
 * `lowest` is the number of bins below the first: (1023 + lowest exponent)·8.
 */
export function histogram<T>(
  codes: usize, stride: usize, rows: i32, atoms: i32, norms: usize, meanNorm: f64, bins: i32, lowest: i32, counts: usize,
): void {
  const width = min(atoms, PANEL<T>());
  for (let j = 0; j < rows; j++) {
    const c = load<f64>(norms + <usize>j * 8) / meanNorm;
    if (c == 0) continue;
    for (let i = 0; i < width; i++) {
      const x = abs(<f64>load<T>(codes + <usize>j * stride + <usize>i * sizeof<T>()) / c);
      const bin = min(max(<i32>(reinterpret<u64>(x) >> 49) - lowest, 0), bins - 1);
      const at = counts + <usize>(i * bins + bin) * 8;
      store<f64>(at, load<f64>(at) + 1);
    }
  }
}
