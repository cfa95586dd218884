/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */
import type { Matrix } from '../../core/matrix.ts';

/** The options of `learnTensor`. */
export interface TensorOptions {
  /** Order of the planes. Default: `'tournament'`. */
  readonly pairs?: 'random' | 'until-improvement' | 'cyclic' | 'tournament' | undefined;
  /**
   * Number of random starts; the best is kept; factors of a tensor that are certain are not searched for again. Only
   * without `start`. Default: `1`.
   */
  readonly starts?: number | undefined;
  /** Largest number of sweeps per start. Default: `200`. */
  readonly maxIterations?: number | undefined;
  /**
   * Stop when a sweep moves the factors by no more than this (root mean square); auto: 1e-12, or for a tensor a
   * thousandth of the error that its noise causes. Default: `'auto'`.
   */
  readonly tolerance?: number | 'auto' | undefined;
  /** Seed of the random starts. Default: `0`. */
  readonly seed?: number | undefined;
  /** D×d orthogonal matrix to start from instead of random ones. */
  readonly start?: Matrix | undefined;
}

/** The options of `learnMoments`. */
export interface MomentsOptions {
  /** Order of the planes. Default: `'tournament'`. */
  readonly pairs?: 'random' | 'until-improvement' | 'cyclic' | 'tournament' | undefined;
  /**
   * Number of random starts; the best is kept; factors of a tensor that are certain are not searched for again. Only
   * without `start`. Default: `1`.
   */
  readonly starts?: number | undefined;
  /** Largest number of sweeps per start. Default: `200`. */
  readonly maxIterations?: number | undefined;
  /**
   * Stop when a sweep moves the factors by no more than this (root mean square); auto: 1e-12, or for a tensor a
   * thousandth of the error that its noise causes. Default: `'auto'`.
   */
  readonly tolerance?: number | 'auto' | undefined;
  /** Seed of the random starts. Default: `0`. */
  readonly seed?: number | undefined;
  /** D×d orthogonal matrix to start from instead of random ones. */
  readonly start?: Matrix | undefined;
  /** Subtract the mean sample. Default: `false`. */
  readonly center?: boolean | undefined;
  /** Subtract the mean sample and make the covariance the identity. Default: `false`. */
  readonly whiten?: boolean | undefined;
}
