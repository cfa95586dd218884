/** Codes X = Y Aᵀ of a block of samples, computed for a group of atom panels at a time. */
import { bytesPerNumber, type Matrix } from '../../core/matrix.ts';
import {
  type CodesPlace,
  type OpenCodes,
  PANEL_BYTES,
  panelStride,
  panelsFor,
  panelWidth,
  SampleBlocks,
} from './blocks.ts';
import type { Machine } from './module.ts';

/** Bytes of codes in a group: small relative to the L2 cache, yet several panels per pass over the samples. */
const GROUP_BYTES = 64 * 1024;

export class PackedAtoms {
  /** Address of the current group's codes: `[panel][row][PANEL]`. */
  readonly codes: number;
  /** Bytes from one panel of codes to the next. */
  readonly codesStride: number;
  /** Address of the unpacked atoms, row-major. */
  readonly raw: number;
  readonly #blocks: SampleBlocks;
  readonly #panels: number;
  readonly #groupPanels: number;
  readonly #atoms: Matrix;
  readonly #packed: number;

  /** Reserves memory after that of the samples. With `all`, one group holds all atoms. */
  constructor({ arena }: Machine, blocks: SampleBlocks, atoms: Matrix, all: boolean) {
    this.#blocks = blocks;
    this.#atoms = atoms;
    this.#panels = panelsFor(atoms.rows, blocks.precision);
    this.codesStride = panelStride(blocks.blockRows);
    const fitting = Math.max(1, Math.floor(GROUP_BYTES / (blocks.blockRows * PANEL_BYTES)));
    this.#groupPanels = all ? this.#panels : Math.min(this.#panels, fitting);
    this.#packed = arena.take(this.#panels * atoms.cols * PANEL_BYTES);
    this.codes = arena.takeZeros(this.#groupPanels * this.codesStride);
    this.raw = arena.put(atoms.data, blocks.precision);
    blocks.arithmetic.packRows(
      this.raw,
      atoms.cols * bytesPerNumber(blocks.precision),
      atoms.rows,
      atoms.cols,
      this.#packed,
    );
  }

  /**
   * Computes the codes of `rows` samples, or their cubes, group by group; `first` is the group's first atom, `count` its
   * size.
   */
  forEachGroup(rows: number, cubes: boolean, visit: (first: number, count: number) => void): void {
    const { arithmetic, precision, rowPanels } = this.#blocks;
    const depth = this.#atoms.cols;
    const width = panelWidth(precision);
    for (let start = 0; start < this.#panels; start += this.#groupPanels) {
      const first = start * width;
      const count = Math.min(this.#groupPanels * width, this.#atoms.rows - first);
      const atoms = this.#packed + start * depth * PANEL_BYTES;
      const compute = cubes ? arithmetic.cubes : arithmetic.codes;
      compute(rowPanels, rows, depth, atoms, count, this.codes, this.codesStride);
      visit(first, count);
    }
  }

  /** Where the codes are, if one group holds all atoms. */
  get place(): CodesPlace {
    return { at: this.codes, stride: PANEL_BYTES, panelStride: this.codesStride };
  }

  /** Visits the panels of the current group's codes; `i` is the panel's first atom, relative to the group. */
  forEachPanel(count: number, visit: (panel: number, i: number) => void): void {
    const width = panelWidth(this.#blocks.precision);
    for (let i = 0; i < count; i += width) visit(this.codes + (i / width) * this.codesStride, i);
  }
}

/** Opens codes that WebAssembly computes. */
export const openPackedCodes: OpenCodes = (machine, { samples, atoms, conditioning }, precision, { norms, all }) => {
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { rowPanels: true, norms });
  const packed = new PackedAtoms(machine, blocks, atoms, all);
  const forEachGroup = (visit: (rows: number, first: number, count: number) => void) =>
    blocks.forEach((rows) => {
      packed.forEachGroup(rows, false, (first, count) => visit(rows, first, count));
    });
  return {
    blocks,
    place: packed.place,
    forEachBlock: forEachGroup,
    forEachStrip: (visit) =>
      forEachGroup((rows, first, count) =>
        packed.forEachPanel(count, (panel, i) => visit(panel, rows, first + i, count - i)),
      ),
  };
};
