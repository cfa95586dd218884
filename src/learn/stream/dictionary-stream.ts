/**
 * A dictionary that follows a stream. Every block of samples is seen once, adds to sums (stream-sums.ts), and moves the
 * atoms to where the sums of all blocks have them. All happens in the coordinates z of the codes that the stream began
 * with, where the atoms were the axes. B (K×K) turns z into codes, x = B z, and begins as I.
 *
 * Where `learn` has refined, the zeros of the codes tell (zero-steps.ts); elsewhere their fourth powers (l4-steps.ts).
 */
import { identity, type Matrix, type Matrix64, norm, row, scaleRows, trace, transpose } from '../../core/matrix.ts';
import { requireScale } from '../../core/scale.ts';
import { denseDictionary } from '../../dictionaries/dense.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import type { Executor } from '../../engine/executor.ts';
import { inlineExecutor } from '../../engine/inline.ts';
import { memorySource } from '../../engine/memory.ts';
import type { Run } from '../../engine/run.ts';
import type { Source } from '../../engine/source.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { solve } from '../../linalg/lu.ts';
import { secondMomentsPass } from '../../passes/second-moments.ts';
import { type Survey, surveyFinite } from '../../passes/survey.ts';
import { Problem } from '../problem.ts';
import { type BlockStep, StreamMemory } from './block-step.ts';
import { l4Steps } from './l4-steps.ts';
import { zeroSteps } from './zero-steps.ts';

/** A dictionary, and what a stream must know of how it was learned. The result of `learn` is one. */
export interface KnownDictionary {
  /** Orthonormal atoms, or atoms and an encoder (`whiten: 'zca'`). */
  readonly dictionary: Dictionary;
  /** Samples that it was learned from: how much it counts against new ones. */
  readonly samples: number;
  /** Whether the zeros of the codes made it exact. */
  readonly refined: boolean;
}

/** What the first block settles. */
interface Frame {
  readonly scale: number;
  /** z = W y and y = z S for conditioned samples y; K×n. */
  readonly analysis: Matrix64;
  readonly synthesis: Matrix64;
  readonly meanNorm: number;
  /** Whether the codes are whitened, and the atoms need not be orthogonal. */
  readonly whitened: boolean;
}

/** Where a stream computes: in the calling thread, as blocks are too small to be worth sending. */
export interface StreamPlace {
  readonly executor: Executor;
  readonly signal?: AbortSignal | undefined;
}

export const streamPlace = ({ kernels, signal }: Pick<Run, 'kernels' | 'signal'>): StreamPlace => ({
  executor: inlineExecutor(kernels),
  signal,
});

export class DictionaryStream {
  readonly #who: string;
  readonly #known: KnownDictionary;
  readonly #memory: StreamMemory;
  #frame: Frame | undefined;
  #step: BlockStep | undefined;
  #B: Matrix64;
  #mean: Float64Array | undefined;
  #seen = 0;

  /** `window`: most samples that the past counts for. */
  constructor(who: string, known: KnownDictionary, window: number) {
    this.#who = who;
    this.#known = known;
    this.#memory = new StreamMemory(window, known.samples);
    this.#B = identity(known.dictionary.components);
    this.#mean = known.dictionary.mean;
  }

  /** Samples, those behind the first dictionary included. */
  get samples(): number {
    return this.#known.samples + this.#seen;
  }

  /** Whether a block has settled how it learns. */
  get hasBegun(): boolean {
    return this.#step !== undefined;
  }

