/**
 * Feeds samples to the machine: parts of the chunk are copied in, blocks of a few hundred rows are conditioned and
 * packed, and each block is processed while it is still in the cache.
 */
import { bytesPerNumber, type Matrix, type Precision, precisionOf } from '../../core/matrix.ts';
import { ACCUMULATION_ROWS, type Conditioning } from '../kernels.ts';
import type { Arithmetic, Machine } from './module.ts';

/** Bytes of one step of a panel (PANEL_BYTES in assembly/tile.ts): a panel is 4 wide in f64 and 8 in f32. */
export const PANEL_BYTES = 32;

/** Upper limit for a block of packed samples: half an L2 cache. */
const BLOCK_BYTES = 256 * 1024;
/** With fewer rows, loading and storing the tiles of sums outweighs the work done on them. */
const FEWEST_BLOCK_ROWS = 128;

export interface BlockWishes {
  /** Conditioned samples without gaps between them. */
  readonly tight?: boolean;
  /** The caller reads the samples in place: they are neither copied nor conditioned. */
  readonly untouched?: boolean;
  /** Panels of rows: the left operand of codes. */
  readonly rowPanels?: boolean;
  /** Panels of columns: an operand of sums over samples. */
  readonly columnPanels?: boolean;
  /** Norms of the conditioned samples, at least `least`. */
  readonly norms?: { readonly least: number } | undefined;
}

export class SampleBlocks {
  readonly samples: Matrix;
  readonly precision: Precision;
  readonly arithmetic: Arithmetic;
  /** Maximum rows in a block, a multiple of every panel width. */
  readonly blockRows: number;
  readonly rowPanels: number;
  readonly columnPanels: number;
  /** Bytes from one panel of columns to the next. */
  readonly columnStride: number;
  readonly norms: number;
  /**
   * The block's conditioned samples, row-major; rows are `stride` bytes apart and, unless tight, zero-padded to whole
   * panels. 0 if both kinds of panels are requested: these are then made directly from the raw samples.
   */
  readonly conditioned: number;
  readonly stride: number;
  readonly #machine: Machine;
  readonly #wishes: BlockWishes;
  readonly #scale: number;
  readonly #offset: number;
  readonly #raw: number;
  #rawBlock = 0;
  readonly #pieceRows: number;

  /** Starts a call: resets the arena and reserves memory for the samples. */
  constructor(
    machine: Machine,
    samples: Matrix,
    conditioning: Conditioning,
    precision: Precision,
    wishes: BlockWishes,
  ) {
    const { arena } = machine;
    const { rows, cols } = samples;
    const bytes = bytesPerNumber(precision);
    const rowBytes = cols * bytesPerNumber(precisionOf(samples));
    arena.reset();
    this.#machine = machine;
    this.samples = samples;
    this.#wishes = wishes;
    this.precision = precision;
    this.arithmetic = machine.arithmetic[precision];
    this.blockRows = blockRowsFor(cols, bytes);
    this.#pieceRows = Math.max(1, Math.floor(machine.sampleBytes / (rowBytes * this.blockRows))) * this.blockRows;
    this.#scale = conditioning.scale;
    this.stride = wishes.tight ? cols * bytes : panelsFor(cols, precision) * PANEL_BYTES;
    this.#offset = offsetOf(machine, conditioning, cols);
    this.#raw = wishes.untouched ? 0 : arena.take(Math.min(rows, this.#pieceRows) * rowBytes);
    const packsBoth = wishes.rowPanels && wishes.columnPanels;
    this.conditioned = packsBoth || wishes.untouched ? 0 : arena.takeZeros(this.blockRows * this.stride);
    this.rowPanels = wishes.rowPanels ? arena.take(this.blockRows * cols * bytes) : 0;
    this.columnStride = panelStride(this.blockRows);
    this.columnPanels = wishes.columnPanels ? arena.takeZeros(panelsFor(cols, precision) * this.columnStride) : 0;
    this.norms = wishes.norms ? arena.take(this.blockRows * 8) : 0;
  }

