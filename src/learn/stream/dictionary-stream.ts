/**
 * A dictionary that follows a stream. Every block of samples is read once, adds to sums (stream-sums.ts), and moves the
 * atoms to the optimum of the sums of all blocks. All happens in the coordinates z of the codes that the stream began
 * with, where the atoms were the axes. B (K×K) turns z into codes, x = B z, and begins as I.
 *
 * Steps use the zeros of the codes if `learn` has refined (zero-steps.ts), otherwise their fourth powers (l4-steps.ts).
 */
import { demand } from '../../core/errors.ts';
import { addScaled, dot, identity, type Matrix, type Matrix64, row } from '../../core/matrix.ts';
import { requireScale } from '../../core/scale.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import { memorySource } from '../../engine/source/memory.ts';
import type { Source } from '../../engine/source/source.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { type Survey, surveyFinite } from '../../passes/survey.ts';
import type { Problem } from '../problem.ts';
import { type BlockStep, StreamMemory } from './block-step.ts';
import { l4Steps } from './l4-steps.ts';
import { blockProblem, dictionaryOf, frameOf, type StreamFrame, type StreamPlace } from './stream-frame.ts';
import { zeroSteps } from './zero-steps.ts';

/** A dictionary, and what a stream needs of how it was learned. The result of `learn` is one. */
export interface KnownDictionary {
  /** Orthonormal atoms, or atoms and an encoder (`whiten: 'zca'`). */
  readonly dictionary: Dictionary;
  /** Number of samples that it stands for, its weight against new ones: those it was learned from, at most a stream's window. */
  readonly samples: number;
  /** Whether the zeros of the codes made it exact. */
  readonly refined: boolean;
}

/** The dictionary of a stream. */
export interface FollowedDictionary extends KnownDictionary {
  /** Share of the new samples' energy (about their mean, if that is subtracted) in the codes of every atom, if known. */
  readonly energies?: Float64Array | undefined;
}

/** Second moments of new samples; those that the window forgets count for less. */
interface Moments {
  /** Σ z zᵀ */
  readonly gram: Matrix64;
  /** Σ ‖y‖² */
  readonly energy: number;
  readonly samples: number;
}

function addMoments(now: Moments, past: Moments, most: number): Moments {
  const factor = Math.min(1, most);
  return {
    gram: addScaled(now.gram, factor, past.gram),
    energy: now.energy + factor * past.energy,
    samples: now.samples + factor * past.samples,
  };
}

/** State of a stream. */
interface Position {
  readonly memory: StreamMemory;
  readonly B: Matrix64;
  readonly mean: Float64Array | undefined;
  /** Number of new samples. */
  readonly seen: number;
  /** Coordinates, settled by the first block. */
  readonly frame?: StreamFrame;
  readonly step?: BlockStep;
  readonly moments?: Moments;
}

/** Largest ratio of samples to the first ones: their powers stay within float64. */
const LARGER = 1e60;

/** A stream is immutable: a block of samples makes a new one, so a failed block leaves no trace. */
export class DictionaryStream {
  readonly #who: string;
  readonly #known: KnownDictionary;
  readonly #window: number;
  readonly #at: Position;

  /** `window`: most samples that the past counts for. */
  constructor(who: string, known: KnownDictionary, window: number, at?: Position) {
    this.#who = who;
    this.#known = known;
    this.#window = window;
    const { components, mean } = known.dictionary;
    this.#at = at ?? { memory: new StreamMemory(window, known.samples), B: identity(components), mean, seen: 0 };
  }

  /** Number of samples, including those behind the first dictionary. */
  get samples(): number {
    return this.#known.samples + this.#at.seen;
  }

  /** Whether the first block has chosen the kind of step. */
  get hasBegun(): boolean {
    return this.#at.step !== undefined;
  }

  /** Throws if samples of this largest magnitude are beyond its range. */
  requireScale(largest: number): void {
    requireScale(this.#who, 'samples', largest);
    const most = LARGER / (this.#at.frame?.scale ?? 0);
    const mustBe = `of magnitudes up to ${most.toPrecision(2)}, ${LARGER} times those of the first`;
    demand(largest <= most, this.#who, 'samples', mustBe, largest);
  }

  /** Returns the stream after a block of samples. The first one must be large enough to show the distribution of codes. */
  async after(samples: Matrix, place: StreamPlace): Promise<DictionaryStream> {
    const source = memorySource(samples);
    const survey = await surveyFinite(this.#who, source, place.executor, place);
    this.requireScale(survey.largest);
    const moved = survey.largest > 0 ? await this.#learn(source, survey, place) : this.#at;
    const seen = this.#at.seen + source.rows; // zeros count, though they add no information
    return new DictionaryStream(this.#who, this.#known, this.#window, { ...moved, seen });
  }

  async #learn(source: Source, survey: Survey, place: StreamPlace): Promise<Position> {
    const { memory, B, mean, seen } = this.#at;
    const frame = this.#at.frame ?? (await frameOf(this.#known.dictionary, source, survey, place));
    if (!frame) return this.#at;
    const { block, energy } = await blockProblem(frame, { source, survey, mean }, place);
    const step = this.#at.step ?? (await this.#firstStep(block));
    const moved = await step.take(block, B, memory);
    const { moments: past } = this.#at;
    const now = { gram: block.gram, energy, samples: source.rows };
    return { ...moved, seen, frame, moments: past ? addMoments(now, past, this.#window / past.samples) : now };
  }

  async #firstStep(block: Problem): Promise<BlockStep> {
    const byZeros = this.#known.refined ? await zeroSteps(block) : undefined;
    return byZeros ?? l4Steps(block, this.#at.B);
  }

  /** Returns the dictionary so far, its atoms in the order and with the signs of the first one. */
  result(kernels: Kernels): FollowedDictionary {
    const samples = Math.min(this.samples, this.#window);
    const { frame, step, B, mean } = this.#at;
    const { dictionary, refined } = this.#known;
    if (!frame || !step) return { dictionary, samples, refined };
    const moved = dictionaryOf(frame, B, mean, kernels);
    return {
      dictionary: moved,
      samples,
      refined: step.kind === 'zeros',
      energies: this.#energies(moved, frame, kernels),
    };
  }

  /** Returns the energies as `learn` reports them: the codes are E y = (E Sᵀ) z. */
  #energies({ encoder }: Dictionary, { synthesis }: StreamFrame, kernels: Kernels): Float64Array | undefined {
    if (!this.#at.moments) return undefined;
    const { gram, energy } = this.#at.moments;
    const inCodes = kernels.multiply(encoder, synthesis, 'nt');
    const half = kernels.multiply(inCodes, gram);
    const share = (i: number) => Math.max(dot(row(half, i), row(inCodes, i)) / energy, 0);
    return Float64Array.from({ length: encoder.rows }, (_, i) => share(i));
  }
}
