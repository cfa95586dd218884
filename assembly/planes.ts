/**
 * Rows that are turned in pairs. A step turns some planes and then sums over others, chunk by chunk, so that a row is in
 * the L1 cache when it is needed again. A row is a multiple of two vectors long; what fills it up is zero, which no sum
 * notices and no rotation changes.
 *
 *     turn      x, y ← c x + s y, c y − s x
 *     quartic   Σ u², Σ uw, Σ w²,  u = x² − y²,  w = xy
 *     cubic     Σ x³, Σ x²y, Σ xy², Σ y³
 *
 * Every row has a header, a line of the cache, for the plane in which it is x. Planes of a step are a list from header
 * to header, by the numbers of rows, which ends with −1. So threads can work on different rows of one memory.
 *
 *     0  next plane to turn, its y (i32)      8  c, s (f64)
 *    24  next plane to sum, its y (i32)      32  its sums (f64)
 */
import { multiplyAdd } from './tile';

/** Bytes of a header. */
const HEADER: usize = 64;

/** Bytes of a row in a chunk: the rows of a step, a dozen, fit in the L1 cache together. */
const CHUNK: usize = 2048;

/** Row i begins at `rows` + i·`distance`; `bytes`: its length. `turns`, `planes`: first rows of the lists, or −1. */
export function turnPlanes(
  headers: usize, rows: usize, distance: usize, bytes: usize, turns: i32, planes: i32, cubic: bool,
): void {
  for (let i = planes; i >= 0; i = load<i32>(headers + <usize>i * HEADER, 24)) {
    memory.fill(headers + <usize>i * HEADER + 32, 0, 32);
  }
  for (let at: usize = 0; at < bytes; at += CHUNK) {
    const chunk = rows + at;
    const length = min(CHUNK, bytes - at);
    for (let i = turns; i >= 0; ) {
      const header = headers + <usize>i * HEADER;
      const x = chunk + <usize>i * distance;
      const y = chunk + <usize>load<i32>(header, 4) * distance;
      turn(x, y, x + length, load<f64>(header, 8), load<f64>(header, 16));
      i = load<i32>(header);
    }
    for (let i = planes; i >= 0; ) {
      const header = headers + <usize>i * HEADER;
      const x = chunk + <usize>i * distance;
      const y = chunk + <usize>load<i32>(header, 28) * distance;
      if (cubic) addCubic(x, y, x + length, header + 32);
      else addQuartic(x, y, x + length, header + 32);
      i = load<i32>(header, 24);
    }
  }
}

function turn(x: usize, y: usize, end: usize, cosine: f64, sine: f64): void {
  const c = f64x2.splat(cosine);
  const s = f64x2.splat(sine);
  const minus = f64x2.splat(-sine);
  while (x < end) {
    const x0 = v128.load(x);
    const x1 = v128.load(x, 16);
    const y0 = v128.load(y);
    const y1 = v128.load(y, 16);
    v128.store(x, multiplyAdd<f64>(s, y0, f64x2.mul(c, x0)));
    v128.store(x, multiplyAdd<f64>(s, y1, f64x2.mul(c, x1)), 16);
    v128.store(y, multiplyAdd<f64>(minus, x0, f64x2.mul(c, y0)));
    v128.store(y, multiplyAdd<f64>(minus, x1, f64x2.mul(c, y1)), 16);
    x += 32;
    y += 32;
  }
}

/** Two vectors at a time, each with sums of its own: one would wait for its last addition. */
function addQuartic(x: usize, y: usize, end: usize, out: usize): void {
  let uu0 = f64x2.splat(0);
  let uw0 = uu0, ww0 = uu0, uu1 = uu0, uw1 = uu0, ww1 = uu0;
  while (x < end) {
    const x0 = v128.load(x);
    const y0 = v128.load(y);
    const u0 = f64x2.mul(f64x2.add(x0, y0), f64x2.sub(x0, y0));
    const w0 = f64x2.mul(x0, y0);
    uu0 = multiplyAdd<f64>(u0, u0, uu0);
    uw0 = multiplyAdd<f64>(u0, w0, uw0);
    ww0 = multiplyAdd<f64>(w0, w0, ww0);
    const x1 = v128.load(x, 16);
    const y1 = v128.load(y, 16);
    const u1 = f64x2.mul(f64x2.add(x1, y1), f64x2.sub(x1, y1));
    const w1 = f64x2.mul(x1, y1);
    uu1 = multiplyAdd<f64>(u1, u1, uu1);
    uw1 = multiplyAdd<f64>(u1, w1, uw1);
    ww1 = multiplyAdd<f64>(w1, w1, ww1);
    x += 32;
    y += 32;
  }
  addLanes(f64x2.add(uu0, uu1), out);
  addLanes(f64x2.add(uw0, uw1), out + 8);
  addLanes(f64x2.add(ww0, ww1), out + 16);
}

function addCubic(x: usize, y: usize, end: usize, out: usize): void {
  let xxx0 = f64x2.splat(0);
  let xxy0 = xxx0, xyy0 = xxx0, yyy0 = xxx0, xxx1 = xxx0, xxy1 = xxx0, xyy1 = xxx0, yyy1 = xxx0;
  while (x < end) {
    const x0 = v128.load(x);
    const y0 = v128.load(y);
    const xx0 = f64x2.mul(x0, x0);
    const yy0 = f64x2.mul(y0, y0);
    xxx0 = multiplyAdd<f64>(xx0, x0, xxx0);
    xxy0 = multiplyAdd<f64>(xx0, y0, xxy0);
    xyy0 = multiplyAdd<f64>(yy0, x0, xyy0);
    yyy0 = multiplyAdd<f64>(yy0, y0, yyy0);
    const x1 = v128.load(x, 16);
    const y1 = v128.load(y, 16);
    const xx1 = f64x2.mul(x1, x1);
    const yy1 = f64x2.mul(y1, y1);
    xxx1 = multiplyAdd<f64>(xx1, x1, xxx1);
    xxy1 = multiplyAdd<f64>(xx1, y1, xxy1);
    xyy1 = multiplyAdd<f64>(yy1, x1, xyy1);
    yyy1 = multiplyAdd<f64>(yy1, y1, yyy1);
    x += 32;
    y += 32;
  }
  addLanes(f64x2.add(xxx0, xxx1), out);
  addLanes(f64x2.add(xxy0, xxy1), out + 8);
  addLanes(f64x2.add(xyy0, xyy1), out + 16);
  addLanes(f64x2.add(yyy0, yyy1), out + 24);
}

// @ts-ignore: decorator
@inline
function addLanes(sums: v128, out: usize): void {
  store<f64>(out, load<f64>(out) + (f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1)));
}
