/** Sparse codes of samples whose codes Y Dᵀ are in the machine's memory: by pursuit or by the lasso. */
import type { Matrix64 } from '../../core/matrix.ts';
import type { LassoRequest, PursueRequest, SparseCodes } from '../kernels.ts';
import type { CodesPlace, OpenCodes, SampleBlocks } from './blocks.ts';
import type { Machine, SparsePlace, WasmExports } from './module.ts';

/** A way to find the codes of a sample: pursuit or lasso. */
export interface CodingWay {
  /** Largest number of codes of a sample. */
  readonly most: number;
  /** Scratch space, in numbers. */
  readonly room: number;
  /** Returns the number of codes of a block of samples. */
  solve(exports: WasmExports, place: SparsePlace): number;
}

/** Rows of G and scratch space are zero-padded to groups of this many atoms (GROUP in assembly/pursuit.ts). */
const GROUP = 8;
const wholeGroups = (K: number): number => Math.ceil(K / GROUP) * GROUP;

export function pursuitOf({ atoms, keep, residual }: PursueRequest): CodingWay {
  const most = Math.min(keep, atoms.rows);
  return {
    most,
    room: wholeGroups(atoms.rows) * (1 + most) + most * (1 + most),
    solve: (exports, place) => exports.pursue(...place, most, residual ** 2),
  };
}

export function lassoOf({ atoms, lambda }: LassoRequest): CodingWay {
  const K = wholeGroups(atoms.rows);
  return { most: atoms.rows, room: K * (K + 8), solve: (exports, place) => exports.lasso(...place, lambda) };
}

/** Computes the sparse codes of samples. `gram`: D Dᵀ. */
export function sparseCodes(
  open: OpenCodes,
  machine: Machine,
  request: PursueRequest | LassoRequest,
  gram: Matrix64,
  way: CodingWay,
): SparseCodes {
  const codes = open(machine, request, 'f64', { norms: { least: 0 }, all: true });
  const coder = new SparseCoder(machine, codes.blocks, codes.place, gram, way);
  codes.forEachBlock((rows) => coder.add(rows));
  return coder.read();
}

/** Finds the sparse codes of block after block; the blocks are in float64 and have norms. */
class SparseCoder {
  readonly #gram: number;
  readonly #room: number;
  readonly #counts: number;
  readonly #atoms: number;
  readonly #values: number;
  readonly #residuals: number;
  readonly #pieces: SparseCodes[] = [];

  constructor(
    readonly machine: Machine,
    readonly blocks: SampleBlocks,
    readonly place: CodesPlace,
    readonly gram: Matrix64,
    readonly way: CodingWay,
  ) {
    const { arena } = machine;
    const rows = blocks.blockRows;
    this.#room = arena.take(way.room * 8);
    this.#counts = arena.take(rows * 4);
    this.#atoms = arena.take(rows * way.most * 4);
    this.#values = arena.take(rows * way.most * 8);
    this.#residuals = arena.take(rows * 8);
    const width = wholeGroups(gram.cols);
    this.#gram = arena.takeZeros(gram.rows * width * 8);
    const padded = arena.view(this.#gram, gram.rows * width, 'f64');
    for (let k = 0; k < gram.rows; k++) padded.set(gram.data.subarray(k * gram.cols, (k + 1) * gram.cols), k * width);
  }

  add(rows: number): void {
    const { at, stride, panelStride } = this.place;
    const { exports, arena } = this.machine;
    const found = [this.#counts, this.#atoms, this.#values, this.#residuals] as const;
    const matrices = [this.gram.rows, this.#gram, this.blocks.norms, this.#room] as const;
    const total = this.way.solve(exports, [at, stride, panelStride, rows, ...matrices, ...found]);
    this.#pieces.push({
      starts: Int32Array.from(arena.integers(this.#counts, rows)),
      atoms: Int32Array.from(arena.integers(this.#atoms, total)),
      values: arena.copy64(this.#values, total),
      residuals: arena.copy64(this.#residuals, rows),
    });
  }

  read(): SparseCodes {
    const pieces = this.#pieces;
    const counts = joined(Int32Array, pieces, 'starts');
    const starts = new Int32Array(counts.length + 1);
    for (let j = 0; j < counts.length; j++) starts[j + 1] = starts[j] + counts[j];
    return {
      starts,
      atoms: joined(Int32Array, pieces, 'atoms'),
      values: joined(Float64Array, pieces, 'values'),
      residuals: joined(Float64Array, pieces, 'residuals'),
    };
  }
}

/** Joins one of the arrays of all pieces. */
function joined<A extends Int32Array | Float64Array>(
  Type: new (length: number) => A,
  pieces: readonly SparseCodes[],
  name: keyof SparseCodes,
): A {
  const whole = new Type(pieces.reduce((length, piece) => length + piece[name].length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece[name], at);
    at += piece[name].length;
  }
  return whole;
}
