/**
 * The nearest point of the simplex, {x ≥ 0, Σ x = 1}: x_v = max(0, y_v − τ) with the τ that makes the sum 1 (Duchi et
 * al. 2008).
 */
export function projectToSimplex(y: Float64Array): Float64Array {
  const sorted = y.slice().sort().reverse();
  let sum = 0;
  let tau = 0;
  for (let k = 0; k < sorted.length; k++) {
    sum += sorted[k];
    const candidate = (sum - 1) / (k + 1);
    if (sorted[k] > candidate) tau = candidate;
  }
  return y.map((value) => Math.max(0, value - tau));
}
