/**
 * The micro-kernel behind every product, and the layout that all its operands share.
 *
 * A **panel** holds PANEL<T>() rows or columns of a matrix side by side, two vectors (32 bytes) for each summation
 * index k: `[k][PANEL]`, 4 wide in f64 and 8 wide in f32. A matrix is a sequence of panels; the last is zero-padded.
 *
 *     tile:  C(4 × PANEL) = Σ_k  left[k][0..3]ᵀ · right[k][0..PANEL-1]
 *
 * The left operand is broadcast one number at a time, the right one is read as two vectors, and the 8 accumulators stay
 * in registers. An f32 panel on the left is used twice, once per half. Both operands have the same layout, so a panel
 * of codes or samples can serve on either side without repacking.
 */

/** Bytes per index k of a panel. */
export const PANEL_BYTES: usize = 32;

/** Rows of a tile: how many numbers of the left panel it uses. */
export const TILE_ROWS: i32 = 4;

/** What {@link tile} does with a finished tile C: stores it, adds it, or adds it to float64 numbers for every T. */
export const STORE: i32 = 0;
export const ADD: i32 = 1;
export const ADD_WIDE: i32 = 2;
/** Stores x³ for x = C, or for x = C plus what is there. */
export const STORE_CUBE: i32 = 3;
export const ADD_CUBE: i32 = 4;

/** Rows or columns in a panel. */
// @ts-ignore: decorator
@inline
export function PANEL<T>(): i32 {
  return i32(PANEL_BYTES / sizeof<T>());
}

/** Number of panels that hold `count` rows or columns. */
// @ts-ignore: decorator
@inline
export function panelsFor<T>(count: i32): i32 {
  return (count + PANEL<T>() - 1) / PANEL<T>();
}

/** Whether a panel that holds `count` rows or columns, or more, needs only the first of its two vectors. */
// @ts-ignore: decorator
@inline
export function isHalf<T>(count: i32): bool {
  return count <= PANEL<T>() / 2;
}

/** a·b + c: one rounding with relaxed SIMD where the machine has a fused instruction, two without. */
// @ts-ignore: decorator
@inline
export function multiplyAdd<T>(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return v128.relaxed_madd<T>(a, b, c);
  return v128.add<T>(c, v128.mul<T>(a, b));
}

/**
 * One tile: `depth` steps over `left` and `right`, then `finish` into rows at `out`, `stride` bytes apart. `left` points
 * to the first of the four numbers used: the start or the middle of a panel.
 */
// @ts-ignore: decorator
@inline
export function tile<T>(left: usize, right: usize, depth: i32, out: usize, stride: usize, finish: i32): void {
  let c00 = v128.splat<T>(0 as T);
  let c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;

  // One step per iteration, on purpose: compilers hoist all loads of an iteration to its top, and those of a second
  // step would not leave enough registers for the accumulators.
  const end = right + <usize>depth * PANEL_BYTES;
  while (right < end) {
    const b0 = v128.load(right);
    const b1 = v128.load(right, 16);
    const a0 = v128.load_splat<T>(left);
    c00 = multiplyAdd<T>(a0, b0, c00);
    c01 = multiplyAdd<T>(a0, b1, c01);
    const a1 = v128.load_splat<T>(left, sizeof<T>());
    c10 = multiplyAdd<T>(a1, b0, c10);
    c11 = multiplyAdd<T>(a1, b1, c11);
    const a2 = v128.load_splat<T>(left, 2 * sizeof<T>());
    c20 = multiplyAdd<T>(a2, b0, c20);
    c21 = multiplyAdd<T>(a2, b1, c21);
    const a3 = v128.load_splat<T>(left, 3 * sizeof<T>());
    c30 = multiplyAdd<T>(a3, b0, c30);
    c31 = multiplyAdd<T>(a3, b1, c31);
    right += PANEL_BYTES;
    left += PANEL_BYTES;
  }

  finishColumn<T>(c00, c10, c20, c30, out, stride, finish);
  const half: usize = finish == ADD_WIDE && sizeof<T>() == 4 ? 32 : 16;
  finishColumn<T>(c01, c11, c21, c31, out + half, stride, finish);
}

/**
 * One tile of eight rows for a right panel whose second vector is beyond the edge: four at `left` that go to `out`,
 * and four at `left2` that go to `out2`. The left operand is read as vectors here and the right one is broadcast: eight
 * broadcasts would not fit in the registers. So the tile is transposed when it is finished.
 */
