/**
 * A dictionary that follows a stream. Every block of samples is seen once, adds to sums (stream-sums.ts), and moves the
 * atoms to where the sums of all blocks have them. All happens in the coordinates z of the codes that the stream began
 * with, where the atoms were the axes. B (K×K) turns z into codes, x = B z, and begins as I.
 *
 * Where `learn` has refined, the zeros of the codes tell (zero-steps.ts); elsewhere their fourth powers (l4-steps.ts).
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

/** A dictionary, and what a stream must know of how it was learned. The result of `learn` is one. */
export interface KnownDictionary {
  /** Orthonormal atoms, or atoms and an encoder (`whiten: 'zca'`). */
  readonly dictionary: Dictionary;
  /** Samples that it stands for, how much it counts against new ones: those it was learned from, at most a stream's window. */
  readonly samples: number;
  /** Whether the zeros of the codes made it exact. */
  readonly refined: boolean;
}

/** The dictionary of a stream. */
export interface FollowedDictionary extends KnownDictionary {
  /** The share of the new samples' energy (about their mean, if that is subtracted) in the codes of every atom, if known. */
  readonly energies?: Float64Array | undefined;
}

/** Second moments of new samples, those that the window forgets counting for less. */
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

/** Where a stream is. */
interface Position {
  readonly memory: StreamMemory;
  readonly B: Matrix64;
  readonly mean: Float64Array | undefined;
  /** New samples. */
  readonly seen: number;
  /** The first block settles these. */
  readonly frame?: StreamFrame;
  readonly step?: BlockStep;
  readonly moments?: Moments;
}

/** Samples may be larger than the first ones by this factor: powers of them stay within float64. */
const LARGER = 1e60;

/** A stream does not change: a block of samples makes a new one, so what fails leaves no trace. */
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

  /** Samples, those behind the first dictionary included. */
  get samples(): number {
    return this.#known.samples + this.#at.seen;
  }

  /** Whether a block has settled how it learns. */
  get hasBegun(): boolean {
    return this.#at.step !== undefined;
  }

  /** Throws if samples of this largest magnitude are beyond what it can learn from. */
  requireScale(largest: number): void {
    requireScale(this.#who, 'samples', largest);
    const most = LARGER / (this.#at.frame?.scale ?? 0);
    const mustBe = `of magnitudes up to ${most.toPrecision(2)}, ${LARGER} times those of the first`;
    demand(largest <= most, this.#who, 'samples', mustBe, largest);
  }

  /** The stream after a block of samples. The first one must tell what the codes are like. */
  async after(samples: Matrix, place: StreamPlace): Promise<DictionaryStream> {
    const source = memorySource(samples);
    const survey = await surveyFinite(this.#who, source, place.executor, place);
    this.requireScale(survey.largest);
    const moved = survey.largest > 0 ? await this.#learn(source, survey, place) : this.#at;
    const seen = this.#at.seen + source.rows; // zeros count, though they tell nothing
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

  /** The dictionary so far, its atoms in the order and with the signs of the first one. */
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

  /** As `learn` reports them: the codes are E y = (E Sᵀ) z. */
  #energies({ encoder }: Dictionary, { synthesis }: StreamFrame, kernels: Kernels): Float64Array | undefined {
    if (!this.#at.moments) return undefined;
    const { gram, energy } = this.#at.moments;
    const inCodes = kernels.multiply(encoder, synthesis, 'nt');
    const half = kernels.multiply(inCodes, gram);
    const share = (i: number) => Math.max(dot(row(half, i), row(inCodes, i)) / energy, 0);
    return Float64Array.from({ length: encoder.rows }, (_, i) => share(i));
  }
}
