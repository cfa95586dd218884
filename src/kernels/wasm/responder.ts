/** Responses to codes in the machine's memory, before they are correlated. */
import { inputError } from '../../core/errors.ts';
import type { CorrelateRequest, Correlation, Response } from '../kernels.ts';
import { type BlockWishes, type CodesPlace, PANEL_BYTES, panelsFor, panelWidth, type SampleBlocks } from './blocks.ts';
import { HistogramCounts } from './code-sizes.ts';
import { Likelihood } from './likelihood.ts';
import type { Arithmetic, Machine } from './module.ts';

type PowerResponse = Response & { readonly kind: 'power' };
type MaskResponse = Response & { readonly kind: 'mask' };

/** The norms that a response needs of its samples. */
export const normsFor = (response: Response): BlockWishes['norms'] =>
  response.kind === 'mask' ? { least: response.leastNorm ?? 0 } : undefined;

/** Responds to codes strip by strip, in place, as a request asks; on the way counts their sizes, if it asks for that. */
export class Responder {
  readonly #place: CodesPlace;
  readonly #mask: Mask | undefined;
  readonly #likelihood: Likelihood | undefined;
  readonly #power: ReturnType<typeof powerOf> | undefined;
  readonly #counts: HistogramCounts | undefined;
  /** Samples of the chunk whose codes are counted. */
  readonly #counted: number;

  constructor(
    machine: Machine,
    blocks: SampleBlocks,
    { response, atoms, counts = 0 }: CorrelateRequest,
    place: CodesPlace,
  ) {
    const { stride } = place;
    this.#place = place;
    this.#counted = counts;
    if (response.kind === 'power') this.#power = powerOf(blocks.arithmetic, response);
    else if (response.kind === 'likelihood') {
      this.#likelihood = new Likelihood(machine, blocks, response, atoms.rows, place);
    } else {
      this.#mask = new Mask(machine, blocks, response, atoms.rows, stride);
      if (counts) this.#counts = new HistogramCounts(machine, blocks, atoms.rows, stride, response.meanNorm);
    }
  }

  /** Prepares for a block of samples. A likelihood needs all their codes. */
  prepare(rows: number): void {
    this.#likelihood?.prepare(rows);
  }

  /** Responds to a strip, of atoms from `first` on, `count` of them or a panel; `start`: first row of the block. */
  apply(strip: number, rows: number, start: number, first: number, count: number): void {
    this.#counts?.add(strip, Math.max(0, Math.min(rows, this.#counted - start)), first, count);
    (this.#mask ?? this.#likelihood)?.apply(strip, rows, first);
    this.#power?.(strip, rows * this.#place.stride);
  }

  /** Returns the sums. `powers`: the values of a power, which has no sums of its own. */
  read(powers: () => Float64Array): Omit<Correlation, 'correlation' | 'gram'> {
    const sums = (this.#mask ?? this.#likelihood)?.read() ?? { values: powers() };
    return { ...sums, ...(this.#counts && { counts: this.#counts.read() }) };
  }
}

/**
 * Responds to `bytes` bytes of codes, in place; they have room for whole steps of a panel. The values of a power need no
 * sums of their own: Σ_j φ(x_ji) x_ji = Σ_l (Φᵀ Y)_il A_il, since x_ji = Σ_l y_jl A_il.
 */
function powerOf(arithmetic: Arithmetic, { norm }: PowerResponse): (codes: number, bytes: number) => void {
  if (!Number.isInteger(norm) || norm < 1) throw inputError('correlate', 'norm', 'an integer of at least 1', norm);
  const odd = norm % 2 === 1;
  const squares = odd ? (norm - 3) / 2 : norm / 2 - 1;
  return (codes, bytes) => arithmetic.power(codes, bytes, odd, squares);
}

/** Masks codes strip by strip, and sums up what it keeps and rejects. */
class Mask {
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
