/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */
import type { Matrix } from '../core/matrix.ts';

/** The options that every method of `learn` accepts. */
export interface CommonOptions {
  /**
   * none: an orthogonal dictionary of the data as it is; zca: a complete dictionary, not necessarily orthogonal.
   * Default: `'none'`.
   */
  readonly whiten?: 'none' | 'zca' | undefined;
  /** Number of atoms; default: as many as features. */
  readonly components?: number | undefined;
  /** auto: use the zeros of the codes to go from 0.3 % error to exact; none: skip this. Default: `'auto'`. */
  readonly refine?: 'auto' | 'none' | undefined;
  /** Subtract the mean sample and store it in the model; refinement makes the mean exact too. Default: `false`. */
  readonly center?: boolean | undefined;
  /**
   * Precision of arithmetic and model; mixed: explore in float32, refine in float64, and store the model as precisely
   * as the samples. Default: `'mixed'`.
   */
  readonly precision?: 'mixed' | 'f32' | 'f64' | undefined;
  /**
   * Stop exploring after this many iterations; the fallback may take as many again, or `fallback` times as many.
   * Default: `1000`.
   */
  readonly maxIterations?: number | undefined;
  /**
   * Approximate time limit for learning in seconds, including the time before a resume, but not reading the data and
   * writing the model; takes at least one step. Default: `Infinity`.
   */
  readonly maxSeconds?: number | undefined;
  /**
   * Stop when a step moves the atoms by at most this (root mean square); auto: 1e-5, or earlier once the change is
   * within sampling error (msp, ica). Default: `'auto'`.
   */
  readonly tolerance?: number | 'auto' | undefined;
  /** Stop when three steps together raise the objective by at most this fraction. Default: `1e-8`. */
  readonly objectiveTolerance?: number | undefined;
  /** auto: explore on a subsample first, and on white data only until refinement can take over. Default: `'auto'`. */
  readonly scout?: 'auto' | 'none' | undefined;
  /** Seed of the random start. Default: `0`. */
  readonly seed?: number | undefined;
  /**
   * Learn from this many random starts (seeds K, K+1, …), keep the one with the best objective (a refined one, if
   * there is any), and count the atoms that all of them find. Only without `start`. Default: `1`.
   */
  readonly starts?: number | undefined;
  /** Hold out this share of the samples, and report how well a few codes describe them, compared with PCA and DCT. */
  readonly holdout?: number | undefined;
  /** Atoms to start from (K×n, as rows) instead of a random orthogonal matrix. */
  readonly start?: Matrix | undefined;
}

/** The options of `StreamLearner`. */
export interface StreamLearnerOptions {
  /**
   * none: an orthogonal dictionary of the data as it is; zca: a complete dictionary, not necessarily orthogonal.
   * Default: `'none'`.
   */
  readonly whiten?: 'none' | 'zca' | undefined;
  /** Subtract the mean sample and store it in the model; refinement makes the mean exact too. Default: `false`. */
  readonly center?: boolean | undefined;
  /**
   * Samples to keep and learn from together at the beginning; default: 2 per squared feature, at least 4096, at most
   * 16 million numbers.
   */
  readonly first?: number | undefined;
  /** Let the past count as at most this many samples, so that old ones are forgotten. Default: `Infinity`. */
  readonly window?: number | undefined;
  /** Seed of the random start. Default: `0`. */
  readonly seed?: number | undefined;
}

/** The options of `updateDictionary`. */
export interface UpdateOptions {
  /** Let the past count as at most this many samples, so that old ones are forgotten. Default: `Infinity`. */
  readonly window?: number | undefined;
}

/**
 * Options of `learn` with method `msp`: matching, stretching and projection: maximisation of the l_q norm of the
 * codes, all atoms at once.
 */
