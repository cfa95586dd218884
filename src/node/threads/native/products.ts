/** Products of blocks in WebAssembly memory by the system's BLAS: codes, and sums over blocks. */
import { type FloatArray, type Matrix, type Matrix64, type Precision, transpose } from '../../../core/matrix.ts';
import { bytesPer } from '../../../kernels/wasm/arena.ts';
import { PANEL_BYTES, panelsFor, panelWidth, type SampleBlocks } from '../../../kernels/wasm/blocks.ts';
import type { Machine } from '../../../kernels/wasm/module.ts';
import type { Blas, Gemm, RankUpdate } from './blas.ts';

/** Up to this many numbers atoms are transposed: libraries multiply small matrices faster that way. */
const SMALL = 4096;

/** X = Y Aᵀ of one block, row-major. */
export class Codes {
  readonly at: number;
  /** Bytes from one sample's codes to the next. */
  readonly stride: number;
  /** The atoms as they are, row-major. */
  readonly raw: number;
  readonly #transposed: number;

  /** With `strips`, rows are zero-padded to whole strips, a panel wide; without, there are no gaps between them. */
  constructor(
    readonly blas: Blas,
    readonly blocks: SampleBlocks,
    readonly machine: Machine,
    readonly matrix: Matrix,
    readonly strips: boolean,
  ) {
    const { arena } = machine;
    const { precision, blockRows } = blocks;
    this.stride = strips ? panelsFor(matrix.rows, precision) * PANEL_BYTES : matrix.rows * bytesPer(precision);
    this.at = arena.takeZeros(blockRows * this.stride + PANEL_BYTES);
    this.raw = arena.put(matrix.data, precision);
    this.#transposed = matrix.data.length <= SMALL ? arena.put(transpose(matrix).data, precision) : 0;
  }

  compute(rows: number): void {
    const { precision, conditioned, stride } = this.blocks;
    const { arena } = this.machine;
    const bytes = bytesPer(precision);
    const [K, n] = [this.matrix.rows, this.matrix.cols];
    const small = this.#transposed > 0;
    const Y = arena.view(conditioned, (rows * stride) / bytes, precision);
    const A = arena.view(this.#transposed || this.raw, K * n, precision);
    const X = arena.view(this.at, (rows * this.stride) / bytes, precision);
    const multiply = gemmOf(this.blas, precision);
    multiply(false, !small, rows, K, n, Y, stride / bytes, A, small ? K : n, 0, X, this.stride / bytes);
  }

  /** Visits strips one panel wide; `first` is the strip's first atom. */
  forEachStrip(visit: (strip: number, first: number) => void): void {
    const width = panelWidth(this.blocks.precision);
    for (let at = 0, first = 0; at < this.stride; at += PANEL_BYTES, first += width) visit(this.at + at, first);
  }
}

/** Float64 sums LᵀR over blocks; with f32, a block is summed in float32 and added in float64. */
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

  /** `left` has `width` columns; the right operand defaults to the block of samples. */
  add(
    left: number,
    leftStride: number,
    width: number,
    rows: number,
    right = this.blocks.conditioned,
    rightStride = this.blocks.stride,
  ): void {
    const { precision } = this.blocks;
    const { arena, exports } = this.machine;
    const bytes = bytesPer(precision);
    const wide = precision === 'f64';
    const L = arena.view(left, (rows * leftStride) / bytes, precision);
    const R = arena.view(right, (rows * rightStride) / bytes, precision);
    const C = arena.view(wide ? this.#sums : this.#block, this.rows * this.cols, precision);
    const gemm = gemmOf(this.blas, precision);
    gemm(
      true,
      false,
      width,
      this.cols,
      rows,
      L,
      leftStride / bytes,
      R,
      rightStride / bytes,
      wide ? 1 : 0,
      C,
      this.cols,
    );
    if (!wide) exports.addWidened(this.#block, this.rows * this.cols, this.#sums);
  }

  /** Adds the upper half of YᵀY for the block of samples. */
  addSquare(rows: number): void {
    const { precision, conditioned, stride } = this.blocks;
    const { arena, exports } = this.machine;
    const wide = precision === 'f64';
    const perRow = stride / bytesPer(precision);
    const Y = arena.view(conditioned, rows * perRow, precision);
    const C = arena.view(wide ? this.#sums : this.#block, this.rows * this.cols, precision);
    const update = this.blas.rankUpdate[precision] as RankUpdate<FloatArray>;
    update(this.cols, rows, Y, perRow, wide ? 1 : 0, C, this.cols);
    if (!wide) exports.addWidened(this.#block, this.rows * this.cols, this.#sums);
  }

  /** Products of its rows with those of a matrix of the same size in memory. */
  rowDots(other: number): Float64Array {
    const { arena } = this.machine;
    const out = arena.take(this.rows * 8);
    this.blocks.arithmetic.rowDots(this.#sums, other, this.rows, this.cols, out);
    return arena.copy64(out, this.rows);
  }

  read(): Matrix64 {
    return { rows: this.rows, cols: this.cols, data: this.machine.arena.copy64(this.#sums, this.rows * this.cols) };
  }
}

export const gemmOf = (blas: Blas, precision: Precision): Gemm<FloatArray> => blas[precision] as Gemm<FloatArray>;
