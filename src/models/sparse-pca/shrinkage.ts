/**
 * Soft thresholds and the objective of sparse principal components (ℓ1, Journée et al. 2010; Shalit & Chechik 2014).
 * With R (r×n), RᵀR = YᵀY/p the second moments of the samples, and U (m×r) orthonormal rows:
 *
 *     F(U) = Σ_ik [|P_ik| − γ_i]₊²,   P = U R          soft_γ(x) = sign(x)·[|x| − γ]₊
 *          = max over unit rows z_i of Σ_i [u_i R z_iᵀ − γ_i ‖z_i‖₁]₊²,   attained at z_i = soft(P_i)/‖soft(P_i)‖
 */
import { copy, type Matrix64, row } from '../../core/matrix.ts';

/** Applies soft_γ to the rows of P, each with its own γ. */
export function shrink(P: Matrix64, gammas: ArrayLike<number>): Matrix64 {
  const S = copy(P);
  for (let i = 0; i < S.rows; i++) {
    const values = row(S, i);
    for (let k = 0; k < values.length; k++) {
      const over = Math.abs(values[k]) - gammas[i];
      values[k] = over > 0 ? Math.sign(values[k]) * over : 0;
    }
  }
  return S;
}

/** The objective F of the first `gammas.length` rows of P. */
export function shrunkEnergy(P: Matrix64, gammas: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < gammas.length; i++) {
    for (let k = i * P.cols; k < (i + 1) * P.cols; k++) {
      const over = Math.abs(P.data[k]) - gammas[i];
      if (over > 0) sum += over * over;
    }
  }
  return sum;
}
