/**
 * Products of packed matrices, tile by tile. The loops differ in where a tile goes and in what should stay in each
 * cache.
 *
 *     codes       X = Y Aᵀ            T,   a panel of codes per panel of atoms: [panel][row][PANEL]
 *     cubes       X³                  the same, cubed on the way from the registers
 *     accumulate  S += Lᵀ R           f64, a square of PANEL × PANEL sums for every pair of panels
 *     block       C += L Rᵀ           T,   row-major
 *     rowDots     Σ_l C_il A_il       f64, one number per row
 *
 * Padding rows of samples are never summed: depth is exact, only widths are padded.
 */
import {
  ADD, ADD_CUBE, ADD_WIDE, halfTile, isHalf, multiplyAdd, PANEL, PANEL_BYTES, panelsFor, STORE, STORE_CUBE, tile, TILE_ROWS,
} from './tile';

/** Summation steps per visit of a tile: one panel of this depth is 8 KiB and stays in the L1 cache. */
const DEPTH_BLOCK: i32 = 256;

/**
 * Codes of `rows` samples for `count` atoms. The samples are packed in panels of rows: `[panel][l][PANEL]`; a panel of
 * codes takes `codesStride` bytes, with room for `rows` rounded up to a full panel. The second half of the last panel is
 * not touched if no atom is there.
 */
export function codes<T>(
  samples: usize, rows: i32, depth: i32, atoms: usize, count: i32, out: usize, codesStride: usize,
): void {
  for (let start = 0; start < depth; start += DEPTH_BLOCK) {
    for (let p = 0; p < panelsFor<T>(count); p++) {
      const half = isHalf<T>(count - p * PANEL<T>());
      const right = atoms + <usize>p * <usize>depth * PANEL_BYTES;
      if (start == 0) storeCodes<T>(samples, rows, depth, start, right, out + <usize>p * codesStride, half);
      else addCodes<T>(samples, rows, depth, start, right, out + <usize>p * codesStride, half);
    }
  }
}

/** The cubes of the codes. */
export function cubes<T>(
  samples: usize, rows: i32, depth: i32, atoms: usize, count: i32, out: usize, codesStride: usize,
): void {
  for (let start = 0; start < depth; start += DEPTH_BLOCK) {
    const last = start + DEPTH_BLOCK >= depth;
    for (let p = 0; p < panelsFor<T>(count); p++) {
      const half = isHalf<T>(count - p * PANEL<T>());
      const right = atoms + <usize>p * <usize>depth * PANEL_BYTES;
      const column = out + <usize>p * codesStride;
      if (last && start == 0) storeCubes<T>(samples, rows, depth, start, right, column, half);
      else if (last) addCubes<T>(samples, rows, depth, start, right, column, half);
      else if (start == 0) storeCodes<T>(samples, rows, depth, start, right, column, half);
      else addCodes<T>(samples, rows, depth, start, right, column, half);
    }
  }
}

function storeCodes<T>(samples: usize, rows: i32, depth: i32, start: i32, right: usize, out: usize, half: bool): void {
  codesPanel<T>(samples, rows, depth, start, right, out, half, STORE);
}
function addCodes<T>(samples: usize, rows: i32, depth: i32, start: i32, right: usize, out: usize, half: bool): void {
  codesPanel<T>(samples, rows, depth, start, right, out, half, ADD);
}
function storeCubes<T>(samples: usize, rows: i32, depth: i32, start: i32, right: usize, out: usize, half: bool): void {
  codesPanel<T>(samples, rows, depth, start, right, out, half, STORE_CUBE);
}
function addCubes<T>(samples: usize, rows: i32, depth: i32, start: i32, right: usize, out: usize, half: bool): void {
  codesPanel<T>(samples, rows, depth, start, right, out, half, ADD_CUBE);
}

/** The part of a panel of codes that comes from DEPTH_BLOCK steps. */
// @ts-ignore: decorator
@inline
function codesPanel<T>(
  samples: usize, rows: i32, depth: i32, start: i32, right: usize, out: usize, half: bool, finish: i32,
): void {
  const panelStride = <usize>depth * PANEL_BYTES;
  const steps = min(DEPTH_BLOCK, depth - start);
  const from = <usize>start * PANEL_BYTES;
  let i = 0;
  if (half) {
    for (; i + TILE_ROWS < rows; i += 2 * TILE_ROWS) {
      const left = samples + from + leftOf<T>(i, panelStride);
      const left2 = samples + from + leftOf<T>(i + TILE_ROWS, panelStride);
      const to = out + <usize>i * PANEL_BYTES;
      halfTile<T>(left, left2, right + from, steps, to, to + TILE_ROWS * PANEL_BYTES, PANEL_BYTES, finish);
    }
  }
  for (; i < rows; i += TILE_ROWS) {
    const left = samples + from + leftOf<T>(i, panelStride);
    tile<T>(left, right + from, steps, out + <usize>i * PANEL_BYTES, PANEL_BYTES, finish);
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
  for (let q = 0; q < rightPanels; q++) {
    const width = upper ? min(leftWidth, (q + 1) * PANEL<T>()) : leftWidth;
    const panel = right + <usize>q * rightStride;
    let i = 0;
    if (isHalf<T>(rightWidth - q * PANEL<T>())) {
      for (; i + TILE_ROWS < width; i += 2 * TILE_ROWS) {
        const at = left + leftOf<T>(i, leftStride);
        const at2 = left + leftOf<T>(i + TILE_ROWS, leftStride);
        const to = squareOf<T>(sums, i, q, rightPanels);
        const to2 = squareOf<T>(sums, i + TILE_ROWS, q, rightPanels);
        halfTile<T>(at, at2, panel, rows, to, to2, rowBytes, ADD_WIDE);
      }
    }
    for (; i < width; i += TILE_ROWS) {
      tile<T>(left + leftOf<T>(i, leftStride), panel, rows, squareOf<T>(sums, i, q, rightPanels), rowBytes, ADD_WIDE);
    }
  }
}

/** Where the sums of row i and panel q are. */
// @ts-ignore: decorator
@inline
function squareOf<T>(sums: usize, i: i32, q: i32, rightPanels: i32): usize {
  const p = i / PANEL<T>();
  const rowBytes = <usize>PANEL<T>() * 8;
  return sums + <usize>(p * rightPanels + q) * rowBytes * PANEL<T>() + <usize>(i - p * PANEL<T>()) * rowBytes;
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

/** Products of the rows of float64 sums with those of atoms, both row-major without gaps. */
export function rowDots<T>(sums: usize, atoms: usize, rows: i32, cols: i32, out: usize): void {
  const whole = cols & ~1;
  for (let i = 0; i < rows; i++) {
    let dot = f64x2.splat(0);
    for (let l = 0; l < whole; l += 2) {
      const at = atoms + <usize>l * sizeof<T>();
      const a = sizeof<T>() == 8 ? v128.load(at) : f64x2.promote_low_f32x4(v128.load64_zero(at));
      dot = multiplyAdd<f64>(a, v128.load(sums + <usize>l * 8), dot);
    }
    let sum = f64x2.extract_lane(dot, 0) + f64x2.extract_lane(dot, 1);
    if (whole < cols) sum += load<f64>(sums + <usize>whole * 8) * <f64>load<T>(atoms + <usize>whole * sizeof<T>());
    store<f64>(out + <usize>i * 8, sum);
    sums += <usize>cols * 8;
    atoms += <usize>cols * sizeof<T>();
  }
}
