/**
 * What a solver works on: samples behind a source, an executor, and the coordinates in which the atoms are orthogonal.
 *
 * Working coordinates are z = W y (see coordinates.ts), so with A the K×K atoms in them, codes are X = Y (A W)ᵀ and the
 * correlation with z is (φ(X)ᵀ Y) Wᵀ: the data is never transformed or copied.
 */
import { type Executor, sumOver } from '../executors/executor.ts';
import type { Conditioning, Correlation, Response } from '../kernels/kernels.ts';
import type { Matrix64, Precision } from '../matrix.ts';
import { type CorrelateParams, correlatePass } from '../passes/correlate.ts';
import { histogramPass } from '../passes/histogram.ts';
import type { Selection } from '../passes/select-codes.ts';
import { type SelectedCorrelation, selectedCorrelationPass } from '../passes/selected-correlation.ts';
import { chunkRanges, type Source } from '../sources/source.ts';
import type { Coordinates } from './coordinates.ts';

/** Levels, scales and likelihoods are known well enough from so many samples. */
const HISTOGRAM_SAMPLES = 8192;

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
  /** Completed passes over the data. */
  passes = 0;

  /** Histograms look at every so many-th chunk. */
  readonly #countEvery: number;

  constructor(readonly input: ProblemInput) {
    const { rows, cols } = input.source;
    this.size = input.coordinates.size;
    const chunks = chunkRanges(rows, cols).length;
    this.#countEvery = Math.max(1, Math.min(chunks, Math.floor(rows / HISTOGRAM_SAMPLES)));
  }

  get samples(): number {
    return this.input.source.rows;
  }

  get kernels() {
    return this.input.executor.kernels;
  }

  /** Zᵀ Z, the sum of z zᵀ over the samples. */
  get gram(): Matrix64 {
    return this.input.coordinates.gram;
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
    this.passes++;
    const { analysis } = coordinates;
    return analysis ? { ...sums, correlation: this.kernels.multiply(sums.correlation, analysis, 'nt') } : sums;
  }

  async histogram(A: Matrix64): Promise<Float64Array> {
    const { executor, source, conditioning, meanNorm, signal } = this.input;
    const params = { atoms: this.#rawAtoms(A), conditioning, meanNorm, countEvery: this.#countEvery };
    const counts = await sumOver(executor, histogramPass, params, source, signal);
    this.passes++;
    return counts;
  }

  async #correlate(A: Matrix64, what: Omit<CorrelateParams, 'atoms' | 'conditioning'>): Promise<Correlation> {
    const { executor, source, conditioning, signal } = this.input;
    const { analysis } = this.input.coordinates;
    const params = { ...what, atoms: this.#rawAtoms(A), conditioning };
    const sums = await sumOver(executor, correlatePass, params, source, signal);
    this.passes++;
    return analysis ? { ...sums, correlation: this.kernels.multiply(sums.correlation, analysis, 'nt') } : sums;
  }

  #rawAtoms(A: Matrix64): Matrix64 {
    const { analysis } = this.input.coordinates;
    return analysis ? this.kernels.multiply(A, analysis) : A;
  }
}
