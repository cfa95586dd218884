/**
 * Packing: from row-major matrices to panels (see tile.ts) and back.
 *
 *     packRows     panel p holds rows     p·PANEL…, a step k is a column:   out[p][k][r] = M[p·PANEL + r][k]
 *     packColumns  panel p holds columns  p·PANEL…, a step k is a row:      out[p][k][c] = M[k][p·PANEL + c]
 *
 * Panels are zero beyond the edge of the matrix.
 */
import { addWide, PANEL, PANEL_BYTES, panelsFor } from './tile';

/** Packs the rows of a `rows × cols` matrix, `stride` bytes apart, into panels of rows, each `cols` steps long. */
export function packRows<T>(from: usize, stride: usize, rows: i32, cols: i32, out: usize): void {
  const panelStride = <usize>cols * PANEL_BYTES;
  if (rows % PANEL<T>() != 0) memory.fill(out + <usize>(panelsFor<T>(rows) - 1) * panelStride, 0, panelStride);
  let i = 0;
  for (; i + 4 <= rows; i += 4) packFourRows<T>(from + <usize>i * stride, stride, cols, rowAt<T>(out, i, panelStride));
  for (; i < rows; i++) packOneRow<T>(from + <usize>i * stride, 0, cols, rowAt<T>(out, i, panelStride));
}

// @ts-ignore: decorator
@inline
function rowAt<T>(out: usize, i: i32, panelStride: usize): usize {
  const panel = i / PANEL<T>();
  return out + <usize>panel * panelStride + <usize>(i - panel * PANEL<T>()) * sizeof<T>();
}

function packOneRow<T>(from: usize, start: i32, cols: i32, out: usize): void {
  for (let k = start; k < cols; k++) {
    store<T>(out + <usize>k * PANEL_BYTES, load<T>(from + <usize>k * sizeof<T>()));
  }
}

/** Transposes four rows, a square of vectors at a time. */
function packFourRows<T>(from: usize, stride: usize, cols: i32, out: usize): void {
  const lanes = <i32>(16 / sizeof<T>());
  const whole = cols - cols % lanes;
  for (let k = 0; k < whole; k += lanes) {
    const source = from + <usize>k * sizeof<T>();
    const target = out + <usize>k * PANEL_BYTES;
    const r0 = v128.load(source);
    const r1 = v128.load(source + stride);
    const r2 = v128.load(source + 2 * stride);
    const r3 = v128.load(source + 3 * stride);
    transposeFour<T>(r0, r1, r2, r3, target);
  }
  for (let r = 0; r < 4; r++) packOneRow<T>(from + <usize>r * stride, whole, cols, out + <usize>r * sizeof<T>());
}

/** Stores a square of vectors, one of each of four rows, as columns: the first half or the second of steps of a panel. */
// @ts-ignore: decorator
@inline
export function transposeFour<T>(r0: v128, r1: v128, r2: v128, r3: v128, target: usize): void {
  if (sizeof<T>() == 8) {
    v128.store(target, v128.shuffle<u64>(r0, r1, 0, 2));
    v128.store(target, v128.shuffle<u64>(r2, r3, 0, 2), 16);
    v128.store(target, v128.shuffle<u64>(r0, r1, 1, 3), 32);
    v128.store(target, v128.shuffle<u64>(r2, r3, 1, 3), 48);
  } else {
    const a = v128.shuffle<u32>(r0, r1, 0, 4, 1, 5);
    const b = v128.shuffle<u32>(r2, r3, 0, 4, 1, 5);
    const c = v128.shuffle<u32>(r0, r1, 2, 6, 3, 7);
    const d = v128.shuffle<u32>(r2, r3, 2, 6, 3, 7);
    v128.store(target, v128.shuffle<u64>(a, b, 0, 2));
    v128.store(target, v128.shuffle<u64>(a, b, 1, 3), 32);
    v128.store(target, v128.shuffle<u64>(c, d, 0, 2), 64);
    v128.store(target, v128.shuffle<u64>(c, d, 1, 3), 96);
  }
}

/** The inverse of {@link packRows}: panels of rows to a row-major `rows × cols` matrix, rows `stride` bytes apart. */
export function unpackRows<T>(from: usize, rows: i32, cols: i32, out: usize, stride: usize): void {
  const panelStride = <usize>cols * PANEL_BYTES;
  let i = 0;
  for (; i + 4 <= rows; i += 4) unpackFourRows<T>(rowAt<T>(from, i, panelStride), cols, out + <usize>i * stride, stride);
  for (; i < rows; i++) unpackOneRow<T>(rowAt<T>(from, i, panelStride), 0, cols, out + <usize>i * stride);
}

function unpackOneRow<T>(from: usize, start: i32, cols: i32, out: usize): void {
  for (let k = start; k < cols; k++) {
    store<T>(out + <usize>k * sizeof<T>(), load<T>(from + <usize>k * PANEL_BYTES));
  }
}

