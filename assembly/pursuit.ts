/**
 * Orthogonal matching pursuit on the Gram matrix, one sample after the other, in float64: the recursion of
 * src/kernels/reference/pursuit.ts in another order.
 *
 *     l² = G_kk − Σ_j z_j[k]²,   c = α_k/l,   z = G_k/l − Σ_j (z_j[k]/l) z_j,   α ← α − c z,   k = argmax |α_k|
 *
 * One loop over the atoms does the last three: a group of atoms stays in registers while it runs through the directions
 * z_j, which lie side by side, `[group][j][GROUP]`. The last direction of a sample is never computed: nothing follows.
 */
import { multiplyAdd } from './tile';

/** Atoms of a group: four vectors. Rows of G, and vectors of K numbers, are zero-padded to whole groups. */
export const GROUP: i32 = 8;
export const GROUP_BYTES: usize = 64;

/** See the reference. */
const DEPENDENT: f64 = 1e-10;

/**
 * `codes`: Y Dᵀ, the codes of a sample `rowBytes` apart, every four of them `panelBytes` apart. `gram`: K rows of whole
 * groups. `norms`: ‖y‖. A pursuit ends after `most` atoms, or when ‖r‖² ≤ target·‖y‖².
 *
 * Writes the number of atoms of every sample to `counts`, the atoms and codes of all samples one after the other, and
 * ‖r‖² to `residuals`. Returns the number of codes.
 */
export function pursue(
  codes: usize, rowBytes: usize, panelBytes: usize, rows: i32, K: i32, gram: usize, norms: usize,
  room: usize, counts: usize, atoms: usize, values: usize, residuals: usize, most: i32, target: f64,
): i32 {
  const groups = (K + GROUP - 1) / GROUP;
  const alpha = room;
  const z = alpha + <usize>groups * GROUP_BYTES;
  const weights = z + <usize>groups * <usize>most * GROUP_BYTES;
  const triangle = weights + <usize>most * 8;
  let total = 0;
  v128.store(alpha + <usize>(groups - 1) * GROUP_BYTES, f64x2.splat(0), 32);
  v128.store(alpha + <usize>(groups - 1) * GROUP_BYTES, f64x2.splat(0), 48);
  for (let j = 0; j < rows; j++) {
    const norm = load<f64>(norms + <usize>j * 8);
    const energy = norm * norm;
    const own = <usize>total;
    const count = pursueOne(
      codes + <usize>j * rowBytes, panelBytes, K, groups, gram, most, energy, energy * target,
      alpha, z, weights, triangle, atoms + own * 4, values + own * 8, residuals + <usize>j * 8,
    );
    store<i32>(counts + <usize>j * 4, count);
    total += count;
  }
  return total;
}

function pursueOne(
  codes: usize, panelBytes: usize, K: i32, groups: i32, gram: usize, most: i32, energy: f64, target: f64,
  alpha: usize, z: usize, weights: usize, triangle: usize, atoms: usize, values: usize, residual: usize,
): i32 {
  const rowBytes = <usize>groups * GROUP_BYTES;
  const slots = <usize>most * GROUP_BYTES;
  let left = energy;
  let count = 0;
  let k = gather(codes, panelBytes, K, alpha, groups);
  // beyond K there are zeros, which are larger than numbers that are not
  while (count < most && left > target && k < K) {
    const line = triangle + <usize>count * <usize>most * 8;
    const row = gram + <usize>k * rowBytes;
    const square = load<f64>(row + <usize>k * 8) - remember(z + <usize>(k / GROUP) * slots + <usize>(k % GROUP) * 8, count, line);
    if (!(square > DEPENDENT)) break;
    const inverse = 1 / Math.sqrt(square);
    const c = load<f64>(alpha + <usize>k * 8) * inverse;
    store<f64>(line + <usize>count * 8, inverse);
    store<i32>(atoms + <usize>count * 4, k);
    store<f64>(values + <usize>count * 8, c);
    left -= c * c;
    if (count + 1 < most && left > target) {
      for (let j = 0; j < count; j++) store<f64>(weights + <usize>j * 8, -load<f64>(line + <usize>j * 8) * inverse);
      k = advance(row, inverse, c, k, weights, count, z, slots, alpha, groups);
    }
    count++;
  }
  solve(triangle, most, count, values);
  store<f64>(residual, max<f64>(0, left));
  return count;
}

/** Copies the codes of a sample to α; returns the index of the largest. */
function gather(codes: usize, panelBytes: usize, K: i32, alpha: usize, groups: i32): i32 {
  let largest = f64x2.splat(-1);
  const panels = (K + 3) / 4;
  for (let p = 0; p < panels; p++) {
    const a = v128.load(codes);
    const b = v128.load(codes, 16);
    const to = alpha + <usize>p * 32;
    v128.store(to, a);
    v128.store(to, b, 16);
    largest = f64x2.pmax(largest, f64x2.abs(a));
    largest = f64x2.pmax(largest, f64x2.abs(b));
    codes += panelBytes;
  }
  return find(alpha, groups, largest);
}

