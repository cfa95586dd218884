/**
 * The response by likelihood: codes x of sample j come from a spike of variance t_j² or a slab of variance s_j² (see
 * LikelihoodResponse in src/kernels/kernels.ts). It takes six numbers per sample:
 *
 *     a = log₂((1−θ)/θ) + ½ log₂(s_j²/t_j²),   g = √(½ d_j log₂ e),   b = t²/s_j²,   m = t² d_j,   e = 2 log 2/(t_j² d_j),
 *     c = a + 125 in f32, a + 1021 in f64
 *
 *     w = min((g x)², c),   q = 2^(w − a),   r = 1/(1 + q),   1 − r = q r
 *     φ(x) = (b + m r) x;                         value r
 *     r x²/(t² c_j²) = e r w,   φ'(x) = b + m (r − 2 log 2 · w r (1 − r))
 *
 * No factor is large or small because t is, and nothing cancels. c keeps w finite and q in the range of exp.ts; r is then
 * far below rounding.
 */
import { exp2 } from './exp';
import { addWide, isHalf, multiplyAdd, PANEL } from './tile';

/** Where the numbers of a sample are, and how many there are. */
const A: usize = 0;
const G: usize = 1;
const B: usize = 2;
const M: usize = 3;
const E: usize = 4;
const C: usize = 5;
const NUMBERS: usize = 6;

/**
 * Σ_i x_ji² of `rows` samples over all atoms, in float64. A sample's codes are PANEL at a time, `panelStride` bytes apart;
 * samples are `stride` bytes apart.
 */
export function energies<T>(codes: usize, stride: usize, panelStride: usize, rows: i32, atoms: i32, out: usize): void {
  const panels = atoms / PANEL<T>();
  const left = atoms - panels * PANEL<T>();
  for (let j = 0; j < rows; j++) {
    let at = codes + <usize>j * stride;
    let sum0 = f64x2.splat(0);
    let sum1 = sum0;
    for (let p = 0; p < panels; p++) {
      sum0 = addSquares<T>(v128.load(at), sum0);
      sum1 = addSquares<T>(v128.load(at, 16), sum1);
      at += panelStride;
    }
    const sums = v128.add<f64>(sum0, sum1);
    let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
    for (let i = 0; i < left; i++) {
      const x = <f64>load<T>(at + <usize>i * sizeof<T>());
      sum += x * x;
    }
    store<f64>(out + <usize>j * 8, sum);
  }
}

// @ts-ignore: decorator
@inline
function addSquares<T>(x: v128, sum: v128): v128 {
  if (sizeof<T>() == 8) return multiplyAdd<f64>(x, x, sum);
  const low = f64x2.promote_low_f32x4(x);
  const high = f64x2.promote_low_f32x4(v128.shuffle<u64>(x, x, 1, 1));
  return multiplyAdd<f64>(high, high, multiplyAdd<f64>(low, low, sum));
}

/**
 * Responds to a strip of `atoms` atoms or more (see respond.ts), in place. `numbers` are those of the samples, in T; a sample
 * whose numbers are zero is dropped. Adds to the float64 sums of the strip's atoms; b is left out of `slope`.
 */
export function likelihood<T>(
  codes: usize, stride: usize, rows: i32, atoms: i32, numbers: usize, values: usize, spikeEnergy: usize, slope: usize,
): void {
  halfStrip<T>(codes, stride, rows, numbers, values, spikeEnergy, slope);
  if (isHalf<T>(atoms)) return;
  const sums: usize = (PANEL<T>() / 2) * 8;
  halfStrip<T>(codes + 16, stride, rows, numbers, values + sums, spikeEnergy + sums, slope + sums);
}

/** The first vector of a strip. */
function halfStrip<T>(
  codes: usize, stride: usize, rows: i32, numbers: usize, values: usize, spikeEnergy: usize, slope: usize,
): void {
  const zero = v128.splat<T>(0 as T);
  const one = v128.splat<T>(1 as T);
  const bending = v128.splat<T>(-1.3862943611198906 as T); // −2 log 2
  let valueSum = zero;
  let energySum = zero;
  let slopeSum = zero;
  for (let j = 0; j < rows; j++) {
    if (isDropped<T>(numbers)) {
      v128.store(codes, zero);
    } else {
      const x = v128.load(codes);
      const gx = v128.mul<T>(x, number<T>(numbers, G));
      const w = v128.pmin<T>(v128.mul<T>(gx, gx), number<T>(numbers, C));
      const q = exp2<T>(v128.sub<T>(w, number<T>(numbers, A)));
      const r = v128.div<T>(one, v128.add<T>(one, q));
      const rw = v128.mul<T>(r, w);
      const bend = v128.mul<T>(rw, v128.mul<T>(q, r));
      const m = number<T>(numbers, M);
      v128.store(codes, v128.mul<T>(multiplyAdd<T>(m, r, number<T>(numbers, B)), x));
      valueSum = v128.add<T>(valueSum, r);
      energySum = multiplyAdd<T>(rw, number<T>(numbers, E), energySum);
      slopeSum = multiplyAdd<T>(m, multiplyAdd<T>(bend, bending, r), slopeSum);
    }
    codes += stride;
    numbers += NUMBERS * sizeof<T>();
  }
  addVector<T>(valueSum, values);
  addVector<T>(energySum, spikeEnergy);
  addVector<T>(slopeSum, slope);
}

// @ts-ignore: decorator
@inline
function number<T>(numbers: usize, which: usize): v128 {
  return v128.load_splat<T>(numbers + which * sizeof<T>());
}

/** Whether e is zero, which it is for no other sample. */
// @ts-ignore: decorator
@inline
function isDropped<T>(numbers: usize): bool {
  return sizeof<T>() == 4 ? load<u32>(numbers, 4 * E) == 0 : load<u64>(numbers, 8 * E) == 0;
}

/** Adds a vector of sums in T to float64 sums. */
// @ts-ignore: decorator
@inline
function addVector<T>(v: v128, sums: usize): void {
  if (sizeof<T>() == 8) v128.store(sums, v128.add<f64>(v128.load(sums), v));
  else addWide(sums, v);
}
