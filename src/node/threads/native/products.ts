/** Computes products of blocks in WebAssembly memory by the system's BLAS: codes, and sums over blocks. */
import {
  bytesPerNumber,
  type FloatArray,
  type Matrix,
  type Matrix64,
  type Precision,
  precisionOf,
  transpose,
} from '../../../core/matrix.ts';
import type { Conditioning } from '../../../kernels/kernels.ts';
import {
  type CodesPlace,
  isModerate,
  type OpenCodes,
  PANEL_BYTES,
  panelsFor,
  panelWidth,
  SampleBlocks,
} from '../../../kernels/wasm/blocks.ts';
import { type Machine, scaleNumbers } from '../../../kernels/wasm/module.ts';
import type { Blas, Gemm, RankUpdate } from './blas.ts';

/** Rows of a block of samples or codes. */
export interface Rows {
  readonly rows: number;
  readonly data: FloatArray;
  /** Numbers from one row to the next. */
  readonly width: number;
}

/** The samples of a block: conditioned, or in place as they were given. `first`: the block's first row in the chunk. */
export function rowsOf(machine: Machine, blocks: SampleBlocks, rows: number, first: number): Rows {
  if (!blocks.areUntouched) return conditionedRows(machine, blocks, rows);
  const { cols, data } = blocks.samples;
  return { rows, data: data.subarray(first * cols, (first + rows) * cols), width: cols };
}

export function conditionedRows({ arena }: Machine, blocks: SampleBlocks, rows: number): Rows {
  const width = blocks.stride / bytesPerNumber(blocks.precision);
  return { rows, data: arena.view(blocks.conditioned, rows * width, blocks.precision), width };
}

/** Most numbers of atoms to transpose: libraries multiply small matrices faster that way. */
const SMALL = 4096;

/** Codes X = Y Aᵀ of one block, row-major. */
export class Codes {
  readonly at: number;
  /** Bytes from one sample's codes to the next. */
  readonly stride: number;
  /** Address of the atoms times the factor, row-major. */
  readonly atoms: number;
  readonly #transposed: number;

  /** Allocates the codes. With `strips`, rows are zero-padded to whole strips, a panel wide; otherwise there are no gaps. */
  constructor(
    readonly blas: Blas,
    readonly blocks: SampleBlocks,
    readonly machine: Machine,
    readonly matrix: Matrix,
    readonly strips: boolean,
    factor = 1,
  ) {
    const { arena } = machine;
    const { precision, blockRows } = blocks;
    const put = (numbers: FloatArray) => {
      const at = arena.put(numbers, precision);
      scaleNumbers(machine, at, numbers.length, precision, factor);
      return at;
    };
    this.stride = strips ? panelsFor(matrix.rows, precision) * PANEL_BYTES : matrix.rows * bytesPerNumber(precision);
    this.at = arena.takeZeros(blockRows * this.stride + PANEL_BYTES);
    this.atoms = put(matrix.data);
    this.#transposed = matrix.data.length <= SMALL ? put(transpose(matrix).data) : 0;
  }

  compute(Y: Rows): Rows {
    const { precision } = this.blocks;
    const { arena } = this.machine;
    const [K, n] = [this.matrix.rows, this.matrix.cols];
    const small = this.#transposed > 0;
    const A = arena.view(this.#transposed || this.atoms, K * n, precision);
    const width = this.stride / bytesPerNumber(precision);
    const X = { rows: Y.rows, data: arena.view(this.at, Y.rows * width, precision), width };
    const multiply = gemmOf(this.blas, precision);
    multiply(false, !small, Y.rows, K, n, Y.data, Y.width, A, small ? K : n, 0, X.data, width);
    return X;
  }

  get place(): CodesPlace {
    return { at: this.at, stride: this.stride, panelStride: PANEL_BYTES };
  }

  /** Visits strips a panel wide, of atoms from `first` on, `count` of them or a panel; without strips, all codes at once. */
  forEachStrip(visit: (strip: number, first: number, count: number) => void): void {
    const { rows: K } = this.matrix;
    const width = this.strips ? panelWidth(this.blocks.precision) : K;
    for (let at = this.at, first = 0; first < K; at += PANEL_BYTES, first += width) visit(at, first, K - first);
  }
}

/** Opens codes that the BLAS computes. */
export const openProductCodes =
  (blas: Blas): OpenCodes =>
  (machine, { samples, atoms, conditioning }, precision, { norms }) => {
    const blocks = new SampleBlocks(machine, samples, conditioning, precision, { tight: true, norms });
    const codes = new Codes(blas, blocks, machine, atoms, true);
    const forEachBlock = (visit: (rows: number) => void) =>
      blocks.forEach((rows) => {
        codes.compute(conditionedRows(machine, blocks, rows));
        visit(rows);
      });
    return {
      blocks,
      place: codes.place,
      forEachBlock,
      forEachStrip: (visit) =>
        forEachBlock((rows) => codes.forEachStrip((strip, first, count) => visit(strip, rows, first, count))),
    };
  };

/** Accumulates float64 sums LᵀR over blocks; with f32, a block is summed in float32 and added in float64. */
export class Sums {
  readonly #sums: number;
  readonly #block: number;

