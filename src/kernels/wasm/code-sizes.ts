/** Sizes of codes: histograms, how many exceed their thresholds, and the sums of their powers. */
import {
  HISTOGRAM_BINS,
  HISTOGRAM_BINS_PER_OCTAVE,
  HISTOGRAM_LOWEST_EXPONENT,
  type HistogramRequest,
  type MeasureRequest,
  type Measures,
} from '../kernels.ts';
import { type OpenCodes, PANEL_BYTES, panelsFor, panelWidth, type SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

export function histogram(open: OpenCodes, machine: Machine, request: HistogramRequest): Float64Array {
  const { leastNorm = 0, meanNorm, atoms } = request;
  const codes = open(machine, request, 'f64', { norms: { least: leastNorm }, all: false });
  const counts = new HistogramCounts(machine, codes.blocks, atoms.rows, codes.place.stride, meanNorm);
  codes.forEachStrip((strip, rows, first, count) => counts.add(strip, rows, first, count));
  return counts.read();
}

export function measure(open: OpenCodes, machine: Machine, request: MeasureRequest): Measures {
  const { leastNorm = 0, precision } = request;
  const codes = open(machine, request, precision, { norms: { least: leastNorm }, all: false });
  const measured = new Measured(machine, codes.blocks, request, codes.place.stride);
  codes.forEachStrip((strip, rows, first) => measured.add(strip, rows, first));
  return measured.read();
}

const BINS_BELOW_FIRST = (1023 + HISTOGRAM_LOWEST_EXPONENT) * HISTOGRAM_BINS_PER_OCTAVE;

/** Histograms in the machine's memory, one line of bins per atom. */
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

/** Sums over strips of codes in the machine's memory. */
class Measured {
  readonly #thresholds: number;
  readonly #kept: number;
  readonly #powers: number;

  /** Prepares the sums. `stride`: bytes from one sample's codes to the next. */
  constructor(
    readonly machine: Machine,
    readonly blocks: SampleBlocks,
    readonly request: MeasureRequest,
    readonly stride: number,
  ) {
    const { precision } = blocks;
    const padded = new Float64Array(panelsFor(request.atoms.rows, precision) * panelWidth(precision));
    padded.set(request.thresholds);
    this.#thresholds = machine.arena.put(padded, precision);
    this.#kept = machine.arena.takeZeros(padded.length * 8);
    this.#powers = machine.arena.takeZeros(padded.length * 8);
  }

  /** Adds a strip of codes; `atom` is its first atom. */
  add(strip: number, rows: number, atom: number): void {
    const { arithmetic, norms, precision } = this.blocks;
    const { norm, meanNorm } = this.request;
    const thresholds = this.#thresholds + (atom / panelWidth(precision)) * PANEL_BYTES;
    const odd = norm % 2 === 1;
    const [kept, powers] = [this.#kept + atom * 8, this.#powers + atom * 8];
    arithmetic.measure(strip, this.stride, rows, thresholds, norms, meanNorm, odd, norm >> 1, kept, powers);
  }

  read(): Measures {
    const { arena } = this.machine;
    const { rows } = this.request.atoms;
    return { kept: arena.copy64(this.#kept, rows), powers: arena.copy64(this.#powers, rows) };
  }
}
