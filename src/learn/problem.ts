/**
 * What a solver works on: samples behind a source, an executor, and the coordinates in which the atoms are orthogonal.
 *
 * Working coordinates are z = W y (see coordinates.ts), so with A the K×K atoms in them, codes are X = Y (A W)ᵀ and the
 * correlation with z is (φ(X)ᵀ Y) Wᵀ: the data is never transformed or copied.
 */
import { dot, type Matrix64, type Precision, row } from '../core/matrix.ts';
import { sharedZeros } from '../core/share.ts';
import { type Executor, sumOver } from '../engine/executor.ts';
import { partOf } from '../engine/part.ts';
import { rangeOf } from '../engine/range.ts';
import { chunkRanges, type Source } from '../engine/source.ts';
import type { Conditioning, Correlation, Response } from '../kernels/kernels.ts';
import type { PursuitLimits } from '../linalg/pursuit.ts';
import { conditioned } from '../passes/conditioned.ts';
import { type CorrelateParams, correlatePass } from '../passes/correlate.ts';
import { encodePass } from '../passes/encode.ts';
import { histogramPass } from '../passes/histogram.ts';
import { secondMomentsPass } from '../passes/second-moments.ts';
import type { Selection } from '../passes/select-codes.ts';
import { type SelectedCorrelation, selectedCorrelationPass } from '../passes/selected-correlation.ts';
import type { Coordinates } from './coordinates.ts';
import { type TanhCorrelation, tanhCorrelationPass } from './methods/fastica/tanh-correlation.ts';
import { type PursuitMoments, pursuitMomentsPass } from './methods/ksvd/pursuit-moments.ts';
import { type LassoMoments, lassoMomentsPass } from './methods/online/lasso-moments.ts';

/** Levels, scales and likelihoods are known well enough from so many samples, and so many codes. */
const HISTOGRAM = { samples: 2048, codes: 1 << 18 };

export interface ProblemInput {
  readonly source: Source;
  readonly executor: Executor;
  readonly conditioning: Conditioning;
  readonly coordinates: Coordinates;
  /** Mean norm of the non-zero conditioned samples. */
  readonly meanNorm: number;
  readonly nonZeroSamples: number;
  /** Working coordinates of a sample in its own units are multiplied by this. */
  readonly unit: number;
  readonly signal?: AbortSignal | undefined;
}

export class Problem {
  /** Number of atoms, and of working coordinates. */
  readonly size: number;
  /** Histograms look at every so many-th chunk. */
  readonly #countEvery: number;
  /** The last part made. */
  #part: Problem | undefined;

