/** Products of blocks in WebAssembly memory by the system's BLAS: codes, and sums over blocks. */
import type { FloatArray, Matrix, Matrix64, Precision } from '../../../core/matrix.ts';
import { bytesPer } from '../../../kernels/wasm/arena.ts';
import { panelsFor, panelWidth, type SampleBlocks } from '../../../kernels/wasm/blocks.ts';
import type { Machine } from '../../../kernels/wasm/module.ts';
import type { Blas, Gemm, RankUpdate } from './blas.ts';

/** X = Y Aᵀ of one block, row-major, zero-padded to whole strips. */
export class Codes {
  readonly at: number;
  readonly stride: number;
  readonly strips: number;
  readonly #atoms: number;

  constructor(
    readonly blas: Blas,
    readonly blocks: SampleBlocks,
    readonly machine: Machine,
    readonly matrix: Matrix,
  ) {
    const { precision, blockRows } = blocks;
    this.strips = panelsFor(matrix.rows, precision);
    this.stride = this.strips * panelWidth(precision) * bytesPer(precision);
    this.at = machine.arena.takeZeros(blockRows * this.stride);
    this.#atoms = machine.arena.put(matrix.data, precision);
  }

  compute(rows: number): void {
    const { precision, conditioned, stride } = this.blocks;
    const { arena } = this.machine;
    const bytes = bytesPer(precision);
    const [K, n] = [this.matrix.rows, this.matrix.cols];
    const Y = arena.view(conditioned, (rows * stride) / bytes, precision);
    const A = arena.view(this.#atoms, K * n, precision);
    const X = arena.view(this.at, (rows * this.stride) / bytes, precision);
    gemmOf(this.blas, precision)(false, true, rows, K, n, Y, stride / bytes, A, n, 0, X, this.stride / bytes);
  }

  /** Visits strips one panel wide; `first` is the strip's first atom. */
  forEachStrip(visit: (strip: number, first: number) => void): void {
    const width = panelWidth(this.blocks.precision);
    for (let p = 0; p < this.strips; p++) visit(this.at + p * width * bytesPer(this.blocks.precision), p * width);
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

  read(): Matrix64 {
    return { rows: this.rows, cols: this.cols, data: this.machine.arena.copy64(this.#sums, this.rows * this.cols) };
  }
}

export const gemmOf = (blas: Blas, precision: Precision): Gemm<FloatArray> => blas[precision] as Gemm<FloatArray>;
