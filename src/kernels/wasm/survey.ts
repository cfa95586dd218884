/** The survey of the first pass, computed on parts of a chunk that stay in the cache. */
import { bytesPerNumber, type Matrix, type Precision, precisionOf } from '../../core/matrix.ts';
import type { Conditioning, SampleSurvey } from '../kernels.ts';
import type { Machine } from './module.ts';

const PIECE_BYTES = 128 * 1024;

export function survey(machine: Machine, samples: Matrix, conditioning: Conditioning): SampleSurvey {
  machine.arena.reset();
  const surveyor = new Surveyor(machine, samples, conditioning);
  surveyor.addRows(0, samples.rows);
  return surveyor.read();
}

/** Surveys samples part by part, alongside other uses of the machine. */
export class Surveyor {
  readonly #machine: Machine;
  readonly #samples: Matrix;
  readonly #scale: number;
  readonly #kind: Precision;
  readonly #offset: number;
  readonly #sums: number;
  readonly #totals: number;
  /** Address to which samples outside the machine's memory are copied. */
  #piece = 0;

  constructor(machine: Machine, samples: Matrix, conditioning: Conditioning) {
    const { arena } = machine;
    this.#machine = machine;
    this.#samples = samples;
    this.#scale = conditioning.scale;
    this.#kind = precisionOf(samples);
    this.#offset = arena.put(conditioning.offset ?? new Float64Array(samples.cols), 'f64');
    this.#sums = arena.takeZeros(samples.cols * 8);
    this.#totals = arena.takeZeros(3 * 8);
  }

  /** Adds unconditioned samples at an address. */
  add(at: number, rows: number): void {
    const { cols } = this.#samples;
    this.#machine.exports[`survey_${this.#kind}`](at, rows, cols, this.#offset, this.#scale, this.#sums, this.#totals);
  }

  /** Adds rows of the chunk, which are copied first. */
  addRows(from: number, to: number): void {
    const { arena } = this.#machine;
    const { rows, cols, data } = this.#samples;
    const rowBytes = cols * bytesPerNumber(this.#kind);
    const pieceRows = Math.min(rows, Math.max(1, Math.floor(PIECE_BYTES / rowBytes)));
    this.#piece ||= arena.take(pieceRows * rowBytes);
    for (let first = from; first < to; first += pieceRows) {
      const end = Math.min(first + pieceRows, to);
      const numbers = data.subarray(first * cols, end * cols);
      arena.view(this.#piece, numbers.length, this.#kind).set(numbers);
      this.add(this.#piece, end - first);
    }
  }

  read(): SampleSurvey {
    const { arena } = this.#machine;
    const [largest, zeroSamples, normSum] = arena.copy64(this.#totals, 3);
    // squares of finite numbers may overflow
    const finite = Number.isFinite(normSum) || this.#samples.data.every(Number.isFinite);
    return { finite, largest, zeroSamples, normSum, sum: arena.copy64(this.#sums, this.#samples.cols) };
  }
}