  /** `effort` counts the samples visited so far; a part shares it with the whole. */
  constructor(
    readonly input: ProblemInput,
    readonly effort = { samples: 0 },
  ) {
    const { rows, cols } = input.source;
    this.size = input.coordinates.size;
    const chunks = chunkRanges(rows, cols).length;
    this.#countEvery = Math.max(
      1,
      Math.min(chunks, Math.floor(rows / Math.max(HISTOGRAM.samples, HISTOGRAM.codes / this.size))),
    );
  }

  get samples(): number {
    return this.input.source.rows;
  }

  /** The same problem on a part of its samples, spread evenly over them. */
  async part(rows: number): Promise<Problem> {
    if (rows >= this.samples) return this;
    if (this.#part?.samples !== rows) this.#part = await this.#makePart(rows);
    return this.#part;
  }

  async #makePart(rows: number): Promise<Problem> {
    const { executor, coordinates, conditioning, nonZeroSamples, signal } = this.input;
    const source = partOf(this.input.source, rows);
    const { gram } = await sumOver(executor, secondMomentsPass, { conditioning }, source, signal);
    const { analysis } = coordinates;
    const seen = analysis ? this.kernels.multiply(this.kernels.multiply(analysis, gram), analysis, 'nt') : gram;
    return new Problem(
      {
        ...this.input,
        source,
        coordinates: { ...coordinates, gram: seen },
        nonZeroSamples: (nonZeroSamples * rows) / this.samples,
      },
      this.effort,
    );
  }

  get kernels() {
    return this.input.executor.kernels;
  }

  /** Zᵀ Z, the sum of z zᵀ over the samples. */
  get gram(): Matrix64 {
    return this.input.coordinates.gram;
  }

  /** ‖Z aᵀ‖² for every row a. */
  energies(A: Matrix64): Float64Array {
    const half = this.kernels.multiply(A, this.gram);
    return Float64Array.from({ length: A.rows }, (_, i) => dot(row(half, i), row(A, i)));
  }

  /** ‖Y eᵀ‖² for every row e, of conditioned samples as they are. */
  energiesAlong(E: Matrix64): Float64Array {
    const { synthesis } = this.input.coordinates;
    return this.energies(synthesis ? this.kernels.multiply(E, synthesis, 'nt') : E);
  }

  /** φ(X)ᵀ Z with the response's values. */
  async correlate(A: Matrix64, response: Response, precision: Precision): Promise<Correlation> {
    return this.#correlate(A, { response, precision });
  }

  /** The masked correlation, with Φᵀ Φ if asked for, together with the histogram of the codes it was made from. */
  async refine(
    A: Matrix64,
    thresholds: Float64Array,
    precision: Precision,
    gram = false,
  ): Promise<Correlation & { counts: Float64Array }> {
    const response: Response = { kind: 'mask', thresholds, meanNorm: this.input.meanNorm };
    const sums = await this.#correlate(A, { response, precision, gram, countEvery: this.#countEvery });
    return { ...sums, counts: sums.counts! };
  }

  /** Xᵀ Z of the codes that the selection keeps; a threshold is one in working coordinates. */
  async correlateSelected(A: Matrix64, selection: Selection, precision: Precision): Promise<SelectedCorrelation> {
    const { executor, source, conditioning, coordinates, signal } = this.input;
    const params = { atoms: this.#rawAtoms(A), conditioning, selection, precision };
    const sums = await sumOver(executor, selectedCorrelationPass, params, source, signal);
    this.effort.samples += this.samples;
    const { analysis } = coordinates;
    return analysis ? { ...sums, correlation: this.kernels.multiply(sums.correlation, analysis, 'nt') } : sums;
  }

  /** tanh(X)ᵀ Z with the sums of log cosh and of its second derivative. */
  async correlateTanh(A: Matrix64, precision: Precision): Promise<TanhCorrelation> {
    const { executor, source, conditioning, coordinates, signal } = this.input;
    const params = { atoms: this.#rawAtoms(A), conditioning, precision };
    const sums = await sumOver(executor, tanhCorrelationPass, params, source, signal);
    this.effort.samples += this.samples;
    const { analysis } = coordinates;
    return analysis ? { ...sums, correlation: this.kernels.multiply(sums.correlation, analysis, 'nt') } : sums;
  }

  /** Xᵀ, K×p: all codes, those of an atom in a row, in memory that threads share. */
  async codesByAtom(A: Matrix64): Promise<Matrix64> {
    const { executor, source, conditioning, signal } = this.input;
    const encoder = this.#rawAtoms(A);
    const params = { transform: { kind: 'dense', encoder }, conditioning, selection: {}, precision: 'f64' } as const;
    const codes = sharedZeros(this.size, this.samples);
    let start = 0;
    for await (const { rows, cols, data } of executor.contributions(encodePass, params, source, signal)) {
      for (let k = 0; k < cols; k++) {
        for (let l = 0, to = k * this.samples + start; l < rows; l++) codes.data[to++] = data[l * cols + k];
      }
      start += rows;
    }
    this.effort.samples += this.samples;
    return codes;
  }

  async histogram(A: Matrix64): Promise<Float64Array> {
    const { executor, source, conditioning, meanNorm, signal } = this.input;
    const params = { atoms: this.#rawAtoms(A), conditioning, meanNorm, countEvery: this.#countEvery };
    const counts = await sumOver(executor, histogramPass, params, source, signal);
    this.effort.samples += this.samples;
    return counts;
  }

  /** Of the lasso codes of samples [from, to) for K×n atoms of the samples as they are, not in working coordinates. */
  async lassoMoments(atoms: Matrix64, lambda: number, from: number, to: number): Promise<LassoMoments> {
    const { executor, source, conditioning, signal } = this.input;
    const params = { atoms, conditioning, lambda };
    this.effort.samples += to - from;
    return sumOver(executor, lassoMomentsPass, params, rangeOf(source, from, to), signal);
  }

  /** Of the codes that a pursuit finds with K×n unit atoms of the samples as they are. */
  async pursuitMoments(atoms: Matrix64, limits: PursuitLimits): Promise<PursuitMoments> {
    const { executor, source, conditioning, signal } = this.input;
    const params = { atoms, conditioning, limits };
    this.effort.samples += this.samples;
    return sumOver(executor, pursuitMomentsPass, params, source, signal);
  }

  /** Conditioned samples from number `from` on, at most `count`. */
  async rows(from: number, count: number): Promise<Matrix64> {
    const { source, conditioning } = this.input;
    return conditioned(await source.read(from, Math.min(from + count, source.rows)), conditioning);
  }

  async #correlate(A: Matrix64, what: Omit<CorrelateParams, 'atoms' | 'conditioning'>): Promise<Correlation> {
    const { executor, source, conditioning, signal } = this.input;
    const { analysis } = this.input.coordinates;
    const params = { ...what, atoms: this.#rawAtoms(A), conditioning };
    const sums = await sumOver(executor, correlatePass, params, source, signal);
    this.effort.samples += this.samples;
    return analysis ? { ...sums, correlation: this.kernels.multiply(sums.correlation, analysis, 'nt') } : sums;
  }

  #rawAtoms(A: Matrix64): Matrix64 {
    const { analysis } = this.input.coordinates;
    return analysis ? this.kernels.multiply(A, analysis) : A;
  }
}
