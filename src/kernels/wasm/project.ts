/** Codes as a matrix, by sample or by atom. */
import {
  bytesPerNumber,
  type FloatArray,
  type Matrix,
  newNumbers,
  type Precision,
  precisionOf,
} from '../../core/matrix.ts';
import type { Conditioning, ProjectByAtomRequest } from '../kernels.ts';
import { PackedAtoms } from './atoms.ts';
import { PANEL_BYTES, panelsFor, panelWidth, SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

/** Bytes of a float64 number. */
const BYTES = bytesPerNumber('f64');

export function project(
  machine: Machine,
  samples: Matrix,
  atoms: Matrix,
  conditioning: Conditioning,
  precision: Precision,
): Matrix {
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { rowPanels: true });
  const packed = new PackedAtoms(machine, blocks, atoms, true);
  const out = machine.arena.take(blocks.blockRows * atoms.rows * bytesPerNumber(precision));
  const length = samples.rows * atoms.rows;
  const data: FloatArray = newNumbers(precision, length);
  blocks.forEach((rows, first) => {
    packed.forEachGroup(rows, false, () => {
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
): number {
  const { arena } = machine;
  const blocks = new SampleBlocks(machine, samples, conditioning, 'f64', { rowPanels: true });
  const { arithmetic, rowPanels } = blocks;
  const [K, n] = [atoms.rows, atoms.cols];
  const raw = arena.put(atoms.data, 'f64');
  const left = arena.take(panelsFor(K, 'f64') * n * PANEL_BYTES);
  const width = panelsFor(samples.rows, 'f64') * panelWidth('f64');
  const out = arena.takeZeros(panelsFor(K, 'f64') * panelWidth('f64') * width * BYTES);
  arithmetic.packRows(raw, n * BYTES, K, n, left);
  blocks.forEach((rows, first) => {
    arithmetic.block(left, K, rowPanels, rows, n, out + first * BYTES, width * BYTES);
  });
  return copyCodes(machine, { at: out, width, samples: samples.rows }, codes, start);
}

/** Copies rows of float64 codes, `width` numbers apart, to columns `start`, `start` + 1, … of `codes`; returns Σ x⁴. */
export function copyCodes(
  { arena, exports }: Machine,
  { at, width, samples }: { at: number; width: number; samples: number },
  codes: Matrix,
  start: number,
): number {
  const precision = precisionOf(codes);
  let sum = 0;
  for (let i = 0; i < codes.rows; i++) sum += exports.fourthPowers(at + i * width * BYTES, samples);
  if (precision === 'f32') exports.narrow(at, codes.rows * width);
  for (let i = 0; i < codes.rows; i++) {
    codes.data.set(arena.view(at + i * width * bytesPerNumber(precision), samples, precision), i * codes.cols + start);
  }
  return sum;
}
