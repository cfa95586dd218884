/**
 * The result of a fit: unit loadings by descending variance, largest entry positive, and what they explain.
 *
 * Scores of sparse components are correlated, so their variances do not add up. The adjusted variance of component i is
 * what it adds to those before it: S_ii² with scores T = Q S (QR; Zou, Hastie & Tibshirani 2006). T may be any matrix
 * with the same TᵀT: here that of R.
 */
import { type Matrix64, row, selectRows, transpose, unitRows, zeros } from '../../core/matrix.ts';
import { qr } from '../../linalg/qr.ts';
import type { Fit } from './fit.ts';
import { shrink } from './shrinkage.ts';

/** Sparse loadings and what they explain. */
export interface Components {
  /** Loadings as unit rows, m×n; a row is zero if the threshold left nothing. */
  readonly loadings: Matrix64;
  /** Threshold of every component, in the units of the features. */
  readonly gammas: Float64Array;
  /** Features with non-zero loadings, by component. */
  readonly support: readonly (readonly number[])[];
  /** Variance of the scores of every component. */
  readonly variance: Float64Array;
  /** What every component adds to those before it. */
  readonly adjustedVariance: Float64Array;
  /** Variance of all features together. */
  readonly totalVariance: number;
}

/** Describes a fit; R and the fit are in units of `unit`. */
export function componentsOf(R: Matrix64, fit: LoadedFit, unit: number): Components {
  return describeLoadings(R, loadingsOf(fit), fit.gammas, unit);
}

type LoadedFit = Pick<Fit, 'projections' | 'gammas' | 'loadings'>;

export const loadingsOf = ({ loadings, projections, gammas }: LoadedFit): Matrix64 =>
  loadings ?? unitRows(shrink(projections, gammas));

/** Components from loadings: order, signs, and the variance that each explains. */
export function describeLoadings(R: Matrix64, unordered: Matrix64, gammas: Float64Array, unit: number): Components {
  const energies = energiesOf(projectRows(R, unordered));
  const order = Array.from(energies.keys()).sort((a, b) => energies[b] - energies[a]);
  const loadings = withPositivePeaks(selectRows(unordered, order));
  const square = unit * unit;
  return {
    loadings,
    gammas: Float64Array.from(order, (i) => gammas[i] * unit),
    support: order.map((_, i) =>
      [...row(loadings, i).keys()].filter((k) => loadings.data[i * loadings.cols + k] !== 0),
    ),
    variance: Float64Array.from(order, (i) => energies[i] * square),
    adjustedVariance: adjustedVariances(projectRows(R, loadings)).map((v) => v * square),
    totalVariance: R.data.reduce((sum, value) => sum + value * value, 0) * square,
  };
}

/** The adjusted variance S_ii² of every component, from the QR of Tᵀ; rows of T are scores. */
function adjustedVariances(T: Matrix64): Float64Array {
  const { r: S } = qr(transpose(T));
  return Float64Array.from({ length: T.rows }, (_, i) => S.data[i * T.rows + i] ** 2);
}

/** Computes z_i Rᵀ as rows, at a cost of only the non-zero loadings. */
function projectRows(R: Matrix64, loadings: Matrix64): Matrix64 {
  const T = zeros(loadings.rows, R.rows);
  for (let i = 0; i < loadings.rows; i++) {
    for (let k = 0; k < R.cols; k++) {
      const z = loadings.data[i * R.cols + k];
      if (z !== 0) for (let l = 0; l < R.rows; l++) T.data[i * R.rows + l] += z * R.data[l * R.cols + k];
    }
  }
  return T;
}

function energiesOf(T: Matrix64): Float64Array {
  return Float64Array.from({ length: T.rows }, (_, i) => row(T, i).reduce((sum, value) => sum + value * value, 0));
}

/** Changes signs in place so that the entry of largest magnitude of every row is positive. */
function withPositivePeaks(rows: Matrix64): Matrix64 {
  for (let i = 0; i < rows.rows; i++) {
    const values = row(rows, i);
    const peak = values.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
    if (peak < 0) for (let k = 0; k < values.length; k++) values[k] = -values[k] || 0;
  }
  return rows;
}
