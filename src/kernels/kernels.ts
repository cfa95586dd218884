/**
 * The operations that algorithms need from a backend, for one chunk of samples.
 *
 * An implementation is stateless between calls: a call reads its arguments, returns fresh float64 sums, and never keeps
 * or changes an argument, except for what it says it writes to. It covers only what is worth hand-tuning for speed; it is not a tensor library.
 *
 * Kernels first map each sample to `(y − offset)·scale` (see {@link Conditioning}); below, Y means conditioned samples:
 *
 *     Y  b×n samples (rows)      A  K×n atoms (rows)      X = Y Aᵀ  b×K codes, never stored as a whole
 *
 * `precision` is that of the arithmetic: with `f32`, runs of at most {@link ACCUMULATION_ROWS} samples are summed in
 * float32 and these sums are added in float64. Samples may be float32 or float64 in either precision.
 */
import type { FloatArray, Matrix, Matrix64, Precision } from '../core/matrix.ts';
import type { WasmMemory } from './wasm/webassembly.ts';

/** How a kernel conditions raw samples. */
export interface Conditioning {
  /** Subtracted from every sample (length n); absent means zero. */
  readonly offset?: Float64Array | undefined;
  /** Multiplies every sample, to keep float32 from overflowing and underflowing. */
  readonly scale: number;
}

/** How a code x of atom i and sample j is changed before it is correlated with the sample. */
export type Response =
  /** φ(x) = sign(x)·|x|^(norm−1), value |x|^norm; norm is 1 (signs, φ(0) = 0), 3 or an even number ≥ 2. */
  | { readonly kind: 'power'; readonly norm: number }
  /** φ(x) = x·[|x| > thresholds[i]·c_j], value [code kept]; a sample with c_j = 0 is never kept. */
  | ({ readonly kind: 'mask'; readonly thresholds: Float64Array } & SampleSizes)
  | LikelihoodResponse;

/**
 * Codes come from a narrow normal, the spike, or from a wide one, the slab. With e_j = Σ_i x_ji², the energy of a sample in
 * the atoms of the call:
 *
 *     c_j² = (e_j/meanEnergy + spread)/(1 + spread), or 1 without spread
 *     t_j² = spike·c_j²,   s_j² = max(slab, 1.01 t_j²),   d_j = 1/t_j² − 1/s_j²
 *     r    = 1/(1 + exp(−u)),   u = log((1 − theta)/theta) + ½ log(s_j²/t_j²) − ½ d_j x²       P(spike | x)
 *     φ(x) = spike·(1/s_j² + r d_j)·x,   value r
 *
 * φ is the derivative of −log p(x), times spike: it stays moderate as the spike becomes narrow.
 */
export interface LikelihoodResponse {
  readonly kind: 'likelihood';
  /** Probability of the slab, between 0 and 1. */
  readonly theta: number;
  /** Variance t² of the spike, and s² of the slab; both positive. */
  readonly spike: number;
  readonly slab: number;
  /** A positive number: the larger, the less the spike grows with its sample. If absent, the spike does not grow. */
  readonly spread?: number | undefined;
  /** Energy of a sample with c_j = 1; positive. */
  readonly meanEnergy: number;
  /** A sample with e_j ≤ leastEnergy is dropped: it adds nothing to any sum. Default: 0. */
  readonly leastEnergy?: number | undefined;
}

/** The size of a sample relative to the others: c_j = max(‖y_j‖, leastNorm)/meanNorm. */
export interface SampleSizes {
  /** Mean norm of the non-zero conditioned samples. */
  readonly meanNorm: number;
  /** Least norm that a sample is taken to have; default: 0. */
  readonly leastNorm?: number | undefined;
}

/** The arguments of `correlate`. */
export interface CorrelateRequest {
  readonly samples: Matrix;
  readonly atoms: Matrix;
  readonly conditioning: Conditioning;
  readonly response: Response;
  readonly precision: Precision;
  /** Whether to return Φᵀ Φ as well. */
  readonly gram?: boolean;
  /** With a mask: number of first samples whose histogram of |X_ji|/c_j, taken before masking, is returned as well. */
  readonly counts?: number;
}