export interface MspMethodOptions extends CommonOptions {
  /** Matching, stretching and projection: maximisation of the l_q norm of the codes, all atoms at once. */
  readonly method?: 'msp' | undefined;
  /** Maximise the l_q norm of the codes, where q is 3 or an even number; 3 needs fewer samples. Default: `4`. */
  readonly norm?: number | undefined;
  /**
   * auto: the natural shift on white data, where it saves iterations, and none otherwise; none; or a number. Default:
   * `'auto'`.
   */
  readonly shift?: number | 'auto' | 'none' | undefined;
  /**
   * auto: on data that is not white, where it saves most of the passes; on: whenever there is no shift; off. Only with
   * `shift` `'auto'` or `'none'` or `0`. Default: `'auto'`.
   */
  readonly momentum?: 'auto' | 'on' | 'off' | undefined;
  /**
   * Maximum-likelihood search (see ml) if the atoms are not certified and most of them have the same energy; auto: for
   * about as long as the run took, at least a second; none; or this many times as long. Only with `refine` `'auto'`.
   * Default: `'auto'`.
   */
  readonly fallback?: number | 'auto' | 'none' | undefined;
}

/**
 * Options of `learn` with method `givens`: maximisation of the l4 norm of the codes by plane rotations, exact in every
 * plane; holds all codes in memory.
 */
export interface GivensMethodOptions extends CommonOptions {
  /** Maximisation of the l4 norm of the codes by plane rotations, exact in every plane; holds all codes in memory. */
  readonly method: 'givens';
  /** Only 4, the l4 norm. Default: `4`. */
  readonly norm?: number | undefined;
  /**
   * Order of the planes: random, until-improvement, cyclic, tournament; only tournament uses several threads. Default:
   * `'tournament'`.
   */
  readonly pairs?: 'random' | 'until-improvement' | 'cyclic' | 'tournament' | undefined;
}

/**
 * Options of `learn` with method `gtransform`: a fast transform by Procrustes alternation: the atoms are a product of
 * plane rotations.
 */
export interface GtransformMethodOptions extends CommonOptions {
  /** A fast transform by Procrustes alternation: the atoms are a product of plane rotations. */
  readonly method: 'gtransform';
  /** Keep the S codes with the largest magnitudes in every sample. */
  readonly keep?: number | undefined;
  /** Keep codes of at least this magnitude; default if keep is not given: the root mean square of the codes. */
  readonly threshold?: number | undefined;
  /** Number of rotations; default: n log2 n. */
  readonly rotations?: number | undefined;
}

/**
 * Options of `learn` with method `householder`: a product of few Householder reflectors, for codes of nonzero mean
 * with few samples and many features.
 */
export interface HouseholderMethodOptions extends Pick<CommonOptions, 'refine' | 'seed' | 'holdout'> {
  /** A product of few Householder reflectors, for codes of nonzero mean with few samples and many features. */
  readonly method: 'householder';
  /** Number of reflectors M of the dictionary V = H_1 ... H_M. Default: `1`. */
  readonly reflectors?: number | undefined;
  /** Share of non-zero codes; needs mean; default: the product of theta and mean is estimated. */
  readonly theta?: number | undefined;
  /** Mean of the non-zero codes; needs theta. */
  readonly mean?: number | undefined;
  /**
   * Reflectors to start from: identity, random, or an M×n matrix (rows of any norm but zero; a file: .npy, .npz with
   * reflectors, f.npz:name). Default: `'identity'`.
   */
  readonly start?: Matrix | 'identity' | 'random' | undefined;
}

/**
 * Options of `learn` with method `ica`: independent component analysis, for sources of any distribution, sparse or
 * not.
 */
export interface IcaMethodOptions extends Omit<CommonOptions, 'objectiveTolerance' | 'scout'> {
  /** Independent component analysis, for sources of any distribution, sparse or not. */
  readonly method: 'ica';
  /** Scale the codes of every atom to variance 1 instead of the atoms to norm 1. Default: `false`. */
  readonly unitVariance?: boolean | undefined;
}

/** Options of `learn` with method `ml`: maximum likelihood of sparse codes, for few samples, dense codes or noise. */
export interface MlMethodOptions extends Omit<CommonOptions, 'refine' | 'tolerance' | 'objectiveTolerance' | 'scout'> {
  /** Maximum likelihood of sparse codes, for few samples, dense codes or noise. */
  readonly method: 'ml';
  /**
   * Stop exploring after this many iterations; the fallback may take as many again, or `fallback` times as many.
   * Default: `10000`.
   */
  readonly maxIterations?: number | undefined;
  /** Explore at most this many times, until all atoms are certified or two starts agree. Default: `8`. */
  readonly attempts?: number | undefined;
}

