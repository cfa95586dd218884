/** Applies the response to codes in the machine's memory, before they are correlated. */
import { inputError } from '../../core/errors.ts';
import type { Response } from '../kernels.ts';
import { PANEL_BYTES, panelsFor, panelWidth, type SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

/** Applies the response to a strip of codes, in place; `atom` is the strip's first atom. */
export type Responder = (codes: number, rows: number, atom: number, values: number) => void;

/** `stride`: bytes from one sample's codes to the next. */
export function responder(
  { arena }: Machine,
  blocks: SampleBlocks,
  response: Response,
  atoms: number,
  stride: number,
): Responder {
  const { arithmetic, precision, norms } = blocks;
  if (response.kind === 'power') {
    const { norm } = response;
    if (!Number.isInteger(norm) || norm < 1) throw inputError('correlate', 'norm', 'an integer of at least 1', norm);
    const odd = norm % 2 === 1;
    const squares = odd ? (norm - 3) / 2 : norm / 2 - 1;
    return (codes, rows, _atom, values) => arithmetic.power(codes, stride, rows, odd, squares, values);
  }
  const width = panelWidth(precision);
  const padded = new Float64Array(panelsFor(atoms, precision) * width);
  padded.set(response.thresholds.subarray(0, atoms));
  const thresholds = arena.put(padded, precision);
  return (codes, rows, atom, values) => {
    const own = thresholds + (atom / width) * PANEL_BYTES;
    arithmetic.mask(codes, stride, rows, own, norms, response.meanNorm, values);
  };
}