/** What `correlate` returns: sums over the samples of a chunk. */
export interface Correlation {
  /** Φᵀ Y, K×n, where Φ = φ(X). */
  readonly correlation: Matrix64;
  /** Sum of the response's value over the samples, one per atom. */
  readonly values: Float64Array;
  /** With a mask: sums of the codes kept and of the others, one per atom. */
  readonly sums?: { readonly kept: Float64Array; readonly rejected: Float64Array };
  /** Further sums, with a likelihood. */
  readonly likelihood?: LikelihoodSums;
  /** Φᵀ Φ, K×K, if requested. */
  readonly gram?: Matrix64;
  /** K×HISTOGRAM_BINS, if requested; see {@link Kernels.histogram}. */
  readonly counts?: Float64Array;
}

/** Sums of a likelihood in addition to its values, in the letters of {@link LikelihoodResponse}. */
export interface LikelihoodSums {
  /** Σ_j r x²/c_j², one per atom. */
  readonly spikeEnergy: Float64Array;
  /** Σ_j φ'(x), one per atom: φ'(x) = spike·(1/s_j² + r d_j − r(1 − r) d_j² x²). */
  readonly slope: Float64Array;
  /** Number of samples that are not dropped. */
  readonly live: number;
}

/** The arguments of `histogram`. Codes are divided by the c_j of their sample; samples with c_j = 0 are skipped. */
export interface HistogramRequest extends SampleSizes {
  readonly samples: Matrix;
  readonly atoms: Matrix;
  readonly conditioning: Conditioning;
}

/** The arguments of `pursue`. */
export interface PursueRequest {
  readonly samples: Matrix;
  /** D, K×n, unit rows. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** The pursuit of a sample ends after this many atoms, at most n: more would depend on each other, */
  readonly keep: number;
  /** or as soon as ‖r‖ ≤ residual·‖y‖. */
  readonly residual: number;
}

