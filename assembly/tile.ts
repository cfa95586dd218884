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

/** What {@link tile} does with a finished tile. */
export const STORE: i32 = 0;
export const ADD: i32 = 1;
/** Adds to float64 numbers for every T. */
export const ADD_WIDE: i32 = 2;

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

/** a·b + c: one rounding with relaxed SIMD where the machine has a fused instruction, two without. */
// @ts-ignore: decorator
@inline
export function multiplyAdd<T>(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return v128.relaxed_madd<T>(a, b, c);
  return v128.add<T>(c, v128.mul<T>(a, b));
}

/**
 * One tile: `depth` steps over `left` and `right`, then `finish` (STORE, ADD or ADD_WIDE) into rows at `out`, `stride`
 * bytes apart. `left` points to the first of the four numbers used: the start or the middle of a panel.
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

  finishRow<T>(c00, c01, out, finish);
  finishRow<T>(c10, c11, out + stride, finish);
  finishRow<T>(c20, c21, out + 2 * stride, finish);
  finishRow<T>(c30, c31, out + 3 * stride, finish);
}

// @ts-ignore: decorator
@inline
function finishRow<T>(c0: v128, c1: v128, out: usize, finish: i32): void {
  if (finish == STORE) {
    v128.store(out, c0);
    v128.store(out, c1, 16);
  } else if (finish == ADD || sizeof<T>() == 8) {
    v128.store(out, v128.add<T>(v128.load(out), c0));
    v128.store(out, v128.add<T>(v128.load(out, 16), c1), 16);
  } else {
    addWide(out, c0);
    addWide(out + 32, c1);
  }
}

/** Adds four float32 numbers to four float64 numbers. */
// @ts-ignore: decorator
@inline
function addWide(out: usize, c: v128): void {
  const low = f64x2.promote_low_f32x4(c);
  const high = f64x2.promote_low_f32x4(v128.shuffle<u64>(c, c, 1, 1));
  v128.store(out, v128.add<f64>(v128.load(out), low));
  v128.store(out, v128.add<f64>(v128.load(out, 16), high), 16);
}