// @ts-ignore: decorator
@inline
export function halfTile<T>(
  left: usize, left2: usize, right: usize, depth: i32, out: usize, out2: usize, stride: usize, finish: i32,
): void {
  let c0 = v128.splat<T>(0 as T);
  let c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0, c6 = c0, c7 = c0;
  const end = right + <usize>depth * PANEL_BYTES;
  if (sizeof<T>() == 4) {
    while (right < end) {
      const a0 = v128.load(left);
      const a1 = v128.load(left2);
      const b0 = v128.load_splat<T>(right);
      c0 = multiplyAdd<T>(b0, a0, c0);
      c4 = multiplyAdd<T>(b0, a1, c4);
      const b1 = v128.load_splat<T>(right, 4);
      c1 = multiplyAdd<T>(b1, a0, c1);
      c5 = multiplyAdd<T>(b1, a1, c5);
      const b2 = v128.load_splat<T>(right, 8);
      c2 = multiplyAdd<T>(b2, a0, c2);
      c6 = multiplyAdd<T>(b2, a1, c6);
      const b3 = v128.load_splat<T>(right, 12);
      c3 = multiplyAdd<T>(b3, a0, c3);
      c7 = multiplyAdd<T>(b3, a1, c7);
      right += PANEL_BYTES;
      left += PANEL_BYTES;
      left2 += PANEL_BYTES;
    }
    finishTransposed<T>(c0, c1, c2, c3, out, stride, finish);
    finishTransposed<T>(c4, c5, c6, c7, out2, stride, finish);
  } else {
    while (right < end) {
      const b0 = v128.load_splat<T>(right);
      const b1 = v128.load_splat<T>(right, 8);
      const a0 = v128.load(left);
      c0 = multiplyAdd<T>(b0, a0, c0);
      c1 = multiplyAdd<T>(b1, a0, c1);
      const a1 = v128.load(left, 16);
      c2 = multiplyAdd<T>(b0, a1, c2);
      c3 = multiplyAdd<T>(b1, a1, c3);
      const a2 = v128.load(left2);
      c4 = multiplyAdd<T>(b0, a2, c4);
      c5 = multiplyAdd<T>(b1, a2, c5);
      const a3 = v128.load(left2, 16);
      c6 = multiplyAdd<T>(b0, a3, c6);
      c7 = multiplyAdd<T>(b1, a3, c7);
      right += PANEL_BYTES;
      left += PANEL_BYTES;
      left2 += PANEL_BYTES;
    }
    finishTransposed<T>(c0, c1, c2, c3, out, stride, finish);
    finishTransposed<T>(c4, c5, c6, c7, out2, stride, finish);
  }
}

/** Finishes half a tile whose vectors are columns: four of four rows in f32, two of two and two more rows in f64. */
// @ts-ignore: decorator
@inline
function finishTransposed<T>(
  c0: v128, c1: v128, c2: v128, c3: v128, out: usize, stride: usize, finish: i32,
): void {
  if (sizeof<T>() == 8) {
    const r0 = v128.shuffle<u64>(c0, c1, 0, 2);
    const r1 = v128.shuffle<u64>(c0, c1, 1, 3);
    finishColumn<T>(r0, r1, v128.shuffle<u64>(c2, c3, 0, 2), v128.shuffle<u64>(c2, c3, 1, 3), out, stride, finish);
  } else {
    const a = v128.shuffle<u32>(c0, c1, 0, 4, 1, 5);
    const b = v128.shuffle<u32>(c2, c3, 0, 4, 1, 5);
    const c = v128.shuffle<u32>(c0, c1, 2, 6, 3, 7);
    const d = v128.shuffle<u32>(c2, c3, 2, 6, 3, 7);
    const r0 = v128.shuffle<u64>(a, b, 0, 2);
    const r1 = v128.shuffle<u64>(a, b, 1, 3);
    finishColumn<T>(r0, r1, v128.shuffle<u64>(c, d, 0, 2), v128.shuffle<u64>(c, d, 1, 3), out, stride, finish);
  }
}

/** Finishes one vector of four rows. */
// @ts-ignore: decorator
@inline
function finishColumn<T>(
  c0: v128, c1: v128, c2: v128, c3: v128, out: usize, stride: usize, finish: i32,
): void {
  finishOne<T>(c0, out, finish);
  finishOne<T>(c1, out + stride, finish);
  finishOne<T>(c2, out + 2 * stride, finish);
  finishOne<T>(c3, out + 3 * stride, finish);
}

// @ts-ignore: decorator
@inline
function finishOne<T>(c: v128, out: usize, finish: i32): void {
  if (finish == STORE) v128.store(out, c);
  else if (finish == STORE_CUBE) v128.store(out, cube<T>(c));
  else if (finish == ADD_CUBE) v128.store(out, cube<T>(v128.add<T>(v128.load(out), c)));
  else if (finish == ADD || sizeof<T>() == 8) v128.store(out, v128.add<T>(v128.load(out), c));
  else addWide(out, c);
}

// @ts-ignore: decorator
@inline
function cube<T>(x: v128): v128 {
  return v128.mul<T>(v128.mul<T>(x, x), x);
}

/** Adds four float32 numbers to four float64 numbers. */
// @ts-ignore: decorator
@inline
export function addWide(out: usize, c: v128): void {
  const low = f64x2.promote_low_f32x4(c);
  const high = f64x2.promote_low_f32x4(v128.shuffle<u64>(c, c, 1, 1));
  v128.store(out, v128.add<f64>(v128.load(out), low));
  v128.store(out, v128.add<f64>(v128.load(out, 16), high), 16);
}