  constructor(
    readonly blas: Blas,
    readonly blocks: SampleBlocks,
    readonly machine: Machine,
    readonly rows: number,
    readonly cols: number,
  ) {
    const room = Math.ceil((rows * cols) / 4) * 4;
    this.#sums = machine.arena.takeZeros(room * 8);
    this.#block = blocks.precision === 'f32' ? machine.arena.takeZeros(room * 4) : 0;
  }

  add(L: Rows, R: Rows): void {
    const wide = this.blocks.precision === 'f64';
    const C = this.#target();
    const multiply = gemmOf(this.blas, this.blocks.precision);
    multiply(true, false, this.rows, this.cols, L.rows, L.data, L.width, R.data, R.width, wide ? 1 : 0, C, this.cols);
    this.#widen();
  }

  /** Adds the upper half of YᵀY. */
  addSquare(Y: Rows): void {
    const wide = this.blocks.precision === 'f64';
    const update = this.blas.rankUpdate[this.blocks.precision] as RankUpdate<FloatArray>;
    update(this.cols, Y.rows, Y.data, Y.width, wide ? 1 : 0, this.#target(), this.cols);
    this.#widen();
  }

  #target(): FloatArray {
    const { precision } = this.blocks;
    return this.machine.arena.view(this.#block || this.#sums, this.rows * this.cols, precision);
  }

  #widen(): void {
    if (this.#block) this.machine.exports.addWidened(this.#block, this.rows * this.cols, this.#sums);
  }

  /** Returns the products of its rows with those of a matrix of the same size in memory. */
  rowDots(other: number): Float64Array {
    const { arena } = this.machine;
    const out = arena.take(this.rows * 8);
    this.blocks.arithmetic.rowDots(this.#sums, other, this.rows, this.cols, out);
    return arena.copy64(out, this.rows);
  }

  /** Returns the sums times a factor. */
  read(factor = 1): Matrix64 {
    const { rows, cols } = this;
    scaleNumbers(this.machine, this.#sums, rows * cols, 'f64', factor);
    return { rows, cols, data: this.machine.arena.copy64(this.#sums, rows * cols) };
  }
}

/** Whether BLAS can use the samples in place: without an offset, in their own precision, with a usual scale. */
export const staysUntouched = (samples: Matrix, { offset, scale }: Conditioning, precision: Precision): boolean =>
  !offset && isModerate(scale) && precisionOf(samples) === precision;

export const gemmOf = (blas: Blas, precision: Precision): Gemm<FloatArray> => blas[precision] as Gemm<FloatArray>;

/** Makes LᵀL exactly symmetric by copying its upper half: the halves may differ in the last bits. */
export function mirrored<M extends Matrix>(square: M): M {
  const { rows: n, data } = square;
  for (let first = 0; first < n; first += MIRRORED) {
    const last = Math.min(n, first + MIRRORED);
    for (let j = 0; j < last; j++)
      for (let i = Math.max(first, j + 1); i < last; i++) data[i * n + j] = data[j * n + i];
  }
  return square;
}

/** Rows to write at a time while columns are read: few enough for the cache. */
const MIRRORED = 16;
