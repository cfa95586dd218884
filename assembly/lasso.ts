/**
 * The lasso by coordinate descent on the Gram matrix, one sample after the other, in float64: the steps of
 * src/kernels/reference/lasso.ts.
 *
 *     x_k ← soft(r_k + G_kk x_k, λ)/G_kk,   r ← r − Δx_k G_k
 *
 * Sweeps over the non-zero codes need r for these alone. They work on a copy of their part of G and of r, and r as a
 * whole follows when they are over.
 */
import { GROUP, GROUP_BYTES } from './pursuit';
import { multiplyAdd } from './tile';

/** See the reference. */
const STILL: f64 = 1e-4;
const MOST_ROUNDS: i32 = 1000;
const MOST_SWEEPS: i32 = 10;

/** Arguments and results as in `pursue` (pursuit.ts). `room` has space for whole groups of K, times 8 more than that. */
export function lasso(
  codes: usize, rowBytes: usize, panelBytes: usize, rows: i32, K: i32, gram: usize, norms: usize,
  room: usize, counts: usize, atoms: usize, values: usize, residuals: usize, lambda: f64,
): i32 {
  const bytes = <usize>((K + GROUP - 1) / GROUP) * GROUP_BYTES;
  const r = room;
  const x = r + bytes;
  const scratch = x + bytes;
  let total = 0;
  memory.fill(r, 0, bytes);
  for (let j = 0; j < rows; j++) {
    const own = codes + <usize>j * rowBytes;
    start(own, panelBytes, K, r);
    memory.fill(x, 0, bytes);
    descend(r, x, gram, K, bytes, lambda, scratch);
    const norm = load<f64>(norms + <usize>j * 8);
    let residual = norm * norm;
    const before = total;
    for (let k = 0; k < K; k++) {
      const xk = load<f64>(x + <usize>k * 8);
      if (xk == 0) continue;
      store<i32>(atoms + <usize>total * 4, k);
      store<f64>(values + <usize>total * 8, xk);
      // ‖y‖² − 2 x·D y + x·G x
      residual -= xk * (load<f64>(own + <usize>(k >> 2) * panelBytes + <usize>(k & 3) * 8) + load<f64>(r + <usize>k * 8));
      total++;
    }
    store<i32>(counts + <usize>j * 4, total - before);
    store<f64>(residuals + <usize>j * 8, max<f64>(0, residual));
  }
  return total;
}

/** r = D y */
function start(codes: usize, panelBytes: usize, K: i32, r: usize): void {
  const end = r + <usize>((K + 3) / 4) * 32;
  while (r < end) {
    v128.store(r, v128.load(codes));
    v128.store(r, v128.load(codes, 16), 16);
    r += 32;
    codes += panelBytes;
  }
}

function descend(r: usize, x: usize, gram: usize, K: i32, bytes: usize, lambda: f64, scratch: usize): void {
  const still = STILL * lambda;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (sweep(r, x, gram, K, bytes, lambda) <= still) return;
    settle(r, x, gram, K, bytes, lambda, scratch);
  }
}

/** One sweep over all codes; returns the largest change. */
function sweep(r: usize, x: usize, gram: usize, K: i32, bytes: usize, lambda: f64): f64 {
  let largest: f64 = 0;
  for (let k = 0; k < K; k++) {
    const at = <usize>k * 8;
    const old = load<f64>(x + at);
    const rk = load<f64>(r + at);
    if (old == 0 && abs(rk) <= lambda) continue;
    const row = gram + <usize>k * bytes;
    const diagonal = load<f64>(row + at);
    const next = soft(rk + diagonal * old, lambda, diagonal);
    const change = next - old;
    if (change == 0) continue;
    store<f64>(x + at, next);
    subtract(change, row, r, bytes);
    largest = max(largest, abs(change));
  }
  return largest;
}

/**
 * Sweeps over the non-zero codes, numbered i = 0, 1, … here. What they keep is z_i = r_i + G_ii x_i, which a change of
 * x_i leaves alone: G is copied without its diagonal, and the inverse of that beside it.
 */
function settle(r: usize, x: usize, gram: usize, K: i32, bytes: usize, lambda: f64, scratch: usize): void {
  const xs = scratch;
  const zs = xs + bytes;
  const inverses = zs + bytes;
  const changes = inverses + bytes;
  const places = changes + bytes;
  const G = places + bytes;
  const count = gather(r, x, gram, K, bytes, xs, zs, inverses, places);
  const width = <usize>((count + 3) / 4) * 32;
  memory.fill(zs + <usize>count * 8, 0, width - <usize>count * 8);
  gatherGram(gram, bytes, places, count, G, width);
  const still = STILL * lambda;
  for (let sweeps = 0; sweeps < MOST_SWEEPS; sweeps++) {
    if (sweepChosen(zs, xs, inverses, G, count, width, lambda) <= still) break;
  }
  for (let i = 0; i < count; i++) {
    const at = x + <usize>load<u32>(places + <usize>i * 4);
    const next = load<f64>(xs + <usize>i * 8);
    store<f64>(changes + <usize>i * 8, load<f64>(at) - next);
    store<f64>(at, next);
  }
  follow(r, gram, bytes, places, changes, count);
}