function unpackFourRows<T>(from: usize, cols: i32, out: usize, stride: usize): void {
  const lanes = <i32>(16 / sizeof<T>());
  const whole = cols - cols % lanes;
  for (let k = 0; k < whole; k += lanes) {
    const source = from + <usize>k * PANEL_BYTES;
    const target = out + <usize>k * sizeof<T>();
    if (sizeof<T>() == 8) {
      const a0 = v128.load(source);
      const a1 = v128.load(source, 16);
      const b0 = v128.load(source, 32);
      const b1 = v128.load(source, 48);
      v128.store(target, v128.shuffle<u64>(a0, b0, 0, 2));
      v128.store(target + stride, v128.shuffle<u64>(a0, b0, 1, 3));
      v128.store(target + 2 * stride, v128.shuffle<u64>(a1, b1, 0, 2));
      v128.store(target + 3 * stride, v128.shuffle<u64>(a1, b1, 1, 3));
    } else {
      const k0 = v128.load(source);
      const k1 = v128.load(source, 32);
      const k2 = v128.load(source, 64);
      const k3 = v128.load(source, 96);
      const a = v128.shuffle<u32>(k0, k1, 0, 4, 1, 5);
      const b = v128.shuffle<u32>(k2, k3, 0, 4, 1, 5);
      const c = v128.shuffle<u32>(k0, k1, 2, 6, 3, 7);
      const d = v128.shuffle<u32>(k2, k3, 2, 6, 3, 7);
      v128.store(target, v128.shuffle<u64>(a, b, 0, 2));
      v128.store(target + stride, v128.shuffle<u64>(a, b, 1, 3));
      v128.store(target + 2 * stride, v128.shuffle<u64>(c, d, 0, 2));
      v128.store(target + 3 * stride, v128.shuffle<u64>(c, d, 1, 3));
    }
  }
  for (let r = 0; r < 4; r++) unpackOneRow<T>(from + <usize>r * sizeof<T>(), whole, cols, out + <usize>r * stride);
}

/** Packs the columns of a `rows × cols` matrix, rows `stride` bytes apart, into panels `panelStride` bytes apart. */
export function packColumns<T>(from: usize, stride: usize, rows: i32, cols: i32, out: usize, panelStride: usize): void {
  const whole = cols / PANEL<T>();
  for (let p = 0; p < whole; p++) {
    let source = from + <usize>p * PANEL_BYTES;
    let target = out + <usize>p * panelStride;
    for (let k = 0; k < rows; k++) {
      v128.store(target, v128.load(source));
      v128.store(target, v128.load(source, 16), 16);
      source += stride;
      target += PANEL_BYTES;
    }
  }
  const rest = cols - whole * PANEL<T>();
  if (rest == 0) return;
  const target = out + <usize>whole * panelStride;
  memory.fill(target, 0, <usize>rows * PANEL_BYTES);
  for (let k = 0; k < rows; k++) {
    const source = from + <usize>k * stride + <usize>whole * PANEL_BYTES;
    for (let c = 0; c < rest; c++) {
      const at = <usize>c * sizeof<T>();
      store<T>(target + <usize>k * PANEL_BYTES + at, load<T>(source + at));
    }
  }
}

/** Unpacks panels of columns, `panelStride` bytes apart, to a contiguous row-major `rows × cols` matrix. */
export function unpackColumns<T>(from: usize, panelStride: usize, rows: i32, cols: i32, out: usize): void {
  for (let k = 0; k < rows; k++) {
    let c = 0;
    for (let p = 0; c < cols; p++) {
      const source = from + <usize>p * panelStride + <usize>k * PANEL_BYTES;
      const end = min(cols, c + PANEL<T>());
      for (let lane = 0; c < end; c++, lane++) {
        store<T>(out + <usize>(k * cols + c) * sizeof<T>(), load<T>(source + <usize>lane * sizeof<T>()));
      }
    }
  }
}

/** Unpacks the squares of {@link accumulate} to a row-major float64 `rows × cols` matrix; `upper`: mirrors them. */
export function unpackSums<T>(sums: usize, rows: i32, cols: i32, upper: bool, out: usize): void {
  const panels = panelsFor<T>(cols);
  for (let i = 0; i < rows; i++) {
    const p = i / PANEL<T>();
    const line = sums + <usize>(p * panels * PANEL<T>() + (i - p * PANEL<T>())) * <usize>PANEL<T>() * 8;
    for (let j = upper ? i : 0; j < cols; j++) {
      const q = j / PANEL<T>();
      const at = <usize>q * <usize>(PANEL<T>() * PANEL<T>() * 8) + <usize>(j - q * PANEL<T>()) * 8;
      const sum = load<f64>(line + at);
      store<f64>(out + <usize>(i * cols + j) * 8, sum);
      if (upper) store<f64>(out + <usize>(j * cols + i) * 8, sum);
    }
  }
}

/** Makes `rows` rows of `bytes` bytes, `stride` bytes apart, contiguous in place. */
export function closeGaps(at: usize, rows: i32, bytes: usize, stride: usize): void {
  for (let i: usize = 1; i < <usize>rows; i++) memory.copy(at + i * bytes, at + i * stride, bytes);
}

/** Adds `count` float32 numbers to float64 numbers; `count` is rounded up to a multiple of 4. */
export function addWidened(from: usize, count: i32, to: usize): void {
  for (let i = 0; i < count; i += 4) addWide(to + <usize>i * 8, v128.load(from + <usize>i * 4));
}

/** Rounds `count` float64 numbers to float32, in place; `count` is rounded up to a multiple of 4. */
export function narrow(at: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) {
    const from = at + <usize>i * 8;
    const low = f32x4.demote_f64x2_zero(v128.load(from));
    const high = f32x4.demote_f64x2_zero(v128.load(from, 16));
    v128.store(at + <usize>i * 4, v128.shuffle<u64>(low, high, 0, 2));
  }
}
