/**
 * AᵀA: the columns of A are packed once, for both sides, and only panels on and above the diagonal of the result are
 * computed.
 */
import { type Matrix, precisionOf } from '../../core/matrix.ts';
import { bytesPer } from './arena.ts';
import { PANEL_BYTES, panelsFor, panelWidth } from './blocks.ts';
import { arithmeticOf, type Machine } from './module.ts';

/** Depth of a panel, as in multiply.ts: one panel stays in the L1 cache. */
const DEPTH = 256;

/** The address of the result, its rows `stride` bytes apart. */
export function square({ arena, exports }: Machine, a: Matrix): { readonly at: number; readonly stride: number } {
  const precision = precisionOf(a);
  const { packColumns, block, mirror } = arithmeticOf(exports, precision);
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
      raw + k * cols * bytesPer(precision),
      cols * bytesPer(precision),
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
