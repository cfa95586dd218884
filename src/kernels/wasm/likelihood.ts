/** The response by likelihood to codes in the machine's memory; see assembly/likelihood.ts for the formulas. */
import type { Precision } from '../../core/matrix.ts';
import type { Correlation, LikelihoodResponse } from '../kernels.ts';
import { type CodesPlace, panelsFor, panelWidth, type SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

/** Numbers per sample that the response needs: a, g, b, m, e, c. */
const NUMBERS = 6;

/** Limits of the arithmetic: c − a, and the largest g. */
interface Limits {
  readonly reach: number;
  readonly largestG: number;
}
const LIMITS: Record<Precision, Limits> = {
  f32: { reach: 125, largestG: 2 ** 127 },
  f64: { reach: 1021, largestG: 2 ** 1023 },
};

/** Responds to codes strip by strip, and adds up the sums of a likelihood. */
export class Likelihood {
  readonly #energies: number;
  readonly #numbers: number;
  /** Float64 sums, one per atom. */
  readonly #values: number;
  readonly #spikeEnergy: number;
  readonly #slope: number;
  readonly #logOdds: number;
  readonly #limits: Limits;
  /** Sum of b, which every atom's slope contains. */
  #sumOfB = 0;
  #live = 0;

  constructor(
    readonly machine: Machine,
    readonly blocks: SampleBlocks,
    readonly response: LikelihoodResponse,
    readonly atoms: number,
    readonly place: CodesPlace,
  ) {
    const { arena } = machine;
    const { precision, blockRows } = blocks;
    const padded = panelsFor(atoms, precision) * panelWidth(precision);
    this.#logOdds = Math.log((1 - response.theta) / response.theta);
    this.#limits = LIMITS[precision];
    this.#energies = arena.take(blockRows * 8);
    this.#numbers = arena.take(blockRows * NUMBERS * 8);
    this.#values = arena.takeZeros(padded * 8);
    this.#spikeEnergy = arena.takeZeros(padded * 8);
    this.#slope = arena.takeZeros(padded * 8);
  }

  /** Prepares the response to a block whose codes are all computed. */
  prepare(rows: number): void {
    const { arena } = this.machine;
    const { arithmetic, precision } = this.blocks;
    const { at, stride, panelStride } = this.place;
    const { leastEnergy = 0 } = this.response;
    arithmetic.energies(at, stride, panelStride, rows, this.atoms, this.#energies);
    const energies = arena.view(this.#energies, rows, 'f64') as Float64Array;
    const numbers = arena.view(this.#numbers, rows * NUMBERS, 'f64') as Float64Array;
    let live = 0;
    let sumOfB = 0;
    for (let j = 0; j < rows; j++) {
      if (energies[j] <= leastEnergy) {
        numbers.fill(0, j * NUMBERS, (j + 1) * NUMBERS);
      } else {
        sumOfB += this.#put(numbers, j * NUMBERS, energies[j]);
        live++;
      }
    }
    if (precision === 'f32') this.machine.exports.narrow(this.#numbers, rows * NUMBERS);
    this.#sumOfB += sumOfB;
    this.#live += live;
  }

  /** Writes the numbers of a sample of this energy, and returns b. */
  #put(numbers: Float64Array, at: number, energy: number): number {
    const { spike, slab, spread, meanEnergy } = this.response;
    const { reach, largestG } = this.#limits;
    const c2 = spread === undefined ? 1 : (energy / meanEnergy + spread) / (1 + spread);
    const t2 = spike * c2;
    const ratio = t2 / Math.max(slab, 1.01 * t2); // t_j²/s_j²
    const a = (this.#logOdds - 0.5 * Math.log(ratio)) * Math.LOG2E;
    const b = ratio / c2;
    const m = (1 - ratio) / c2;
    numbers[at] = a;
    numbers[at + 1] = Math.min(Math.sqrt(((0.5 * Math.LOG2E) / spike) * m), largestG);
    numbers[at + 2] = b;
    numbers[at + 3] = m;
    numbers[at + 4] = (2 * Math.LN2) / (1 - ratio);
    numbers[at + 5] = a + reach;
    return b;
  }

  /** Responds to a strip of codes, in place; `atom` is the strip's first atom. */
  apply(codes: number, rows: number, atom: number): void {
    const { arithmetic } = this.blocks;
    const at = atom * 8;
    const sums = [this.#values + at, this.#spikeEnergy + at, this.#slope + at] as const;
    arithmetic.likelihood(codes, this.place.stride, rows, this.atoms - atom, this.#numbers, ...sums);
  }

  read(): Pick<Correlation, 'values' | 'likelihood'> {
    const copy = (at: number) => this.machine.arena.copy64(at, this.atoms);
    const spikeEnergy = copy(this.#spikeEnergy).map((sum) => sum * this.response.spike);
    const slope = copy(this.#slope).map((sum) => sum + this.#sumOfB);
    return { values: copy(this.#values), likelihood: { spikeEnergy, slope, live: this.#live } };
  }
}