/** The arguments of `lasso`. */
export interface LassoRequest {
  readonly samples: Matrix;
  /** D, K×n, rows of norm 1 or less. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  readonly lambda: number;
}

/** Sparse codes of consecutive samples, in compressed form. */
export interface SparseCodes {
  /** The codes of sample j are at starts[j] to starts[j + 1]. */
  readonly starts: Int32Array;
  readonly atoms: Int32Array;
  readonly values: Float64Array;
  /** ‖r‖² of every sample, r = y − Σ_k x_k d_k. */
  readonly residuals: Float64Array;
}

/** Sums over sparse codes. */
export interface CodeMoments {
  /** Xᵀ X, K×K. */
  readonly gram: Matrix64;
  /** Xᵀ Y, K×n. */
  readonly correlation: Matrix64;
}

/** The arguments of `measure`: atoms, a threshold t_i for each, and a power. */
export interface MeasureRequest extends SampleSizes {
  readonly samples: Matrix;
  readonly atoms: Matrix;
  readonly conditioning: Conditioning;
  readonly thresholds: Float64Array;
  /** Power of the codes: a whole number from 1. */
  readonly norm: number;
  readonly precision: Precision;
}

/** How large the codes of a chunk are, one number per atom. */
export interface Measures {
  /** Number of codes with |X_ji| > t_i·c_j; a sample with c_j = 0 has none. */
  readonly kept: Float64Array;
  /** Sum of |X_ji|^norm. */
  readonly powers: Float64Array;
}

/** What `survey` returns for conditioned samples, in float64. If `finite` is false, the other fields have no meaning. */
export interface SampleSurvey {
  readonly finite: boolean;
  /** max |y| over all numbers. */
  readonly largest: number;
  /** Number of samples that are zero. */
  readonly zeroSamples: number;
  /** Sum of the norms; invalid if squares overflow or underflow. */
  readonly normSum: number;
  /** Sum of the samples, n numbers. */
  readonly sum: Float64Array;
  /** YᵀY as from `covariance`, if requested. */
  readonly gram?: Matrix64;
}

/** The arguments of `projectByAtom`. */
export interface ProjectByAtomRequest {
  readonly samples: Matrix;
  readonly atoms: Matrix;
  readonly conditioning: Conditioning;
  /** Where codes are written: one row per atom, with room for the samples from `start` on. */
  readonly codes: Matrix;
  readonly start: number;
}

/** An orthogonal map of samples that is cheaper than a matrix product, as plain data. */
export type FastTransform = ReflectorTransform | RotationTransform;

/** X = Y H_1 … H_m, H = I − 2uᵀu, in the form X = Y − (Y Uᵀ) W: see linalg/reflectors.ts. */
export interface ReflectorTransform {
  readonly kind: 'reflectors';
  /** U, m×n, unit rows. */
  readonly reflectors: Matrix64;
  /** W, m×n. */
  readonly combined: Matrix64;
}

/**
 * Applies the rows (i, j, c, s) of `rotations` in turn: y_i, y_j ← c y_i + s y_j, c y_j − s y_i.
 * Then x_k = signs_k · y[order_k].
 */
export interface RotationTransform {
  readonly kind: 'rotations';
  /** G×4. */
  readonly rotations: Matrix64;
  readonly order: Int32Array;
  /** Signs of the results, each 1 or −1. */
  readonly signs: Float64Array;
}

/**
 * Sums over the columns of two rows x, y, from which the best angle of their plane follows.
 *
 * - `quartic`: Σ u², Σ uw, Σ w², with u = x² − y² and w = xy; Σ (x + iy)⁴ = Σ u² − 4 Σ w² + 4i Σ uw;
 * - `cubic`: Σ x³, Σ x²y, Σ xy², Σ y³.
 */
export type PlaneSums = 'quartic' | 'cubic';

/** Rows that are rotated pair by pair. */
export interface PlaneRows<D extends FloatArray = FloatArray> extends Matrix<D> {
  /** Set if kernels can rotate the rows in place, without copying them: see kernels/wasm/plane-rows.ts. */
  readonly memory?: WasmMemory | undefined;
}

/** The arguments of `rotatePlanes`. */
export interface RotateRequest {
  /** Rows to rotate in place; only the rows of the planes are read and written. */
  readonly rows: PlaneRows;
  /** The planes: pairs of different rows (i, j); a row may be in many planes. */
  readonly planes: readonly (readonly [i: number, j: number])[];
  readonly sums: PlaneSums;
  /**
   * The rotation (c, s) of a plane with these sums, which are valid during the call; undefined leaves its rows as they
   * are. Called once per plane, in their order. It must not call kernels.
   */
  choose(sums: Float64Array): readonly [c: number, s: number] | undefined;
}

/** The arithmetic of a backend for one chunk of samples. See docs/kernels.md. */
export interface Kernels {
  readonly name: KernelName;

  /**
   * factor · op(A)·op(B); `form`: nn, nt (B transposed) or tn (A transposed). Both in the same precision, as is the result.
   * AᵀA is exactly symmetric. `into`: a matrix of the right size, neither A nor B, to overwrite with the result.
   */
  multiply<M extends Matrix>(a: M, b: M, form?: ProductForm, into?: M, factor?: number): M;

  /** Yᵀ Y, n×n, exactly symmetric. */
  covariance(samples: Matrix, conditioning: Conditioning, precision: Precision): Matrix64;

  /** The fused pass: Φᵀ Y and the values, for one chunk. */
  correlate(request: CorrelateRequest): Correlation;

  /** Counts of |X_ji|/c_j in float64, K×HISTOGRAM_BINS, in the logarithmic bins of `histogramBin`. */
  histogram(request: HistogramRequest): Float64Array;

  /** How large the codes are, without correlating them. */
  measure(request: MeasureRequest): Measures;

