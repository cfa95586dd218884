/**
 * Products of packed matrices, tile by tile. The loops differ in where a tile goes and in what should stay in each
 * cache.
 *
 *     codes       X = Y Aᵀ            T,   a panel of codes per panel of atoms: [panel][row][PANEL]
 *     accumulate  S += Lᵀ R           f64, a square of PANEL × PANEL sums for every pair of panels
 *     block       C += L Rᵀ           T,   row-major
 *
 * Padding rows of samples are never summed: depth is exact, only widths are padded.
 */
import { ADD, ADD_WIDE, PANEL, PANEL_BYTES, panelsFor, STORE, tile, TILE_ROWS } from './tile';

/** Summation steps per visit of a tile: one panel of this depth is 8 KiB and stays in the L1 cache. */
const DEPTH_BLOCK: i32 = 256;

/**
 * Codes of `rows` samples for `panels` panels of atoms. The samples are packed in panels of rows: `[panel][l][PANEL]`;
 * a panel of codes takes `codesStride` bytes, with room for `rows` rounded up to a full panel.
 */
export function codes<T>(
  samples: usize, rows: i32, depth: i32, atoms: usize, panels: i32, out: usize, codesStride: usize,
): void {
  const panelStride = <usize>depth * PANEL_BYTES;
  for (let start = 0; start < depth; start += DEPTH_BLOCK) {
    const steps = min(DEPTH_BLOCK, depth - start);
    const from = <usize>start * PANEL_BYTES;
    for (let p = 0; p < panels; p++) {
      const right = atoms + <usize>p * panelStride + from;
      const column = out + <usize>p * codesStride;
      for (let i = 0; i < rows; i += TILE_ROWS) {
        const left = samples + from + leftOf<T>(i, panelStride);
        const to = column + <usize>i * PANEL_BYTES;
        if (start == 0) tile<T>(left, right, steps, to, PANEL_BYTES, STORE);
        else tile<T>(left, right, steps, to, PANEL_BYTES, ADD);
      }
    }
  }
}

/**
 * sums += LᵀR over `rows` (at most ACCUMULATION_ROWS, the longest run summed in T). `sums` holds squares of
 * PANEL × PANEL float64 numbers, `rightPanels` per line. With `upper`, squares below the diagonal are skipped.
 */
export function accumulate<T>(
  left: usize, leftWidth: i32, leftStride: usize,
  right: usize, rightWidth: i32, rightStride: usize,
  rows: i32, sums: usize, upper: bool,
): void {
  const rightPanels = panelsFor<T>(rightWidth);
  const rowBytes = <usize>PANEL<T>() * 8;
  const square = rowBytes * PANEL<T>();
  for (let q = 0; q < rightPanels; q++) {
    const width = upper ? min(leftWidth, (q + 1) * PANEL<T>()) : leftWidth;
    for (let i = 0; i < width; i += TILE_ROWS) {
      const p = i / PANEL<T>();
      const to = sums + <usize>(p * rightPanels + q) * square + <usize>(i - p * PANEL<T>()) * rowBytes;
      tile<T>(left + leftOf<T>(i, leftStride), right + <usize>q * rightStride, rows, to, rowBytes, ADD_WIDE);
    }
  }
}

/** C += L Rᵀ for blocks that fit in cache; C's rows are `stride` bytes apart with room for whole tiles. */
export function block<T>(
  left: usize, leftWidth: i32, right: usize, rightWidth: i32, depth: i32, out: usize, stride: usize,
): void {
  const panelStride = <usize>depth * PANEL_BYTES;
  const rightPanels = panelsFor<T>(rightWidth);
  for (let q = 0; q < rightPanels; q++) {
    for (let i = 0; i < leftWidth; i += TILE_ROWS) {
      const to = out + <usize>i * stride + <usize>q * PANEL_BYTES;
      tile<T>(left + leftOf<T>(i, panelStride), right + <usize>q * panelStride, depth, to, stride, ADD);
    }
  }
}

/** Offset of row or column i in a sequence of panels. */
// @ts-ignore: decorator
@inline
function leftOf<T>(i: i32, panelStride: usize): usize {
  const panel = i / PANEL<T>();
  return <usize>panel * panelStride + <usize>(i - panel * PANEL<T>()) * sizeof<T>();
}
