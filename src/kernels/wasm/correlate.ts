/** The fused pass Φᵀ Y with Φ = φ(Y Aᵀ), and the covariance Yᵀ Y: sums over samples, block by block. */
import type { Matrix, Matrix64, Precision } from '../../core/matrix.ts';
import type { Conditioning, CorrelateRequest, Correlation, SampleSurvey } from '../kernels.ts';
import { PackedAtoms } from './atoms.ts';
import { panelsFor, panelWidth, SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';
import { normsFor, Responder } from './responder.ts';
import { Surveyor } from './survey.ts';

export function correlate(machine: Machine, request: CorrelateRequest): Correlation {
  const { samples, atoms, conditioning, response, precision, gram = false } = request;
  const wishes = { rowPanels: true, columnPanels: true, norms: normsFor(response) };
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, wishes);
  const packed = new PackedAtoms(machine, blocks, atoms, gram || response.kind === 'likelihood');
  const { codes, codesStride } = packed;
  const { accumulate } = blocks.arithmetic;
  const width = panelWidth(precision);
  const sums = new Sums(machine, blocks, atoms.rows, samples.cols, false);
  const gramSums = gram ? new Sums(machine, blocks, atoms.rows, atoms.rows, true) : undefined;
  const responder = new Responder(machine, blocks, request, packed.place);
  // norm 4, the usual one, is applied while codes are still in registers
  const cubes = response.kind === 'power' && response.norm === 4;
  blocks.forEach((rows, start) => {
    packed.forEachGroup(rows, cubes, (first, count) => {
      responder.prepare(rows);
      if (!cubes) {
        packed.forEachPanel(count, (panel, i) => responder.apply(panel, rows, start, first + i, count - i));
      }
      const { columnPanels, columnStride } = blocks;
      const target = sums.at + sums.lineBytes * (first / width);
      accumulate(codes, count, codesStride, columnPanels, samples.cols, columnStride, rows, target, false);
      if (gramSums) accumulate(codes, count, codesStride, codes, count, codesStride, rows, gramSums.at, true);
    });
  });
  return {
    correlation: sums.unpack(),
    ...responder.read(() => sums.rowDots(packed.raw)),
    ...(gramSums && { gram: gramSums.unpack() }),
  };
}

export function covariance(
  machine: Machine,
  samples: Matrix,
  conditioning: Conditioning,
  precision: Precision,
): Matrix64 {
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { columnPanels: true });
  return squares(machine, samples, blocks);
}

export function surveyWithMoments(machine: Machine, samples: Matrix, conditioning: Conditioning): SampleSurvey {
  const blocks = new SampleBlocks(machine, samples, conditioning, 'f64', { columnPanels: true });
  const surveyor = new Surveyor(machine, samples, conditioning);
  const gram = squares(machine, samples, blocks, surveyor);
  return { ...surveyor.read(), gram };
}

/** YᵀY; a surveyor sees the samples on the way. */
function squares(machine: Machine, { cols }: Matrix, blocks: SampleBlocks, surveyor?: Surveyor): Matrix64 {
  const { columnPanels, columnStride: stride, arithmetic } = blocks;
  const sums = new Sums(machine, blocks, cols, cols, true);
  blocks.forEach((rows) => {
    surveyor?.add(blocks.raw, rows);
    arithmetic.accumulate(columnPanels, cols, stride, columnPanels, cols, stride, rows, sums.at, true);
  });
  return sums.unpack();
}

/** Float64 sums of a rows×cols product, stored in the squares that `accumulate` adds to. */
class Sums {
  readonly at: number;
  /** Bytes from the squares of one row panel to those of the next. */
  readonly lineBytes: number;
  readonly #out: number;

  constructor(
    readonly machine: Machine,
    readonly blocks: SampleBlocks,
    readonly rows: number,
    readonly cols: number,
    readonly symmetric: boolean,
  ) {
    const { precision } = blocks;
    this.lineBytes = panelsFor(cols, precision) * panelWidth(precision) ** 2 * 8;
    this.at = machine.arena.takeZeros(panelsFor(rows, precision) * this.lineBytes);
    this.#out = machine.arena.take(rows * cols * 8);
  }

  unpack(): Matrix64 {
    const { rows, cols } = this;
    this.blocks.arithmetic.unpackSums(this.at, rows, cols, this.symmetric, this.#out);
    return { rows, cols, data: this.machine.arena.copy64(this.#out, rows * cols) };
  }

  /** Products of the unpacked rows with those of a matrix of the same size in memory. */
  rowDots(other: number): Float64Array {
    const { arena } = this.machine;
    const out = arena.take(this.rows * 8);
    this.blocks.arithmetic.rowDots(this.#out, other, this.rows, this.cols, out);
    return arena.copy64(out, this.rows);
  }
}
