/**
 * op(A)·op(B) in blocks: a block of B's panels (DEPTH × COLUMNS) is packed once and multiplied by every block of A's
 * panels (ROWS × DEPTH). A block of A stays in the L2 cache, one panel of B in L1.
 */
import { bytesPerNumber, type Matrix, precisionOf } from '../../core/matrix.ts';
import type { ProductForm } from '../kernels.ts';
import { PANEL_BYTES, panelsFor, panelWidth } from './blocks.ts';
import { type Arithmetic, type Machine, scaleNumbers } from './module.ts';

const DEPTH = 256;
const COLUMNS = 2048;
/** Bytes of a packed block of A. */
const LEFT_BYTES = 128 * 1024;

export function multiply<M extends Matrix>(
  machine: Machine,
  a: M,
  b: M,
  form: ProductForm = 'nn',
  into?: M,
  factor = 1,
): M {
  const rows = form === 'tn' ? a.cols : a.rows;
  const cols = form === 'nt' ? b.rows : b.cols;
  const { at, stride } = a === b && form === 'tn' ? square(machine, a) : product(machine, a, b, form);
  const precision = precisionOf(a);
  const rowBytes = cols * bytesPerNumber(precision);
  if (stride !== rowBytes) machine.exports.closeGaps(at, rows, rowBytes, stride);
  scaleNumbers(machine, at, rows * cols, precision, factor);
  const numbers = machine.arena.view(at, rows * cols, precision);
  if (!into) return { rows, cols, data: numbers.slice() } as Matrix as M;
  into.data.set(numbers);
  return into;
}

/** The address of the product, its rows `stride` bytes apart. */
function product(machine: Machine, a: Matrix, b: Matrix, form: ProductForm): { at: number; stride: number } {
  const { arena } = machine;
  const precision = precisionOf(a);
  const bytes = bytesPerNumber(precision);
  const arithmetic = machine.arithmetic[precision];
  const width = panelWidth(precision);
  const rows = form === 'tn' ? a.cols : a.rows;
  const inner = form === 'tn' ? a.rows : a.cols;
  const cols = form === 'nt' ? b.rows : b.cols;
  const blockRows = LEFT_BYTES / (DEPTH * bytes);

  arena.reset();
  const left = operand(arena.put(a.data, precision), a.cols * bytes, bytes, form === 'tn');
  const right = operand(arena.put(b.data, precision), b.cols * bytes, bytes, form !== 'nt');
  const leftPanels = arena.take(LEFT_BYTES);
  const rightPanels = arena.take(panelsFor(Math.min(cols, COLUMNS), precision) * Math.min(inner, DEPTH) * PANEL_BYTES);
  const stride = panelsFor(cols, precision) * PANEL_BYTES;
  const out = arena.takeZeros(panelsFor(rows, precision) * width * stride);

  for (let j = 0; j < cols; j += COLUMNS) {
    const width = Math.min(COLUMNS, cols - j);
    for (let k = 0; k < inner; k += DEPTH) {
      const depth = Math.min(DEPTH, inner - k);
      right.pack(arithmetic, j, width, k, depth, rightPanels);
      for (let i = 0; i < rows; i += blockRows) {
        const height = Math.min(blockRows, rows - i);
        left.pack(arithmetic, i, height, k, depth, leftPanels);
        arithmetic.block(leftPanels, height, rightPanels, width, depth, out + i * stride + j * bytes, stride);
      }
    }
  }

  return { at: out, stride };
}

interface Operand {
  /** Packs `width` lines starting at `first`, steps `k` to `k + depth`. */
  pack(arithmetic: Arithmetic, first: number, width: number, k: number, depth: number, out: number): void;
}

/** A row-major matrix whose panels hold its columns (`byColumn`) or its rows. */
function operand(at: number, stride: number, bytes: number, byColumn: boolean): Operand {
  return {
    pack(arithmetic, first, width, k, depth, out) {
      if (!byColumn) arithmetic.packRows(at + first * stride + k * bytes, stride, width, depth, out);
      else arithmetic.packColumns(at + k * stride + first * bytes, stride, depth, width, out, depth * PANEL_BYTES);
    },
  };
}

/**
 * AᵀA: the columns of A are packed once, for both sides, and only panels on and above the diagonal of the result are computed.
 * Returns the address of the result, its rows `stride` bytes apart.
 */
function square({ arena, arithmetic }: Machine, a: Matrix): { readonly at: number; readonly stride: number } {
  const precision = precisionOf(a);
  const { packColumns, block, mirror } = arithmetic[precision];
  const width = panelWidth(precision);
  const { rows: inner, cols } = a;
  arena.reset();
  const raw = arena.put(a.data, precision);
  const count = panelsFor(cols, precision);
  const panels = arena.take(count * Math.min(inner, DEPTH) * PANEL_BYTES);
  const stride = count * PANEL_BYTES;
  const at = arena.takeZeros(count * width * stride);
  for (let k = 0; k < inner; k += DEPTH) {
    const depth = Math.min(DEPTH, inner - k);
    packColumns(
      raw + k * cols * bytesPerNumber(precision),
      cols * bytesPerNumber(precision),
      depth,
      cols,
      panels,
      depth * PANEL_BYTES,
    );
    for (let q = 0; q < count; q++) {
      const above = Math.min(cols, (q + 1) * width);
      block(panels, above, panels + q * depth * PANEL_BYTES, width, depth, at + q * PANEL_BYTES, stride);
    }
  }
  mirror(at, cols, stride);
  return { at, stride };
}