/** Copies z_j[k] to a line of L; returns their sum of squares. */
function remember(z: usize, count: i32, line: usize): f64 {
  let sum: f64 = 0;
  for (let j = 0; j < count; j++) {
    const own = load<f64>(z + <usize>j * GROUP_BYTES);
    store<f64>(line + <usize>j * 8, own);
    sum += own * own;
  }
  return sum;
}

/** Writes the direction of atom k to slot `count` and takes it from α; returns the next atom. */
function advance(
  row: usize, inverse: f64, c: f64, k: i32, weights: usize, count: i32, z: usize, slots: usize, alpha: usize, groups: i32,
): i32 {
  const factor = f64x2.splat(inverse);
  const minus = f64x2.splat(-c);
  const end = weights + <usize>count * 8;
  let largest = f64x2.splat(-1);
  let to = alpha;
  const last = alpha + <usize>groups * GROUP_BYTES;
  while (to < last) {
    let a0 = f64x2.mul(factor, v128.load(row));
    let a1 = f64x2.mul(factor, v128.load(row, 16));
    let a2 = f64x2.mul(factor, v128.load(row, 32));
    let a3 = f64x2.mul(factor, v128.load(row, 48));
    let at = z;
    for (let w = weights; w < end; w += 8) {
      const weight = v128.load64_splat(w);
      a0 = multiplyAdd<f64>(weight, v128.load(at), a0);
      a1 = multiplyAdd<f64>(weight, v128.load(at, 16), a1);
      a2 = multiplyAdd<f64>(weight, v128.load(at, 32), a2);
      a3 = multiplyAdd<f64>(weight, v128.load(at, 48), a3);
      at += GROUP_BYTES;
    }
    v128.store(at, a0);
    v128.store(at, a1, 16);
    v128.store(at, a2, 32);
    v128.store(at, a3, 48);
    a0 = multiplyAdd<f64>(minus, a0, v128.load(to));
    a1 = multiplyAdd<f64>(minus, a1, v128.load(to, 16));
    a2 = multiplyAdd<f64>(minus, a2, v128.load(to, 32));
    a3 = multiplyAdd<f64>(minus, a3, v128.load(to, 48));
    v128.store(to, a0);
    v128.store(to, a1, 16);
    v128.store(to, a2, 32);
    v128.store(to, a3, 48);
    largest = f64x2.pmax(f64x2.pmax(largest, f64x2.abs(a0)), f64x2.abs(a1));
    largest = f64x2.pmax(f64x2.pmax(largest, f64x2.abs(a2)), f64x2.abs(a3));
    row += GROUP_BYTES;
    z += slots;
    to += GROUP_BYTES;
  }
  store<f64>(alpha + <usize>k * 8, 0);
  return find(alpha, groups, largest);
}

/** The first index of the largest |α|, given the largest of either lane, or a larger number. */
function find(alpha: usize, groups: i32, lanes: v128): i32 {
  const size = max(f64x2.extract_lane(lanes, 0), f64x2.extract_lane(lanes, 1));
  const wanted = f64x2.splat(size);
  for (let g = 0; g < groups; g++) {
    const at = alpha + <usize>g * GROUP_BYTES;
    const e0 = f64x2.eq(f64x2.abs(v128.load(at)), wanted);
    const e1 = f64x2.eq(f64x2.abs(v128.load(at, 16)), wanted);
    const e2 = f64x2.eq(f64x2.abs(v128.load(at, 32)), wanted);
    const e3 = f64x2.eq(f64x2.abs(v128.load(at, 48)), wanted);
    if (!v128.any_true(v128.or(v128.or(e0, e1), v128.or(e2, e3)))) continue;
    const bits = i64x2.bitmask(e0) | (i64x2.bitmask(e1) << 2) | (i64x2.bitmask(e2) << 4) | (i64x2.bitmask(e3) << 6);
    return g * GROUP + ctz(bits);
  }
  return search(alpha, groups);
}

/** Searches all groups for the entry of largest magnitude. */
function search(alpha: usize, groups: i32): i32 {
  let k = 0;
  let size: f64 = -1;
  for (let i = 0; i < groups * GROUP; i++) {
    const own = abs(load<f64>(alpha + <usize>i * 8));
    if (own > size) {
      size = own;
      k = i;
    }
  }
  return k;
}

/** Lᵀ x = c, in place; a line of L ends with the inverse of its diagonal. */
function solve(triangle: usize, most: i32, count: i32, values: usize): void {
  for (let s = count - 1; s >= 0; s--) {
    const line = triangle + <usize>s * <usize>most * 8;
    const x = load<f64>(values + <usize>s * 8) * load<f64>(line + <usize>s * 8);
    store<f64>(values + <usize>s * 8, x);
    for (let j = 0; j < s; j++) {
      const at = <usize>j * 8;
      store<f64>(values + at, load<f64>(values + at) - load<f64>(line + at) * x);
    }
  }
}
