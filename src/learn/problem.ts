/**
 * Input of a solver: a source of samples, an executor, and the coordinates in which the atoms are orthogonal.
 *
 * Working coordinates are z = W y (see coordinates.ts). With A the K×K atoms in them, codes are X = Y (A W)ᵀ and the
 * correlation with z is (φ(X)ᵀ Y) Wᵀ: the data is never transformed or copied. For methods whose atoms need not be
 * orthogonal, W = I.
 */
import {
  dot,
  type Matrix,
  type Matrix64,
  norm,
  type Precision,
  range,
  row,
  scaleRows,
  selectRows,
  stackRows,
  trace,
} from '../core/matrix.ts';
import { requireObject } from '../core/require-matrix.ts';
import type { Executor } from '../engine/executor.ts';
import { sharingExecutor } from '../engine/executor.ts';
import type { Pass } from '../engine/pass.ts';
import { type MemorySource, memorySource, readAll } from '../engine/source/memory.ts';
import { type RowRange, rangesOf, type Source } from '../engine/source/source.ts';
import { sliceOf, subsampleOf } from '../engine/source/views.ts';
import type { Conditioning, Correlation, Kernels, Measures, Response, SampleSizes } from '../kernels/kernels.ts';
import { conditioned } from '../passes/conditioned.ts';
import { correlatePass } from '../passes/correlate.ts';
import { histogramPass } from '../passes/histogram.ts';
import { measurePass } from '../passes/measure.ts';
import { secondMomentsPass } from '../passes/second-moments.ts';
import { writeCodesPass } from '../passes/write-codes.ts';
import { objectiveUnit, powerPrecision } from './powers.ts';
import type { Coordinates } from './whitening.ts';

/** Samples, codes and share of all samples that suffice to estimate the levels of zeros; next: likelihoods. */
const LEVELS = { samples: 1024, codes: 1 << 15, share: 0.25 };
const LIKELIHOODS = { samples: 2048, codes: 1 << 16, share: 0.25 };

/** Sizes that make all samples equally large: c_j = 1. */
const SAME_SIZE: SampleSizes = { meanNorm: 1e150, leastNorm: 1e150 };

/** Samples, executor and coordinates from which a problem is made. */
export interface ProblemInput {
  readonly source: Source;
  readonly executor: Executor;
  readonly conditioning: Conditioning;
  readonly coordinates: Coordinates;
  /** Norms of the conditioned samples, to which the codes are compared. */
  readonly sizes: SampleSizes;
  /** Bound of the magnitudes of the conditioned numbers. */
  readonly largest: number;
  readonly nonZeroSamples: number;
  /** Number of samples of the whole, if this is a part. */
  readonly allSamples: number;
  /** Working coordinates are the sample's own units multiplied by this. */
  readonly unit: number;
  /** Set if this is a problem of some atoms only: the others, and the basis in which to look for these. */
  readonly rest?: { readonly kept: Matrix64; readonly basis: Matrix64 } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Parameters of a pass that the problem does not supply. */
export type RestOf<P> = Omit<P, 'atoms' | 'conditioning'>;

/** Samples, an executor, and the coordinates in which the atoms are orthogonal: the input of a solver. */
export class Problem {
  /** Number of working coordinates; for an orthogonal method also of atoms. */
  readonly size: number;
  /** The last part made by `part`. */
  #part: Problem | undefined;

  /** `visited` counts the samples of all passes so far; a part shares it with the whole. */
  constructor(
    readonly input: ProblemInput,
    readonly visited: { samples: number } = { samples: 0 },
  ) {
    requireObject('Problem', 'input', input, 'an object with source, executor and coordinates', ['coordinates']);
    this.size = input.coordinates.size;
  }

  get samples(): number {
    return this.input.source.rows;
  }

  get kernels(): Kernels {
    return this.input.executor.kernels;
  }

  /** Zᵀ Z, the sum of z zᵀ over the samples. */
  get gram(): Matrix64 {
    return this.input.coordinates.gram;
  }

