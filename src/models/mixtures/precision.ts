/** The inverse P = Σ⁻¹ of a covariance matrix: spherical, diagonal, or any positive definite matrix. */
import { dot, type Matrix64, zeros } from '../../core/matrix.ts';
import { cholesky } from '../../linalg/cholesky.ts';

export interface InverseCovariance {
  /** ln det Σ */
  readonly logDet: number;
  /** P v */
  times(v: Float64Array): Float64Array;
  /** tr(P S) */
  traceWith(S: Matrix64): number;
  /** c with −½ xᵀPx = c · second(x), for the second moments of its family: see families.ts. */
  coefficients(): Float64Array;
}

export const sphere = (variance: number, d: number): InverseCovariance => ({
  logDet: d * Math.log(variance),
  times: (v) => v.map((x) => x / variance),
  traceWith: ({ data }) => sumOver(d, (c) => data[c * d + c]) / variance,
  coefficients: () => Float64Array.of(-0.5 / variance),
});

export const axes = (variances: Float64Array): InverseCovariance => {
  const d = variances.length;
  return {
    logDet: sumOver(d, (c) => Math.log(variances[c])),
    times: (v) => v.map((x, c) => x / variances[c]),
    traceWith: ({ data }) => sumOver(d, (c) => data[c * d + c] / variances[c]),
    coefficients: () => variances.map((variance) => -0.5 / variance),
  };
};

/** The precision matrix of a positive definite covariance. */
export function ellipsoid(covariance: Matrix64): InverseCovariance {
  const d = covariance.cols;
  const L = cholesky(covariance);
  if (!L) throw new Error('mixtures: a covariance is not positive definite.');
  const P = inverseOf(L);
  return {
    logDet: 2 * sumOver(d, (c) => Math.log(L.data[c * d + c])),
    times: (v) => Float64Array.from({ length: d }, (_, i) => dot(P.data.subarray(i * d, (i + 1) * d), v)),
    traceWith: (S) => dot(P.data, S.data),
    coefficients() {
      const out = new Float64Array((d * (d + 1)) / 2);
      for (let i = 0, at = 0; i < d; i++) {
        for (let j = i; j < d; j++) out[at++] = (i === j ? -0.5 : -1) * P.data[i * d + j];
      }
      return out;
    },
  };
}

/** (L Lᵀ)⁻¹, exactly symmetric. */
function inverseOf({ rows: d, data: L }: Matrix64): Matrix64 {
  const K = zeros(d, d); // L⁻¹
  for (let j = 0; j < d; j++) {
    K.data[j * d + j] = 1 / L[j * d + j];
    for (let i = j + 1; i < d; i++) {
      let sum = 0;
      for (let c = j; c < i; c++) sum -= L[i * d + c] * K.data[c * d + j];
      K.data[i * d + j] = sum / L[i * d + i];
    }
  }
  const P = zeros(d, d);
  for (let c = 0; c < d; c++) {
    for (let i = 0; i <= c; i++) {
      for (let j = 0; j <= c; j++) P.data[i * d + j] += K.data[c * d + i] * K.data[c * d + j];
    }
  }
  return P;
}

function sumOver(count: number, term: (at: number) => number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += term(at);
  return sum;
}