/** Copies the non-zero codes and what belongs to them, and their places in bytes; returns their number. */
function gather(
  r: usize, x: usize, gram: usize, K: i32, bytes: usize, xs: usize, zs: usize, inverses: usize, places: usize,
): i32 {
  let count: usize = 0;
  for (let k = 0; k < K; k++) {
    const at = <usize>k * 8;
    const xk = load<f64>(x + at);
    if (xk == 0) continue;
    const diagonal = load<f64>(gram + <usize>k * bytes + at);
    store<f64>(xs + count * 8, xk);
    store<f64>(zs + count * 8, load<f64>(r + at) + diagonal * xk);
    store<f64>(inverses + count * 8, 1 / diagonal);
    store<u32>(places + count * 4, <u32>at);
    count++;
  }
  return <i32>count;
}

/** Copies their part of G, rows `width` bytes apart, with zeros on the diagonal. */
function gatherGram(gram: usize, bytes: usize, places: usize, count: i32, out: usize, width: usize): void {
  const end = places + <usize>count * 4;
  for (let from = places; from < end; from += 4) {
    const row = gram + <usize>(load<u32>(from) / 8) * bytes;
    let to = out;
    for (let at = places; at < end; at += 4) {
      store<f64>(to, load<f64>(row + <usize>load<u32>(at)));
      to += 8;
    }
    for (; to < out + width; to += 8) store<f64>(to, 0);
    store<f64>(out + <usize>(from - places) * 2, 0);
    out += width;
  }
}

/** One sweep over codes that are not zero; returns the largest change. Without branches on signs, which are random. */
function sweepChosen(zs: usize, xs: usize, inverses: usize, gram: usize, count: i32, width: usize, lambda: f64): f64 {
  const lambdas = f64x2.splat(lambda);
  const zero = f64x2.splat(0);
  const signBit = f64x2.splat(-0.0);
  let largest = zero;
  for (let i = 0; i < count; i++) {
    const at = <usize>i * 8;
    const old = v128.load64_splat(xs + at);
    if (f64x2.extract_lane(old, 0) == 0) continue;
    const z = v128.load64_splat(zs + at);
    const size = f64x2.mul(f64x2.pmax(zero, f64x2.sub(f64x2.abs(z), lambdas)), v128.load64_splat(inverses + at));
    const next = v128.or(size, v128.and(z, signBit));
    const minus = f64x2.sub(old, next);
    v128.store64_lane(xs + at, next, 0);
    largest = f64x2.pmax(largest, f64x2.abs(minus));
    const row = gram + <usize>i * width;
    let to = zs;
    for (let from = row; from < row + width; from += 32) {
      v128.store(to, multiplyAdd<f64>(minus, v128.load(from), v128.load(to)));
      v128.store(to, multiplyAdd<f64>(minus, v128.load(from, 16), v128.load(to, 16)), 16);
      to += 32;
    }
  }
  return f64x2.extract_lane(largest, 0);
}

// @ts-ignore: decorator
@inline
function soft(z: f64, lambda: f64, diagonal: f64): f64 {
  return z > lambda ? (z - lambda) / diagonal : z < -lambda ? (z + lambda) / diagonal : 0;
}

/** r ← r − change·row */
// @ts-ignore: decorator
@inline
function subtract(change: f64, row: usize, r: usize, bytes: usize): void {
  const factor = f64x2.splat(-change);
  const end = row + bytes;
  while (row < end) {
    v128.store(r, multiplyAdd<f64>(factor, v128.load(row), v128.load(r)));
    v128.store(r, multiplyAdd<f64>(factor, v128.load(row, 16), v128.load(r, 16)), 16);
    v128.store(r, multiplyAdd<f64>(factor, v128.load(row, 32), v128.load(r, 32)), 32);
    v128.store(r, multiplyAdd<f64>(factor, v128.load(row, 48), v128.load(r, 48)), 48);
    row += GROUP_BYTES;
    r += GROUP_BYTES;
  }
}

/** r ← r + Σ changes_i G_i, a group of atoms at a time. */
function follow(r: usize, gram: usize, bytes: usize, places: usize, changes: usize, count: i32): void {
  const rowsPerPlace = bytes / 8;
  const last = r + bytes;
  while (r < last) {
    let a0 = v128.load(r);
    let a1 = v128.load(r, 16);
    let a2 = v128.load(r, 32);
    let a3 = v128.load(r, 48);
    for (let i = 0; i < count; i++) {
      const factor = v128.load64_splat(changes + <usize>i * 8);
      const from = gram + <usize>load<u32>(places + <usize>i * 4) * rowsPerPlace;
      a0 = multiplyAdd<f64>(factor, v128.load(from), a0);
      a1 = multiplyAdd<f64>(factor, v128.load(from, 16), a1);
      a2 = multiplyAdd<f64>(factor, v128.load(from, 32), a2);
      a3 = multiplyAdd<f64>(factor, v128.load(from, 48), a3);
    }
    v128.store(r, a0);
    v128.store(r, a1, 16);
    v128.store(r, a2, 32);
    v128.store(r, a3, 48);
    r += GROUP_BYTES;
    gram += GROUP_BYTES;
  }
}
