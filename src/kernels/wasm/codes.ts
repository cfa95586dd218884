/** Codes, and histograms of their magnitudes. */
import { type FloatArray, type Matrix, type Precision, precisionOf } from '../../core/matrix.ts';
import type { Conditioning, HistogramRequest, ProjectByAtomRequest } from '../kernels.ts';
import { bytesPer } from './arena.ts';
import { PackedAtoms } from './atoms.ts';
import { PANEL_BYTES, panelsFor, panelWidth, SampleBlocks } from './blocks.ts';
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
    packed.forEachGroup(rows, () => {
      blocks.arithmetic.unpackColumns(packed.codes, packed.codesStride, rows, atoms.rows, out);
    });
    data.set(machine.arena.view(out, rows * atoms.rows, precision), first * atoms.rows);
  });
  return { rows: samples.rows, cols: atoms.rows, data };
}

/** The product with the atoms on the left, so that codes of an atom are in a row. */
export function projectByAtom(
  machine: Machine,
  { samples, atoms, conditioning, codes, start }: ProjectByAtomRequest,
): void {
  const { arena } = machine;
  const precision = precisionOf(codes);
  const bytes = bytesPer(precision);
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { rowPanels: true });
  const { arithmetic, rowPanels } = blocks;
  const [K, n] = [atoms.rows, atoms.cols];
  const raw = arena.put(atoms.data, precision);
  const left = arena.take(panelsFor(K, precision) * n * PANEL_BYTES);
  const stride = panelsFor(samples.rows, precision) * PANEL_BYTES;
  const out = arena.takeZeros(panelsFor(K, precision) * panelWidth(precision) * stride);
  arithmetic.packRows(raw, n * bytes, K, n, left);
  blocks.forEach((rows, first) => {
    arithmetic.block(left, K, rowPanels, rows, n, out + first * bytes, stride);
  });
  copyRows(machine, { at: out, stride, width: samples.rows }, codes, start);
}

/** Copies rows of `width` numbers, `stride` bytes apart, to columns `start`, `start` + 1, … of `codes`. */
export function copyRows(
  { arena }: Machine,
  { at, stride, width }: { at: number; stride: number; width: number },
  codes: Matrix,
  start: number,
): void {
  const precision = precisionOf(codes);
  for (let i = 0; i < codes.rows; i++) {
    codes.data.set(arena.view(at + i * stride, width, precision), i * codes.cols + start);
  }
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
    packed.forEachGroup(rows, (first, count) => {
      packed.forEachPanel(count, (panel, i) => counts.add(panel, rows, first + i, count - i));
    });
  });
  return counts.read();
}
