/** Responses to codes in the machine's memory, before they are correlated. */
import { inputError } from '../../core/errors.ts';
import type { Correlation, Response } from '../kernels.ts';
import { type BlockWishes, PANEL_BYTES, panelsFor, panelWidth, type SampleBlocks } from './blocks.ts';
import type { Arithmetic, Machine } from './module.ts';

export type PowerResponse = Response & { readonly kind: 'power' };
type MaskResponse = Response & { readonly kind: 'mask' };

/** The norms that a response needs of its samples. */
export const normsFor = (response: Response): BlockWishes['norms'] =>
  response.kind === 'mask' ? { least: response.leastNorm ?? 0 } : undefined;

/**
 * Responds to `bytes` bytes of codes, in place; they have room for whole steps of a panel. The values of a power need no
 * sums of their own: Σ_j φ(x_ji) x_ji = Σ_l (Φᵀ Y)_il A_il, since x_ji = Σ_l y_jl A_il.
 */
export function powerOf(arithmetic: Arithmetic, { norm }: PowerResponse): (codes: number, bytes: number) => void {
  if (!Number.isInteger(norm) || norm < 1) throw inputError('correlate', 'norm', 'an integer of at least 1', norm);
  const odd = norm % 2 === 1;
  const squares = odd ? (norm - 3) / 2 : norm / 2 - 1;
  return (codes, bytes) => arithmetic.power(codes, bytes, odd, squares);
}

/** Masks codes strip by strip, and sums up what it keeps and rejects. */
export class Mask {
  readonly #thresholds: number;
  /** Float64 sums, one per atom. */
  readonly #values: number;
  readonly #kept: number;
  readonly #rejected: number;

  /** Prepares the sums. `stride`: bytes from one sample's codes to the next. */
  constructor(
    readonly machine: Machine,
    readonly blocks: SampleBlocks,
    readonly response: MaskResponse,
    readonly atoms: number,
    readonly stride: number,
  ) {
    const { arena } = machine;
    const padded = panelsFor(atoms, blocks.precision) * panelWidth(blocks.precision);
    const thresholds = new Float64Array(padded);
    thresholds.set(response.thresholds.subarray(0, atoms));
    this.#thresholds = arena.put(thresholds, blocks.precision);
    this.#values = arena.takeZeros(padded * 8);
    this.#kept = arena.takeZeros(padded * 8);
    this.#rejected = arena.takeZeros(padded * 8);
  }

  /** Masks a strip of codes, in place; `atom` is the strip's first atom. */
  apply(codes: number, rows: number, atom: number): void {
    const { arithmetic, precision, norms } = this.blocks;
    const own = this.#thresholds + (atom / panelWidth(precision)) * PANEL_BYTES;
    const at = atom * 8;
    const sums = [this.#values + at, this.#kept + at, this.#rejected + at] as const;
    arithmetic.mask(codes, this.stride, rows, own, norms, this.response.meanNorm, ...sums);
  }

  read(): Pick<Correlation, 'values' | 'sums'> {
    const copy = (at: number) => this.machine.arena.copy64(at, this.atoms);
    return { values: copy(this.#values), sums: { kept: copy(this.#kept), rejected: copy(this.#rejected) } };
  }
}