  /**
   * Sums a pass over all samples, for atoms in working coordinates. The pass gets `atoms` and `conditioning` for
   * the samples as they are; a `correlation` in the sum (K×n) is returned in working coordinates.
   */
  async sum<P extends { readonly atoms: Matrix; readonly conditioning: Conditioning }, C>(
    pass: Pass<P, C>,
    A: Matrix64,
    rest: RestOf<P>,
  ): Promise<C> {
    const { executor, source, conditioning, coordinates, signal } = this.input;
    const params = { ...rest, atoms: this.rawAtoms(A), conditioning } as unknown as P;
    const sums = await executor.sum(pass, params, source, signal);
    this.visited.samples += this.samples;
    const { analysis } = coordinates;
    if (!analysis || !hasCorrelation(sums)) return sums;
    return { ...sums, correlation: this.kernels.multiply(sums.correlation, analysis, 'nt') };
  }

  /** Returns φ(X)ᵀ Z with the response's values; powers that float32 cannot hold are computed in float64. */
  async correlate(A: Matrix64, response: Response, wanted: Precision): Promise<Correlation> {
    const precision = response.kind === 'power' ? this.powerPrecision(response.norm, wanted) : wanted;
    return this.sum(correlatePass, A, { response, precision });
  }

  /** Returns the precision in which the `norm`-th powers of codes and their sums are finite: the wanted one, or float64. */
  powerPrecision(norm: number, wanted: Precision): Precision {
    return powerPrecision(this.largestCode, norm, this.samples, wanted);
  }

  /** Bound of the codes' magnitudes. */
  get largestCode(): number {
    const { largest, source, coordinates } = this.input;
    const length = Math.sqrt(trace(this.gram));
    return coordinates.whitened ? length : Math.min(length, largest * Math.sqrt(source.cols));
  }

  /** Returns the power of two by which samples are divided in objectives of this degree: 1 if possible. */
  objectiveUnit(degree: number): number {
    return objectiveUnit(this.input.unit, degree, this.input.allSamples * this.size);
  }

  /** Whether few samples hold most of the energy: (mean norm)² is far below the mean square. */
  get isUneven(): boolean {
    const { sizes, nonZeroSamples, allSamples, source } = this.input;
    return sizes.meanNorm ** 2 * nonZeroSamples < UNEVEN * source.cols * allSamples;
  }

  /** Reports an objective, a sum of powers of this degree in working coordinates: see {@link objectiveUnit}. */
  reported(objective: number, degree: number): number {
    return objective / (this.input.unit * this.objectiveUnit(degree)) ** degree;
  }

  /** Returns the masked correlation, with Φᵀ Φ if asked for, and the histogram of its codes. */
  async refine(
    A: Matrix64,
    thresholds: Float64Array,
    precision: Precision,
    gram = false,
  ): Promise<Correlation & { counts: Float64Array }> {
    const response: Response = { kind: 'mask', thresholds, ...this.input.sizes };
    const countRows = Math.ceil(this.#enough(LEVELS) / rangesOf(this.input.source).length);
    const sums = await this.sum(correlatePass, A, { response, precision, gram, countRows });
    return { ...sums, counts: sums.counts! };
  }

  /** Returns the histogram of the codes of some samples, spread evenly, divided by the sizes of these samples. */
  async histogram(A: Matrix64, sizes = this.input.sizes): Promise<Float64Array> {
    const count = this.#enough(LIKELIHOODS);
    const seen = count < this.samples ? this.turn(count, 0) : this;
    return seen.sum(histogramPass, A, sizes);
  }

  /** Returns the histogram of the same samples' codes, not divided by sizes. */
  async plainHistogram(A: Matrix64): Promise<Float64Array> {
    return this.histogram(A, SAME_SIZE);
  }

  /** Returns for every atom how many codes exceed their thresholds, and Σ|x|^norm. */
  async measure(A: Matrix64, thresholds: Float64Array, norm: number, wanted: Precision): Promise<Measures> {
    const precision = this.powerPrecision(norm, wanted);
    return this.sum(measurePass, A, { ...this.input.sizes, thresholds, norm, precision });
  }

  #enough({ samples, codes, share }: typeof LEVELS): number {
    return Math.min(this.samples, Math.ceil(Math.max(samples, codes / this.size, share * this.samples)));
  }

