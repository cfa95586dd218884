/** Orthogonal maps that are not stored as matrices, applied to a block of samples while it is in the cache. */
import {
  bytesPerNumber,
  type FloatArray,
  type Matrix,
  newNumbers,
  type Precision,
  scaleRows,
} from '../../core/matrix.ts';
import type { Conditioning, ReflectorTransform, RotationTransform } from '../kernels.ts';
import { PackedAtoms } from './atoms.ts';
import { PANEL_BYTES, panelsFor, panelWidth, SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

/** Y − (Y Uᵀ) W: the codes of the m reflectors, then a product of depth m added to the samples in place. */
export function reflectCodes(
  machine: Machine,
  samples: Matrix,
  { reflectors, combined }: ReflectorTransform,
  conditioning: Conditioning,
  precision: Precision,
): Matrix {
  const { arena } = machine;
  const [m, n] = [reflectors.rows, samples.cols];
  const bytes = bytesPerNumber(precision);
  const width = panelWidth(precision);
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { rowPanels: true });
  const { arithmetic, conditioned, stride } = blocks;
  const packed = new PackedAtoms(machine, blocks, reflectors, true);
  const codes = arena.take(blocks.blockRows * m * bytes);
  const left = arena.take(blocks.blockRows * m * bytes);
  const right = arena.take(panelsFor(n, precision) * m * PANEL_BYTES);
  const raw = arena.put(scaleRows(combined, new Float64Array(m).fill(-1)).data, precision);
  arithmetic.packColumns(raw, n * bytes, m, n, right, m * PANEL_BYTES);
  return blocksToMatrix(machine, blocks, samples, (rows) => {
    if (m === 0) return;
    packed.forEachGroup(rows, false, () => {
      arithmetic.unpackColumns(packed.codes, packed.codesStride, rows, m, codes);
    });
    arithmetic.packRows(codes, m * bytes, rows, m, left);
    // a panel of samples at a time: W stays in the L2 cache, the samples in L1
    for (let i = 0; i < rows; i += width) {
      const height = Math.min(width, rows - i);
      arithmetic.block(left + i * m * bytes, height, right, n, m, conditioned + i * stride, stride);
    }
  });
}

export function rotate(
  machine: Machine,
  samples: Matrix,
  { rotations, order, signs }: RotationTransform,
  conditioning: Conditioning,
  precision: Precision,
): Matrix {
  const { arena } = machine;
  const n = samples.cols;
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { rowPanels: true });
  const { arithmetic, conditioned, rowPanels, stride } = blocks;
  const width = panelWidth(precision);
  const count = rotations.rows;
  const pairs = arena.take(count * 8);
  const offsets = arena.take(n * 4);
  const factors = arena.take(count * 2 * bytesPerNumber(precision));
  const codeSigns = arena.put(signs, precision);
  const arranged = arena.take(n * PANEL_BYTES);
  const pairView = arena.integers(pairs, count * 2);
  const factorView = arena.view(factors, count * 2, precision);
  for (let r = 0; r < count; r++) {
    pairView[2 * r] = rotations.data[4 * r] * PANEL_BYTES;
    pairView[2 * r + 1] = rotations.data[4 * r + 1] * PANEL_BYTES;
    factorView[2 * r] = rotations.data[4 * r + 2];
    factorView[2 * r + 1] = rotations.data[4 * r + 3];
  }
  arena.integers(offsets, n).set(order.map((k) => k * PANEL_BYTES));
  return blocksToMatrix(machine, blocks, samples, (rows) => {
    for (let i = 0; i < rows; i += width) {
      const panel = rowPanels + (i / width) * n * PANEL_BYTES;
      arithmetic.rotate(panel, pairs, factors, count);
      arithmetic.arrange(panel, n, offsets, codeSigns, arranged);
      arithmetic.unpackRows(arranged, Math.min(width, rows - i), n, conditioned + i * stride, stride);
    }
  });
}

/** Applies `change` to the conditioned samples in place, block by block, and collects the results. */
export function blocksToMatrix(
  { arena }: Machine,
  blocks: SampleBlocks,
  { rows, cols }: Matrix,
  change: (rows: number) => void,
): Matrix {
  const { precision, conditioned, stride } = blocks;
  const data: FloatArray = newNumbers(precision, rows * cols);
  const wide = stride / bytesPerNumber(precision);
  blocks.forEach((count, first) => {
    change(count);
    const block = arena.view(conditioned, count * wide, precision);
    if (wide === cols) data.set(block, first * cols);
    else {
      for (let i = 0; i < count; i++) data.set(block.subarray(i * wide, i * wide + cols), (first + i) * cols);
    }
  });
  return { rows, cols, data };
}
