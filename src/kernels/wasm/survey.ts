/** What the first pass wants to know of the samples, in pieces that stay in the cache. */
import { type Matrix, precisionOf } from '../../core/matrix.ts';
import type { Conditioning, SampleSurvey } from '../kernels.ts';
import { bytesPer } from './arena.ts';
import type { Machine } from './module.ts';

const PIECE_BYTES = 128 * 1024;

export function survey({ arena, exports }: Machine, samples: Matrix, conditioning: Conditioning): SampleSurvey {
  const { rows, cols, data } = samples;
  const kind = precisionOf(samples);
  const pieceRows = Math.min(rows, Math.max(1, Math.floor(PIECE_BYTES / (cols * bytesPer(kind)))));
  arena.reset();
  const offset = arena.put(conditioning.offset ?? new Float64Array(cols), 'f64');
  const sums = arena.takeZeros(cols * 8);
  const totals = arena.takeZeros(3 * 8);
  const raw = arena.take(pieceRows * cols * bytesPer(kind));
  const piece = arena.view(raw, pieceRows * cols, kind);
  for (let first = 0; first < rows; first += pieceRows) {
    const count = Math.min(pieceRows, rows - first);
    piece.set(data.subarray(first * cols, (first + count) * cols));
    exports[`survey_${kind}`](raw, count, cols, offset, conditioning.scale, sums, totals);
  }
  const [largest, zeroSamples, normSum] = arena.copy64(totals, 3);
  // squares of finite numbers may overflow
  const finite = Number.isFinite(normSum) || data.every(Number.isFinite);
  return { finite, largest, zeroSamples, normSum, sum: arena.copy64(sums, cols) };
}