  /** Writes the codes Xᵀ = A Zᵀ of all samples to `codes`: K×p, in shared memory. Returns the sum of their fourth powers. */
  async writeCodes(A: Matrix64, codes: Matrix): Promise<number> {
    const { executor, source, conditioning, signal } = this.input;
    const params = { atoms: this.rawAtoms(A), conditioning, codes };
    const sum = await sharingExecutor(executor).sum(writeCodesPass, params, source, signal);
    this.visited.samples += this.samples;
    return sum;
  }

  /** Returns ‖Z aᵀ‖² for every row a. */
  energies(A: Matrix64): Float64Array {
    const half = this.kernels.multiply(A, this.gram);
    return Float64Array.from({ length: A.rows }, (_, i) => dot(row(half, i), row(A, i)));
  }

  /** Returns the problem on a part of its samples, spread evenly over them. */
  async part(rows: number): Promise<Problem> {
    if (rows >= this.samples) return this;
    if (this.#part?.samples !== rows) this.#part = await this.#makePart(rows);
    return this.#part;
  }

  /**
   * Returns the problem on a part in several runs, whatever an executor reads at once: samples may be sorted. All samples, if the part is not
   * like them.
   */
  async mixedPart(rows: number): Promise<Problem> {
    if (rows >= this.samples) return this;
    const source = { ...subsampleOf(this.input.source, rows), ranges: shortRanges(rows, Math.ceil(rows / MIXED_RUNS)) };
    const part = await this.#over({ source, nonZeroSamples: (this.input.nonZeroSamples * rows) / this.samples });
    const energy = trace(part.gram) / rows / (trace(this.gram) / this.samples);
    return energy > 1 / ALIKE && energy < ALIKE ? part : this;
  }

  /** Returns the problem on other samples every turn, as many as given. Its Gram matrix stays that of all samples. */
  turn(rows: number, turn: number): Problem {
    return new Problem({ ...this.input, source: subsampleOf(this.input.source, rows, turn) }, this.visited);
  }

  /**
   * Returns the problem on about `rows` samples, in short runs spread evenly over them; others every turn. Its Gram matrix stays
   * that of all.
   */
  spread(rows: number, { turn = 0, run = RUN } = {}): Problem {
    if (rows >= this.samples) return this;
    const source = { ...subsampleOf(this.input.source, rows, turn), ranges: shortRanges(rows, run) };
    return new Problem({ ...this.input, source }, this.visited);
  }

  /** Returns the problem on weighted, conditioned samples in memory whose sums stand for those over all. */
  async on(source: MemorySource): Promise<Problem> {
    let largest = 0;
    for (const y of source.matrix.data) largest = Math.max(largest, Math.abs(y));
    return this.#over({ source, conditioning: { scale: 1 }, largest, nonZeroSamples: source.rows });
  }

  /**
   * Returns the problem on its samples in memory, without those that have no energy, and with large ones, such as outliers, scaled down
   * to LARGEST times the median norm.
   */
  async clipped(): Promise<Problem> {
    const { source, conditioning, signal } = this.input;
    const Y = conditioned(await readAll(source, signal), conditioning);
    const norms = range(Y.rows).map((j) => norm(row(Y, j)));
    const living = range(Y.rows).filter((j) => norms[j] > 0);
    const median = Float64Array.from(living, (j) => norms[j]).sort()[living.length >> 1];
    const factors = living.map((j) => Math.min(1, (LARGEST * median) / norms[j]));
    return this.on(memorySource(scaleRows(selectRows(Y, living), factors)));
  }

  /** Returns the problem on samples [from, to). Its Gram matrix stays that of all samples. */
  range(from: number, to: number): Problem {
    return new Problem({ ...this.input, source: sliceOf(this.input.source, from, to) }, this.visited);
  }

  /**
   * Returns the problem with another offset subtracted from the samples; `undefined` changes nothing. Coordinates and Gram
   * matrix stay those about the mean sample.
   */
  about(offset: Float64Array | undefined): Problem {
    if (!offset) return this;
    const conditioning = { ...this.input.conditioning, offset };
    return new Problem({ ...this.input, conditioning }, this.visited);
  }

  /** Returns the problem for the atoms beside those `kept`, in the coordinates along the orthonormal rows of `basis`. */
  within(basis: Matrix64, kept: Matrix64): Problem {
    const { kernels } = this;
    const { analysis, synthesis, gram, ...coordinates } = this.input.coordinates;
    const inBasis = kernels.multiply(kernels.multiply(basis, gram), basis, 'nt');
    const within: Coordinates = {
      ...coordinates,
      size: basis.rows,
      analysis: analysis ? kernels.multiply(basis, analysis) : basis,
      synthesis: synthesis ? kernels.multiply(basis, synthesis) : basis,
      gram: inBasis,
    };
    return new Problem({ ...this.input, coordinates: within, rest: { kept, basis } }, this.visited);
  }

  /** Returns all atoms of the whole problem, if this is one of some atoms: those kept, and `A` mapped back. */
  allAtoms(A: Matrix64): Matrix64 {
    const { rest } = this.input;
    return rest ? stackRows(rest.kept, this.kernels.multiply(A, rest.basis)) : A;
  }

  /** Returns the offset moved by a vector of working coordinates, in the units of the samples. */
  movedOffset(z: Float64Array): Float64Array {
    const { coordinates, conditioning, source } = this.input;
    const { synthesis } = coordinates;
    const step = synthesis ? this.kernels.multiply({ rows: 1, cols: z.length, data: z }, synthesis).data : z;
    return (conditioning.offset ?? new Float64Array(source.cols)).map((m, k) => m + step[k] / conditioning.scale);
  }

  /** Reads at most `count` conditioned samples, from number `from`. */
  async rows(from: number, count: number): Promise<Matrix64> {
    const { source, conditioning } = this.input;
    return conditioned(await source.read(from, Math.min(from + count, source.rows)), conditioning);
  }

  /** Converts atoms in working coordinates to atoms of the conditioned samples: A W. */
  rawAtoms(A: Matrix64): Matrix64 {
    const { analysis } = this.input.coordinates;
    return analysis ? this.kernels.multiply(A, analysis) : A;
  }

  #makePart(rows: number): Promise<Problem> {
    const nonZeroSamples = (this.input.nonZeroSamples * rows) / this.samples;
    return this.#over({ source: subsampleOf(this.input.source, rows), nonZeroSamples });
  }

