/** Codes, and histograms of their magnitudes. */
import type { FloatArray, Matrix, Matrix64, Precision } from '../../core/matrix.ts';
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
): void {
  const blocks = new SampleBlocks(machine, samples, conditioning, 'f64', { rowPanels: true });
  const { arithmetic, rowPanels } = blocks;
  const [K, n] = [atoms.rows, atoms.cols];
  const raw = machine.arena.put(atoms.data, 'f64');
  const left = machine.arena.take(panelsFor(K, 'f64') * n * PANEL_BYTES);
  arithmetic.packRows(raw, n * bytesPer('f64'), K, n, left);
  const out = new CodesByAtom(machine, samples.rows, K);
  blocks.forEach((rows, first) => {
    arithmetic.block(left, K, rowPanels, rows, n, out.at + first * bytesPer('f64'), out.stride);
  });
  out.copyTo(codes, start);
}

/** Codes of a chunk with a row for every atom, zero at first, with room for whole tiles. */
export class CodesByAtom {
  readonly at: number;
  readonly stride: number;

  constructor(
    readonly machine: Machine,
    readonly samples: number,
    readonly atoms: number,
  ) {
    this.stride = panelsFor(samples, 'f64') * PANEL_BYTES;
    this.at = machine.arena.takeZeros(panelsFor(atoms, 'f64') * panelWidth('f64') * this.stride);
  }

  /** Writes them to columns `start`, `start` + 1, … of `codes`. */
  copyTo({ cols, data }: Matrix64, start: number): void {
    for (let k = 0; k < this.atoms; k++) {
      data.set(this.machine.arena.view(this.at + k * this.stride, this.samples, 'f64'), k * cols + start);
    }
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
    packed.forEachGroup(rows, false, (first, count) => {
      packed.forEachPanel(count, (panel, i) => counts.add(panel, rows, first + i, count - i));
    });
  });
  return counts.read();
}