  /** Learns from a block of samples. The first one must tell what the codes are like. */
  async absorb(samples: Matrix, place: StreamPlace): Promise<void> {
    const source = memorySource(samples);
    const survey = await surveyFinite(this.#who, source, place.executor, place);
    requireScale(this.#who, 'samples', survey.largest);
    if (survey.largest > 0) await this.#learn(source, survey, place);
    this.#seen += source.rows; // zeros count, though they tell nothing
  }

  async #learn(source: Source, survey: Survey, place: StreamPlace): Promise<void> {
    this.#frame ??= await frameOf(this.#known.dictionary, source, survey, place);
    if (!this.#frame) return;
    const block = await blockProblem(this.#frame, { source, survey, mean: this.#mean }, place);
    this.#step ??= await this.#firstStep(block);
    const { B, mean } = await this.#step.take(block, this.#B);
    this.#B = B;
    this.#mean = mean;
  }

  async #firstStep(block: Problem): Promise<BlockStep> {
    const byZeros = this.#known.refined ? await zeroSteps(block, this.#memory) : undefined;
    return byZeros ?? l4Steps(block, this.#B, this.#memory);
  }

  /** The dictionary so far, its atoms in the order and with the signs of the first one. */
  result(kernels: Kernels): KnownDictionary {
    const { samples } = this;
    if (!this.#frame || !this.#step) return { ...this.#known, samples };
    const dictionary = dictionaryOf(this.#frame, this.#B, this.#mean, kernels);
    return { dictionary, samples, refined: this.#step.kind === 'zeros' };
  }
}

/** Undefined if all samples are the mean. */
async function frameOf(
  { mean: offset, atoms, encoder }: Dictionary,
  source: Source,
  { largest }: Survey,
  { executor, signal }: StreamPlace,
): Promise<Frame | undefined> {
  const { kernels } = executor;
  const rough = 1 / largest;
  const { gram, normSum } = await executor.sum(
    secondMomentsPass,
    { conditioning: { offset, scale: rough } },
    source,
    signal,
  );
  const rms = Math.sqrt(trace(gram) / (source.rows * source.cols));
  if (!(rms > 0)) return undefined;
  const scale = rough / rms;
  const meanNorm = normSum / rms / source.rows;
  if (encoder === atoms) return { scale, analysis: atoms, synthesis: atoms, meanNorm, whitened: false };
  const product = kernels.multiply(encoder, gram);
  const deviations = Array.from({ length: encoder.rows }, (_, i) => {
    const energy = row(product, i).reduce((sum, x, k) => sum + x * encoder.data[i * encoder.cols + k], 0);
    return Math.sqrt(Math.max(energy, 0) / source.rows) / rms;
  });
  const least = LEAST_DEVIATION * Math.max(...deviations);
  const spread = deviations.map((deviation) => Math.max(deviation, least));
  const inverse = spread.map((deviation) => 1 / deviation);
  const coordinates = { analysis: scaleRows(encoder, inverse), synthesis: scaleRows(atoms, spread) };
  return { scale, ...coordinates, meanNorm, whitened: true };
}

/** Codes that vary less, relative to the others, are taken to vary by this. */
const LEAST_DEVIATION = 1e-9;

interface Block {
  readonly source: Source;
  readonly survey: Survey;
  readonly mean: Float64Array | undefined;
}

async function blockProblem(
  { scale, analysis, synthesis, meanNorm, whitened }: Frame,
  { source, survey, mean }: Block,
  { executor, signal }: StreamPlace,
): Promise<Problem> {
  const { kernels } = executor;
  const conditioning = { offset: mean, scale };
  const { gram } = await executor.sum(secondMomentsPass, { conditioning }, source, signal);
  const turned = kernels.multiply(kernels.multiply(analysis, gram), analysis, 'nt');
  const spread = whitened ? 1 : spreadOf(turned);
  return new Problem({
    source,
    executor,
    conditioning,
    coordinates: { size: analysis.rows, whitened, analysis, synthesis, gram: turned, spread },
    sizes: mean ? { meanNorm, leastNorm: meanNorm } : { meanNorm },
    largest: (mean ? 2 : 1) * survey.largest * scale,
    nonZeroSamples: source.rows - (mean ? 0 : survey.zeroSamples),
    allSamples: source.rows,
    unit: whitened ? 1 : scale,
    signal,
  });
}

/** Largest over smallest energy of a code: where codes are uncorrelated, that of the eigenvalues. */
function spreadOf({ rows, data }: Matrix64): number {
  const energies = Array.from({ length: rows }, (_, i) => data[i * rows + i]);
  return Math.max(...energies) / Math.min(...energies);
}

function dictionaryOf(
  { analysis, synthesis, whitened }: Frame,
  B: Matrix64,
  mean: Float64Array | undefined,
  kernels: Kernels,
): Dictionary {
  if (!whitened) return denseDictionary({ atoms: kernels.multiply(B, synthesis), mean });
  const raw = kernels.multiply(transpose(solve(B, identity(B.rows))!), synthesis);
  const norms = Float64Array.from({ length: raw.rows }, (_, i) => norm(row(raw, i)));
  const atoms = scaleRows(
    raw,
    norms.map((length) => 1 / length),
  );
  return denseDictionary({ atoms, encoder: scaleRows(kernels.multiply(B, analysis), norms), mean });
}
