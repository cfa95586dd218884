/** Codes, and histograms of their magnitudes. */
import type { FloatArray, Matrix, Precision } from '../../core/matrix.ts';
import type { Conditioning, HistogramRequest } from '../kernels.ts';
import { bytesPer } from './arena.ts';
import { PackedAtoms } from './atoms.ts';
import { PANEL_BYTES, SampleBlocks } from './blocks.ts';
import { Counts } from './counts.ts';
import type { Machine } from './module.ts';

export function project(
  machine: Machine,
  samples: Matrix,
  atoms: Matrix,
  conditioning: Conditioning,
  precision: Precision,
): Matrix {
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { rowPanels: true });
  const packed = new PackedAtoms(machine, blocks, atoms, true);
  const out = machine.arena.take(blocks.blockRows * atoms.rows * bytesPer(precision));
  const length = samples.rows * atoms.rows;
  const data: FloatArray = precision === 'f32' ? new Float32Array(length) : new Float64Array(length);
  blocks.forEach((rows, first) => {
    packed.forEachGroup(rows, false, () => {
      blocks.arithmetic.unpackColumns(packed.codes, packed.codesStride, rows, atoms.rows, out);
    });
    data.set(machine.arena.view(out, rows * atoms.rows, precision), first * atoms.rows);
  });
  return { rows: samples.rows, cols: atoms.rows, data };
}

export function histogram(
  machine: Machine,
  { samples, atoms, conditioning, meanNorm, leastNorm = 0 }: HistogramRequest,
): Float64Array {
  const wishes = { rowPanels: true, norms: { least: leastNorm } };
  const blocks = new SampleBlocks(machine, samples, conditioning, 'f64', wishes);
  const packed = new PackedAtoms(machine, blocks, atoms, false);
  const counts = new Counts(machine, blocks, atoms.rows, PANEL_BYTES, meanNorm);
  blocks.forEach((rows) => {
    packed.forEachGroup(rows, false, (first, count) => {
      packed.forEachPanel(count, (panel, i) => counts.add(panel, rows, first + i, count - i));
    });
  });
  return counts.read();
}
