/**
 * The tensor power method with deflation (Anandkumar et al. 2014), one factor after the other, each the best of
 * several random starts,
 *
 *     u ← T(I, u, u) / ‖T(I, u, u)‖,     then T ← T − λ u ⊗ u ⊗ u,  λ = T(u, u, u)
 */
import type { Matrix64, SymmetricTensor } from 'orthodict';
import { addCube, createRandom, type Random, row, zeros } from 'orthodict/extend';

export interface PowerMethodOptions {
  /** Number of factors to find; default: all d. */
  readonly factors?: number;
  /** Random starts per factor; default: 10. */
  readonly starts?: number;
  /** Iterations per start; the best start continues to convergence. Default: 30. */
  readonly iterations?: number;
  /** Seed of the random starts; default: 0. */
  readonly seed?: number;
}

const MAX_ITERATIONS = 1000;
const CONVERGED = 1e-14;

interface PowerResult {
  readonly u: Float64Array;
  /** T(u, u, u) */
  readonly value: number;
}

/**
 * The tensor power method with deflation, the baseline: one factor after the other, each the best of several random
 * starts.
 */
export function powerMethod(
  T: SymmetricTensor,
  { factors: wanted = T.size, starts = 10, iterations = 30, seed = 0 }: PowerMethodOptions = {},
): { readonly factors: Matrix64; readonly weights: Float64Array } {
  const rest = { size: T.size, data: T.data.slice() };
  const random = createRandom(seed, 'starts of the power method');
  const factors = zeros(wanted, T.size);
  const weights = new Float64Array(wanted);
  for (let k = 0; k < wanted; k++) {
    let best: PowerResult = { u: new Float64Array(T.size), value: Number.NEGATIVE_INFINITY };
    for (let start = 0; start < starts; start++) {
      const found = iteratePower(rest, randomDirection(T.size, random), iterations);
      if (found.value > best.value) best = found;
    }
    const { u, value } = iteratePower(rest, best.u, MAX_ITERATIONS);
    row(factors, k).set(u);
    weights[k] = value;
    addCube(rest, -value, u);
  }
  return { factors, weights };
}

function iteratePower(T: SymmetricTensor, start: Float64Array, limit: number): PowerResult {
  let u = start;
  let value = 0;
  // its own loop, not `iterate`: thousands of runs of microseconds
  for (let step = 0; step < limit; step++) {
    const next = contractTwice(T, u);
    const length = Math.sqrt(next.reduce((sum, x) => sum + x * x, 0));
    if (length === 0) return { u, value: 0 };
    let change = 0;
    for (let a = 0; a < next.length; a++) {
      next[a] /= length;
      change += (next[a] - u[a]) ** 2;
    }
    u = next;
    value = length;
    if (change <= CONVERGED ** 2) break;
  }
  const along = contractTwice(T, u);
  value = u.reduce((sum, x, a) => sum + x * along[a], 0);
  return { u, value };
}

/** T(I, u, u)_a = Σ_bc T_abc u_b u_c */
function contractTwice({ size: d, data }: SymmetricTensor, u: Float64Array): Float64Array {
  const out = new Float64Array(d);
  for (let a = 0, at = 0; a < d; a++) {
    for (let b = 0; b < d; b++) {
      let sum = 0;
      for (let c = 0; c < d; c++, at++) sum += data[at] * u[c];
      out[a] += u[b] * sum;
    }
  }
  return out;
}

function randomDirection(d: number, random: Random): Float64Array {
  const u = Float64Array.from({ length: d }, () => random.normal());
  const length = Math.sqrt(u.reduce((sum, x) => sum + x * x, 0));
  return u.map((x) => x / length);
}