  /** Prepares and visits block after block; `first` is the block's first row in the chunk. */
  forEach(visit: (rows: number, first: number) => void): void {
    const { rows, cols, data } = this.samples;
    for (let start = 0; start < rows; start += this.#pieceRows) {
      const end = Math.min(rows, start + this.#pieceRows);
      if (!this.#wishes.untouched) {
        const piece = data.subarray(start * cols, end * cols);
        this.#machine.arena.view(this.#raw, piece.length, precisionOf(this.samples)).set(piece);
      }
      for (let first = start; first < end; first += this.blockRows) {
        const blockRows = Math.min(this.blockRows, end - first);
        if (!this.#wishes.untouched) this.#prepare(first - start, blockRows);
        visit(blockRows, first);
      }
    }
  }

  /** Whether the caller reads the samples in place. */
  get areUntouched(): boolean {
    return this.#wishes.untouched === true;
  }

  /** The address of the visited block's samples as they were given; 0 if they are untouched. */
  get raw(): number {
    return this.#rawBlock;
  }

  #prepare(first: number, rows: number): void {
    const { exports } = this.#machine;
    const { cols } = this.samples;
    const { norms, rowPanels, columnPanels } = this.#wishes;
    const kind = precisionOf(this.samples);
    const from = this.#raw + first * cols * bytesPerNumber(kind);
    this.#rawBlock = from;
    if (this.conditioned === 0) {
      const pack = exports[`packSamples_${kind}_${this.precision}`];
      pack(from, rows, cols, this.#offset, this.#scale, this.rowPanels, this.columnPanels, this.columnStride);
    } else {
      const condition = exports[`condition_${kind}_${this.precision}`];
      condition(from, rows, cols, this.#offset, this.#scale, this.conditioned, this.stride);
      if (rowPanels) this.arithmetic.packRows(this.conditioned, this.stride, rows, cols, this.rowPanels);
      if (columnPanels) {
        // conditioned rows are zero beyond `cols`
        const padded = this.stride / bytesPerNumber(this.precision);
        this.arithmetic.packColumns(this.conditioned, this.stride, rows, padded, this.columnPanels, this.columnStride);
      }
    }
    if (norms) exports[`norms_${kind}`](from, rows, cols, this.#offset, this.#scale, norms.least, this.norms);
  }
}

/** Where the codes of a block are; distances in bytes. */
export interface CodesPlace {
  /** Address of the first code. */
  readonly at: number;
  /** Distance from one sample's codes to the next. */
  readonly stride: number;
  /** Distance from one panel of a sample's codes to the next. */
  readonly panelStride: number;
}

/** Codes of samples, computed block by block in the machine's memory. */
export interface BlockCodes {
  readonly blocks: SampleBlocks;
  /** Where all codes of a block are, if they were asked for at once. */
  readonly place: CodesPlace;
  /** Computes the codes of block after block. */
  forEachBlock(visit: (rows: number) => void): void;
  /** Computes the codes and visits them in strips a panel wide: of atoms from `first` on, `count` of them or a panel. */
  forEachStrip(visit: (strip: number, rows: number, first: number, count: number) => void): void;
}

/** Starts to compute codes, as a backend does it. */
export type OpenCodes = (
  machine: Machine,
  samples: { readonly samples: Matrix; readonly atoms: Matrix; readonly conditioning: Conditioning },
  precision: Precision,
  wishes: Pick<BlockWishes, 'norms'> & { /** All codes of a block at once. */ readonly all: boolean },
) => BlockCodes;

/** Whether numbers multiplied by this scale stay within the range of float32. */
export const isModerate = (scale: number): boolean => scale >= 2 ** -60 && scale <= 2 ** 60;

/** The offset in memory, or 0: without one, samples are conditioned faster. */
function offsetOf({ arena }: Machine, { offset, scale }: Conditioning, cols: number): number {
  if (!offset && isModerate(scale)) return 0;
  return arena.put(offset ?? new Float64Array(cols), 'f64');
}

/** Rows or columns in a panel. */
export function panelWidth(precision: Precision): number {
  return PANEL_BYTES / bytesPerNumber(precision);
}

/** Number of panels that hold `count` rows or columns. */
export function panelsFor(count: number, precision: Precision): number {
  return Math.ceil(count / panelWidth(precision));
}

/**
 * Bytes from one panel of `rows` steps to the next. A cache line more than a panel needs: a sample's numbers would
 * otherwise be a power of two apart, where a cache holds only a few of them.
 */
export function panelStride(rows: number): number {
  return rows * PANEL_BYTES + 64;
}

/** Rows of a block: as many as fit the cache, few enough for float32 sums, a multiple of 8. */
function blockRowsFor(cols: number, bytes: number): number {
  const fitting = Math.floor(BLOCK_BYTES / (cols * bytes) / 8) * 8;
  return Math.min(Math.max(fitting, FEWEST_BLOCK_ROWS), ACCUMULATION_ROWS);
}