  /** Returns the problem on other samples, with their Gram matrix. */
  async #over(changes: Partial<ProblemInput> & Pick<ProblemInput, 'source'>): Promise<Problem> {
    const input = { ...this.input, ...changes };
    const { executor, source, conditioning, signal } = input;
    const { analysis } = input.coordinates;
    const { gram } = await executor.sum(secondMomentsPass, { conditioning }, source, signal);
    this.visited.samples += source.rows;
    const seen = analysis ? this.kernels.multiply(this.kernels.multiply(analysis, gram), analysis, 'nt') : gram;
    return new Problem({ ...input, coordinates: { ...input.coordinates, gram: seen } }, this.visited);
  }
}

/** Largest (mean norm)²/mean square of uneven samples. It is 2/π for normal samples in one dimension, and more in several. */
const UNEVEN = 0.6;
/** Largest norm of a clipped sample, relative to the median: between 1.3 and 2 it makes no difference. */
const LARGEST = 1.5;

/** Samples of a short run: neighbours, which are read at once. */
const RUN = 256;
/** Number of runs of a mixed part; next: largest ratio of energies of parts that are alike. */
const MIXED_RUNS = 16;
const ALIKE = 2;

const shortRanges = (rows: number, run = RUN): RowRange[] =>
  Array.from({ length: Math.ceil(rows / run) }, (_, k) => ({ start: k * run, end: Math.min((k + 1) * run, rows) }));

function hasCorrelation<C>(sums: C): sums is C & { readonly correlation: Matrix64 } {
  return typeof sums === 'object' && sums !== null && 'correlation' in sums;
}
