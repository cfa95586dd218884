/** Applies the response to codes in the machine's memory, before they are correlated, and sums up its values. */
import { inputError } from '../../core/errors.ts';
import type { Correlation, Response } from '../kernels.ts';
import { type BlockWishes, PANEL_BYTES, panelsFor, panelWidth, type SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

/** The norms that a response needs of its samples. */
export const normsFor = (response: Response): BlockWishes['norms'] =>
  response.kind === 'mask' ? { least: response.leastNorm ?? 0 } : undefined;

type Apply = (codes: number, rows: number, atom: number) => void;

export class Responder {
  /** Applies the response to a strip of codes, in place; `atom` is the strip's first atom. */
  readonly apply: Apply;
  readonly #machine: Machine;
  readonly #atoms: number;
  /** Float64 sums of the values, one per atom. */
  readonly values: number;
  /** The same of codes, only with a mask. */
  #kept = 0;
  #rejected = 0;

  /** `stride`: bytes from one sample's codes to the next. */
  constructor(machine: Machine, blocks: SampleBlocks, response: Response, atoms: number, stride: number) {
    this.#machine = machine;
    this.#atoms = atoms;
    this.values = this.#takeSums(blocks);
    this.apply =
      response.kind === 'power' ? this.#power(blocks, response, stride) : this.#mask(blocks, response, stride);
  }

  read(): Pick<Correlation, 'values' | 'sums'> {
    const copy = (at: number) => this.#machine.arena.copy64(at, this.#atoms);
    const values = copy(this.values);
    return this.#kept ? { values, sums: { kept: copy(this.#kept), rejected: copy(this.#rejected) } } : { values };
  }

  #takeSums({ precision }: SampleBlocks): number {
    return this.#machine.arena.takeZeros(panelsFor(this.#atoms, precision) * panelWidth(precision) * 8);
  }

  #power({ arithmetic }: SampleBlocks, { norm }: Response & { kind: 'power' }, stride: number): Apply {
    if (!Number.isInteger(norm) || norm < 1) throw inputError('correlate', 'norm', 'an integer of at least 1', norm);
    const odd = norm % 2 === 1;
    const squares = odd ? (norm - 3) / 2 : norm / 2 - 1;
    const values = this.values;
    return (codes, rows, atom) => arithmetic.power(codes, stride, rows, odd, squares, values + atom * 8);
  }

  #mask(blocks: SampleBlocks, response: Response & { kind: 'mask' }, stride: number): Apply {
    const { arithmetic, precision, norms } = blocks;
    const width = panelWidth(precision);
    const padded = new Float64Array(panelsFor(this.#atoms, precision) * width);
    padded.set(response.thresholds.subarray(0, this.#atoms));
    const thresholds = this.#machine.arena.put(padded, precision);
    const values = this.values;
    const kept = this.#takeSums(blocks);
    const rejected = this.#takeSums(blocks);
    this.#kept = kept;
    this.#rejected = rejected;
    return (codes, rows, atom) => {
      const own = thresholds + (atom / width) * PANEL_BYTES;
      const at = atom * 8;
      arithmetic.mask(codes, stride, rows, own, norms, response.meanNorm, values + at, kept + at, rejected + at);
    };
  }
}
