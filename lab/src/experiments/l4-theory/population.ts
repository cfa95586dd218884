/**
 * Expectations of the ℓ_q objective and its gradient over Bernoulli-Gaussian codes x, q = 2m even, for any row w.
 *
 * Given the support, w·x is normal with variance s = Σ b_k w_k², b_k Bernoulli(θ). So
 *
 *     f(w) = E(w·x)^q = (q−1)!! E s^m,     κ_r = c_r Σ_k w_k^2r the cumulants of s, c_r those of Bernoulli(θ)
 *     ∂E s^m/∂κ_r = binom(m, r) E s^(m−r),   hence ∇f/q
 *
 * For q = 4 on the orthogonal group this is lemma 3, f/(3θ) = (1 − θ)g + θn, and proposition 10,
 * ∇f/4 = 3θ(1 − θ)W∘³ + 3θ²W.
 */
import type { Matrix64 } from 'orthodict';
import { row, zeros } from 'orthodict/extend';

/** Cumulants of Bernoulli(θ): c_1 … c_4. */
const cumulants = (theta: number): number[] => {
  const v = theta * (1 - theta);
  return [theta, v, v * (1 - 2 * theta), v * (1 - 6 * v)];
};

export interface Expectation {
  /** Σ_i f(w_i), for one sample. */
  readonly objective: number;
  /** ∇f/q, as the kernels' correlation, for one sample. */
  readonly gradient: Matrix64;
}

/** W: any matrix; its rows are the atoms in coordinates of the true ones. q: 4, 6 or 8. */
export function expectationAt(W: Matrix64, theta: number, q = 4): Expectation {
  const gradient = zeros(W.rows, W.cols);
  let objective = 0;
  for (let i = 0; i < W.rows; i++) objective += addRow(row(W, i), theta, q, row(gradient, i));
  return { objective, gradient };
}

function addRow(w: Float64Array, theta: number, q: number, gradient: Float64Array): number {
  const m = q / 2;
  const c = cumulants(theta);
  const moments = rawMoments(c.map((value, r) => value * w.reduce((sum, x) => sum + x ** (2 * r + 2), 0)));
  const factor = doubleFactorial(q - 1);
  for (let k = 0; k < w.length; k++) {
    for (let r = 1; r <= m; r++) {
      gradient[k] += (factor / q) * binomial(m, r) * moments[m - r] * c[r - 1] * 2 * r * w[k] ** (2 * r - 1);
    }
  }
  return factor * moments[m];
}

/** E s⁰ … E s⁴ from the first four cumulants: E s^m = Σ_r binom(m−1, r−1) κ_r E s^(m−r). */
function rawMoments(kappa: readonly number[]): number[] {
  const moments = [1];
  for (let m = 1; m <= kappa.length; m++) {
    moments.push(kappa.slice(0, m).reduce((sum, value, r) => sum + binomial(m - 1, r) * value * moments[m - r - 1], 0));
  }
  return moments;
}

const doubleFactorial = (k: number): number => (k <= 1 ? 1 : k * doubleFactorial(k - 2));

const binomial = (m: number, r: number): number => (r === 0 ? 1 : (binomial(m - 1, r - 1) * m) / r);
