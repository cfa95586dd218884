/** Histograms of codes in the machine's memory, one line of bins per atom. */
import { HISTOGRAM_BINS, HISTOGRAM_BINS_PER_OCTAVE, HISTOGRAM_LOWEST_EXPONENT } from '../kernels.ts';
import type { SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

const BINS_BELOW_FIRST = (1023 + HISTOGRAM_LOWEST_EXPONENT) * HISTOGRAM_BINS_PER_OCTAVE;

export class HistogramCounts {
  readonly #at: number;

  /** Prepares the histograms. `stride`: bytes from one sample's codes to the next. */
  constructor(
    readonly machine: Machine,
    readonly blocks: SampleBlocks,
    readonly atoms: number,
    readonly stride: number,
    readonly meanNorm: number,
  ) {
    this.#at = machine.arena.takeZeros(atoms * HISTOGRAM_BINS * 8);
  }

  /** Counts a strip of the current block's codes: atoms from `first` on, at most `count` and at most a panel wide. */
  add(strip: number, rows: number, first: number, count: number): void {
    const { arithmetic, norms } = this.blocks;
    const lines = this.#at + first * HISTOGRAM_BINS * 8;
    const { stride, meanNorm } = this;
    arithmetic.histogram(strip, stride, rows, count, norms, meanNorm, HISTOGRAM_BINS, BINS_BELOW_FIRST, lines);
  }

  read(): Float64Array {
    return this.machine.arena.copy64(this.#at, this.atoms * HISTOGRAM_BINS);
  }
}