  /** Sums, norms and extremes of the samples; with `moments`, also YᵀY, at little extra cost. */
  survey(samples: Matrix, conditioning: Conditioning, moments?: boolean): SampleSurvey;

  /** An optional, faster eigendecomposition than linalg/eigh.ts; returns undefined if it fails. */
  eigen?(symmetric: Matrix64): SymmetricEigen | undefined;

  /** Codes Y Aᵀ, b×K, in the given precision. */
  project(samples: Matrix, atoms: Matrix, conditioning: Conditioning, precision: Precision): Matrix;

  /**
   * Writes the codes A Yᵀ of the samples, computed in float64, to columns `start`, `start` + 1, … of `codes`. Returns Σ x⁴
   * over them.
   */
  projectByAtom(request: ProjectByAtomRequest): number;

  /** Codes under an orthogonal map that is not stored as a matrix, b×n, in the given precision. */
  transform(samples: Matrix, map: FastTransform, conditioning: Conditioning, precision: Precision): Matrix;

  /** Codes by orthogonal matching pursuit, in float64. */
  pursue(request: PursueRequest): SparseCodes;

  /** Codes that minimise ½‖y − Σ_k x_k d_k‖² + λ‖x‖₁, in float64. */
  lasso(request: LassoRequest): SparseCodes;

  /** Sums over the codes of K atoms, in float64. */
  codeMoments(samples: Matrix, codes: SparseCodes, components: number, conditioning: Conditioning): CodeMoments;

  /**
   * One plane after another: sums over the columns of its two rows, asks for the rotation, and applies it in place:
   * row_i, row_j ← c row_i + s row_j, c row_j − s row_i. The precision is that of the rows.
   */
  rotatePlanes(request: RotateRequest): void;
}

/** S = Vᵀ diag(λ) V. */
export interface SymmetricEigen {
  /** λ, descending. */
  readonly values: Float64Array;
  /** V: row i belongs to `values[i]`. */
  readonly vectors: Matrix64;
}

/** The backends: JavaScript, WebAssembly with SIMD or with relaxed SIMD, and the system's BLAS. */
export type KernelName = 'js' | 'wasm' | 'wasm-relaxed' | 'native';
/** Which operand of a product is transposed: none, the second or the first. */
export type ProductForm = 'nn' | 'nt' | 'tn';

/** Number of samples summed in float32 before the sum is added in float64. */
export const ACCUMULATION_ROWS = 256;

/** Bins per factor of two. The widest bins span a factor of 9/8: fine enough for scales and thresholds. */
export const HISTOGRAM_BINS_PER_OCTAVE = 8;
/** The lower edge of bin 0 is 2^HISTOGRAM_LOWEST_EXPONENT; bin 0 also counts everything below, zero included. */
export const HISTOGRAM_LOWEST_EXPONENT = -60;
export const HISTOGRAM_BINS = HISTOGRAM_BINS_PER_OCTAVE * 72;

const bits = new DataView(new ArrayBuffer(8));

/** The bin of |x|: exponent and top 3 mantissa bits, so bins are linear within an octave and need no logarithm. */
export function histogramBin(x: number): number {
  bits.setFloat64(0, Math.abs(x));
  const bin = (bits.getUint32(0) >>> 17) - (1023 + HISTOGRAM_LOWEST_EXPONENT) * HISTOGRAM_BINS_PER_OCTAVE;
  return Math.min(Math.max(bin, 0), HISTOGRAM_BINS - 1);
}

/** Lower edge of a bin; `histogramEdge(b + 1)` is its upper edge. */
export function histogramEdge(bin: number): number {
  const octave = Math.floor(bin / HISTOGRAM_BINS_PER_OCTAVE);
  const step = bin - octave * HISTOGRAM_BINS_PER_OCTAVE;
  return 2 ** (octave + HISTOGRAM_LOWEST_EXPONENT) * (1 + step / HISTOGRAM_BINS_PER_OCTAVE);
}
