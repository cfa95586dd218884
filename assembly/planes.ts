/**
 * Rows that are rotated in pairs. A step rotates some planes and then sums over others, chunk by chunk, so that a row is in
 * the L1 cache when it is needed again. A row is a multiple of two vectors long; what fills it up is zero, which no sum
 * notices and no rotation changes.
 *
 *     rotate    x, y ← c x + s y, c y − s x
 *     quartic   Σ u², Σ uw, Σ w²,  u = x² − y²,  w = xy
 *     cubic     Σ x³, Σ x²y, Σ xy², Σ y³
 *
 * Every row has a header, a line of the cache, for the plane in which it is x. Planes of a step are a list from header
 * to header, by the numbers of rows, which ends with −1. So threads can work on different rows of one memory.
 *
 *     0  next plane to rotate, its y (i32)      8  c, s (f64)
 *    24  next plane to sum, its y (i32)      32  its sums (f64)
 *
 * In f32 a lane sums 64 columns, then goes to the float64 sums.
 */
import { multiplyAdd } from './tile';

/** Bytes of a header. */
const HEADER: usize = 64;

/** Bytes of a row in a chunk: the rows of a step, a dozen, fit in the L1 cache together. */
const CHUNK: usize = 2048;

/** Row i begins at `rows` + i·`distance`; `bytes`: its length. `rotations`, `planes`: first rows of the lists, or −1. */
export function rotatePlanes<T>(
  headers: usize, rows: usize, distance: usize, bytes: usize, rotations: i32, planes: i32, cubic: bool,
): void {
  for (let i = planes; i >= 0; i = load<i32>(headers + <usize>i * HEADER, 24)) {
    memory.fill(headers + <usize>i * HEADER + 32, 0, 32);
  }
  for (let at: usize = 0; at < bytes; at += CHUNK) {
    const chunk = rows + at;
    const length = min(CHUNK, bytes - at);
    for (let i = rotations; i >= 0; ) {
      const header = headers + <usize>i * HEADER;
      const x = chunk + <usize>i * distance;
      const y = chunk + <usize>load<i32>(header, 4) * distance;
      rotateRows<T>(x, y, x + length, load<f64>(header, 8), load<f64>(header, 16));
      i = load<i32>(header);
    }
    for (let i = planes; i >= 0; ) {
      const header = headers + <usize>i * HEADER;
      const x = chunk + <usize>i * distance;
      const y = chunk + <usize>load<i32>(header, 28) * distance;
      if (cubic) addCubic<T>(x, y, x + length, header + 32);
      else addQuartic<T>(x, y, x + length, header + 32);
      i = load<i32>(header, 24);
    }
  }
}

function rotateRows<T>(x: usize, y: usize, end: usize, cosine: f64, sine: f64): void {
  const c = v128.splat<T>(<T>cosine);
  const s = v128.splat<T>(<T>sine);
  const minus = v128.splat<T>(<T>-sine);
  while (x < end) {
    const x0 = v128.load(x);
    const x1 = v128.load(x, 16);
    const y0 = v128.load(y);
    const y1 = v128.load(y, 16);
    v128.store(x, multiplyAdd<T>(s, y0, v128.mul<T>(c, x0)));
    v128.store(x, multiplyAdd<T>(s, y1, v128.mul<T>(c, x1)), 16);
    v128.store(y, multiplyAdd<T>(minus, x0, v128.mul<T>(c, y0)));
    v128.store(y, multiplyAdd<T>(minus, x1, v128.mul<T>(c, y1)), 16);
    x += 32;
    y += 32;
  }
}

/** Two vectors at a time, each with sums of its own: one would wait for its last addition. */
function addQuartic<T>(x: usize, y: usize, end: usize, out: usize): void {
  let uu0 = v128.splat<T>(0 as T);
  let uw0 = uu0, ww0 = uu0, uu1 = uu0, uw1 = uu0, ww1 = uu0;
  while (x < end) {
    const x0 = v128.load(x);
    const y0 = v128.load(y);
    const u0 = v128.mul<T>(v128.add<T>(x0, y0), v128.sub<T>(x0, y0));
    const w0 = v128.mul<T>(x0, y0);
    uu0 = multiplyAdd<T>(u0, u0, uu0);
    uw0 = multiplyAdd<T>(u0, w0, uw0);
    ww0 = multiplyAdd<T>(w0, w0, ww0);
    const x1 = v128.load(x, 16);
    const y1 = v128.load(y, 16);
    const u1 = v128.mul<T>(v128.add<T>(x1, y1), v128.sub<T>(x1, y1));
    const w1 = v128.mul<T>(x1, y1);
    uu1 = multiplyAdd<T>(u1, u1, uu1);
    uw1 = multiplyAdd<T>(u1, w1, uw1);
    ww1 = multiplyAdd<T>(w1, w1, ww1);
    x += 32;
    y += 32;
  }
  addLanes<T>(v128.add<T>(uu0, uu1), out);
  addLanes<T>(v128.add<T>(uw0, uw1), out + 8);
  addLanes<T>(v128.add<T>(ww0, ww1), out + 16);
}

function addCubic<T>(x: usize, y: usize, end: usize, out: usize): void {
  let xxx0 = v128.splat<T>(0 as T);
  let xxy0 = xxx0, xyy0 = xxx0, yyy0 = xxx0, xxx1 = xxx0, xxy1 = xxx0, xyy1 = xxx0, yyy1 = xxx0;
  while (x < end) {
    const x0 = v128.load(x);
    const y0 = v128.load(y);
    const xx0 = v128.mul<T>(x0, x0);
    const yy0 = v128.mul<T>(y0, y0);
    xxx0 = multiplyAdd<T>(xx0, x0, xxx0);
    xxy0 = multiplyAdd<T>(xx0, y0, xxy0);
    xyy0 = multiplyAdd<T>(yy0, x0, xyy0);
    yyy0 = multiplyAdd<T>(yy0, y0, yyy0);
    const x1 = v128.load(x, 16);
    const y1 = v128.load(y, 16);
    const xx1 = v128.mul<T>(x1, x1);
    const yy1 = v128.mul<T>(y1, y1);
    xxx1 = multiplyAdd<T>(xx1, x1, xxx1);
    xxy1 = multiplyAdd<T>(xx1, y1, xxy1);
    xyy1 = multiplyAdd<T>(yy1, x1, xyy1);
    yyy1 = multiplyAdd<T>(yy1, y1, yyy1);
    x += 32;
    y += 32;
  }
  addLanes<T>(v128.add<T>(xxx0, xxx1), out);
  addLanes<T>(v128.add<T>(xxy0, xxy1), out + 8);
  addLanes<T>(v128.add<T>(xyy0, xyy1), out + 16);
  addLanes<T>(v128.add<T>(yyy0, yyy1), out + 24);
}

// @ts-ignore: decorator
@inline
function addLanes<T>(sums: v128, out: usize): void {
  let low = sums;
  if (sizeof<T>() == 4) low = f64x2.add(f64x2.promote_low_f32x4(sums), f64x2.promote_low_f32x4(v128.shuffle<u64>(sums, sums, 1, 1)));
  store<f64>(out, load<f64>(out) + (f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1)));
}