/** Options of `learn` with method `pga`: projected gradient ascent on the l_q norm of the codes. */
export interface PgaMethodOptions extends CommonOptions {
  /** Projected gradient ascent on the l_q norm of the codes. */
  readonly method: 'pga';
  /** Maximise the l_q norm of the codes, where q is 3 or an even number; 3 needs fewer samples. Default: `4`. */
  readonly norm?: number | undefined;
  /** Step size in A + ALPHA (X^(q-1))^T Y, which is then projected; an infinite step is msp. Default: `Infinity`. */
  readonly step?: number | undefined;
}

/**
 * Options of `learn` with method `procrustes`: orthogonal Procrustes alternation between the largest codes and the
 * best atoms for them.
 */
export interface ProcrustesMethodOptions extends CommonOptions {
  /** Orthogonal Procrustes alternation between the largest codes and the best atoms for them. */
  readonly method: 'procrustes';
  /** Keep the S codes with the largest magnitudes in every sample. */
  readonly keep?: number | undefined;
  /** Keep codes of at least this magnitude; default if keep is not given: the root mean square of the codes. */
  readonly threshold?: number | undefined;
}

/** Options of `learn` with method `dct`: the discrete cosine transform, a fixed basis. */
export interface DctMethodOptions
  extends Omit<
    CommonOptions,
    'maxIterations' | 'maxSeconds' | 'tolerance' | 'objectiveTolerance' | 'scout' | 'starts'
  > {
  /** The discrete cosine transform, a fixed basis. */
  readonly method: 'dct';
  /**
   * Samples are pictures of R rows and C columns, such as 8x8, or 8x8x3 for colour; default: one-dimensional signals.
   */
  readonly dctShape?: string | undefined;
}

/** Options of `learn` with method `ksvd`: K-SVD with orthogonal matching pursuit, any number of atoms. */
export interface KsvdMethodOptions extends CommonOptions {
  /** K-SVD with orthogonal matching pursuit, any number of atoms. */
  readonly method: 'ksvd';
  /**
   * Stop exploring after this many iterations; the fallback may take as many again, or `fallback` times as many.
   * Default: `100`.
   */
  readonly maxIterations?: number | undefined;
  /**
   * Stop when a step moves the atoms by at most this (root mean square); auto: 1e-5, or earlier once the change is
   * within sampling error (msp, ica). Default: `0.001`.
   */
  readonly tolerance?: number | 'auto' | undefined;
  /** Stop when three steps together raise the objective by at most this fraction. Default: `0.001`. */
  readonly objectiveTolerance?: number | undefined;
  /** Largest number of atoms per sample; default if residual is not given: sqrt of n. */
  readonly keep?: number | undefined;
  /** Stop the pursuit of a sample at this relative residual. */
  readonly residual?: number | undefined;
  /**
   * auto: begin with few codes and subsamples for 8 epochs, unless starting atoms are given; none: use all of them at
   * once, as published. Default: `'auto'`.
   */
  readonly growth?: 'auto' | 'none' | undefined;
}

/** Options of `learn` with method `pca`: principal components. */
export interface PcaMethodOptions
  extends Pick<CommonOptions, 'whiten' | 'components' | 'refine' | 'center' | 'precision' | 'seed' | 'holdout'> {
  /** Principal components. */
  readonly method: 'pca';
}

/** The options of `learn` by method. */
export interface OptionsByMethod {
  readonly msp: MspMethodOptions;
  readonly givens: GivensMethodOptions;
  readonly gtransform: GtransformMethodOptions;
  readonly householder: HouseholderMethodOptions;
  readonly ica: IcaMethodOptions;
  readonly ml: MlMethodOptions;
  readonly pga: PgaMethodOptions;
  readonly procrustes: ProcrustesMethodOptions;
  readonly dct: DctMethodOptions;
  readonly ksvd: KsvdMethodOptions;
  readonly pca: PcaMethodOptions;
}

/** A method of `learn`. */
export type MethodName =
  | 'msp'
  | 'givens'
  | 'gtransform'
  | 'householder'
  | 'ica'
  | 'ml'
  | 'pga'
  | 'procrustes'
  | 'dct'
  | 'ksvd'
  | 'pca';

/** The options of `learn`, whichever the method. */
export type LearnOptions = OptionsByMethod[MethodName];
