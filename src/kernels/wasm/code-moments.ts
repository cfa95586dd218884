/** Sums over sparse codes, Xᵀ X and Xᵀ Y, block by block of samples. */
import type { Matrix } from '../../core/matrix.ts';
import type { CodeMoments, Conditioning, SparseCodes } from '../kernels.ts';
import { SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

export function codeMoments(
  machine: Machine,
  samples: Matrix,
  { starts, atoms, values }: SparseCodes,
  components: number,
  conditioning: Conditioning,
): CodeMoments {
  const { arena, exports } = machine;
  const [K, n] = [components, samples.cols];
  const blocks = new SampleBlocks(machine, samples, conditioning, 'f64', {});
  const { conditioned, stride } = blocks;
  const gram = arena.takeZeros(K * K * 8);
  const correlation = arena.takeZeros(K * stride);
  const edges = arena.take(starts.length * 4);
  const atomsAt = arena.take(atoms.length * 4);
  const valuesAt = arena.put(values, 'f64');
  arena.integers(edges, starts.length).set(starts);
  arena.integers(atomsAt, atoms.length).set(atoms);
  blocks.forEach((rows, first) => {
    exports.codeMoments(conditioned, stride, rows, edges + first * 4, atomsAt, valuesAt, K, gram, correlation);
  });
  if (stride !== n * 8) exports.closeGaps(correlation, K, n * 8, stride);
  return {
    gram: { rows: K, cols: K, data: arena.copy64(gram, K * K) },
    correlation: { rows: K, cols: n, data: arena.copy64(correlation, K * n) },
  };
}
