/**
 * Conditions raw samples (S) and packs them (T) in both layouts of pack.ts in one go: a square of vectors is
 * conditioned in registers, stored as it is in the panels of columns, and transposed in those of rows.
 */
import { conditioned, conditionedOne, factorOf, restOf } from './condition';
import { transposeFour } from './pack';
import { PANEL, PANEL_BYTES, panelsFor } from './tile';

/**
 * `rowPanels`: `[panel][k][PANEL]`, zero beyond the last row. `columnPanels`: `columnStride` bytes apart, not touched
 * beyond the last column.
 */
export function packSamples<S, T>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, rowPanels: usize, columnPanels: usize, columnStride: usize,
): void {
  const panelBytes = <usize>cols * PANEL_BYTES;
  if (rows % PANEL<T>() != 0) memory.fill(rowPanels + <usize>(panelsFor<T>(rows) - 1) * panelBytes, 0, panelBytes);
  if (offset) packBlock<S, T>(samples, rows, cols, offset, scale, rowPanels, columnPanels, columnStride, true);
  else packBlock<S, T>(samples, rows, cols, 0, scale, rowPanels, columnPanels, columnStride, false);
}

// @ts-ignore: decorator
@inline
function packBlock<S, T>(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, rowPanels: usize, columnPanels: usize, columnStride: usize,
  shifted: bool,
): void {
  const lanes = <i32>(16 / sizeof<T>());
  const rowBytes = <usize>cols * sizeof<S>();
  const factor = factorOf<S, T>(scale, shifted);
  const rest = restOf<S, T>(scale, shifted);
  const whole = cols - cols % lanes;
  let i = 0;
  for (; i + 4 <= rows; i += 4) {
    const from = samples + <usize>i * rowBytes;
    const target = rowPanels + rowOffset<T>(i, cols);
    const column = columnPanels + <usize>i * PANEL_BYTES;
    for (let k = 0; k < whole; k += lanes) {
      const at = from + <usize>k * sizeof<S>();
      const shift = offset + <usize>k * 8;
      const r0 = conditioned<S, T>(at, shift, factor, rest, shifted);
      const r1 = conditioned<S, T>(at + rowBytes, shift, factor, rest, shifted);
      const r2 = conditioned<S, T>(at + 2 * rowBytes, shift, factor, rest, shifted);
      const r3 = conditioned<S, T>(at + 3 * rowBytes, shift, factor, rest, shifted);
      const to = column + columnOffset<T>(k, columnStride);
      v128.store(to, r0);
      v128.store(to, r1, PANEL_BYTES);
      v128.store(to, r2, 2 * PANEL_BYTES);
      v128.store(to, r3, 3 * PANEL_BYTES);
      transposeFour<T>(r0, r1, r2, r3, target + <usize>k * PANEL_BYTES);
    }
    for (let k = whole; k < cols; k++) {
      const to = column + columnOffset<T>(k, columnStride);
      for (let r = 0; r < 4; r++) {
        const y = conditionedOne<S, T>(from + <usize>r * rowBytes, k, offset, scale, shifted);
        store<T>(to + <usize>r * PANEL_BYTES, y);
        store<T>(target + <usize>k * PANEL_BYTES + <usize>r * sizeof<T>(), y);
      }
    }
  }
  for (; i < rows; i++) {
    const from = samples + <usize>i * rowBytes;
    const target = rowPanels + rowOffset<T>(i, cols);
    for (let k = 0; k < cols; k++) {
      const y = conditionedOne<S, T>(from, k, offset, scale, shifted);
      store<T>(columnPanels + <usize>i * PANEL_BYTES + columnOffset<T>(k, columnStride), y);
      store<T>(target + <usize>k * PANEL_BYTES, y);
    }
  }
}

/** Where row i begins in panels of rows. */
// @ts-ignore: decorator
@inline
function rowOffset<T>(i: i32, cols: i32): usize {
  const panel = i / PANEL<T>();
  return <usize>panel * <usize>cols * PANEL_BYTES + <usize>(i - panel * PANEL<T>()) * sizeof<T>();
}

/** Where column k begins in panels of columns. */
// @ts-ignore: decorator
@inline
function columnOffset<T>(k: i32, columnStride: usize): usize {
  const panel = k / PANEL<T>();
  return <usize>panel * columnStride + <usize>(k - panel * PANEL<T>()) * sizeof<T>();
}
