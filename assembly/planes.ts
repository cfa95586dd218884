/**
 * Rows that are turned in pairs. A step turns some planes and then sums over others, chunk by chunk, so that a row is in
 * the L1 cache when it is needed again. All rows have the same length, a multiple of two vectors; what fills a row up is
 * zero, which no sum notices and no rotation changes.
 *
 *     turn      x, y ← c x + s y, c y − s x
 *     quartic   Σ u², Σ uw, Σ w²,  u = x² − y²,  w = xy
 *     cubic     Σ x³, Σ x²y, Σ xy², Σ y³
 */
import { multiplyAdd } from './tile';

/** Bytes of a row in a chunk: the eight rows of a step take half of the L1 cache. */
const CHUNK: usize = 2048;

/** Bytes of an entry of `turns`: the addresses of x and y (u32), c and s. */
const TURN: usize = 24;
/** Bytes of an entry of `planes`: the addresses of x and y (u32). */
const PLANE: usize = 8;
/** Bytes of the sums of a plane. */
const SUMS: usize = 32;

/**
 * `bytes`: length of a row. No row occurs twice in `turns`, or twice in `planes`. The sums of each plane are stored at
 * `sums`.
 */
export function turnPlanes(
  turns: usize, turnCount: i32, planes: usize, planeCount: i32, cubic: bool, bytes: usize, sums: usize,
): void {
  const turnsEnd = turns + <usize>turnCount * TURN;
  const planesEnd = planes + <usize>planeCount * PLANE;
  memory.fill(sums, 0, <usize>planeCount * SUMS);
  for (let at: usize = 0; at < bytes; at += CHUNK) {
    const length = min(CHUNK, bytes - at);
    for (let entry = turns; entry < turnsEnd; entry += TURN) {
      const x = at + <usize>load<u32>(entry);
      const y = at + <usize>load<u32>(entry, 4);
      turn(x, y, x + length, load<f64>(entry, 8), load<f64>(entry, 16));
    }
    let out = sums;
    for (let entry = planes; entry < planesEnd; entry += PLANE) {
      const x = at + <usize>load<u32>(entry);
      const y = at + <usize>load<u32>(entry, 4);
      if (cubic) addCubic(x, y, x + length, out);
      else addQuartic(x, y, x + length, out);
      out += SUMS;
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
