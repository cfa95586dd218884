/**
 * The bound that the proof of lemma 4 gives, inequality (47): sup |f̂ − f|/(np) ≥ δ has a probability of less than
 *
 *     exp(−3pδ²/(c₁θ + 8n(ln p)⁴δ) + N) + exp(−pδ²/(c₂θ) + N) + 2npθ exp(−(ln p)²/2),   N = n² ln(60np(ln p)⁴/δ)
 */
const C1 = 1e4;
const C2 = 3360;

/** The least δ for which that is at most 1/p; infinite if the last term alone is more. */
export function provenDeviation(n: number, p: number, theta: number): number {
  if (tail(n, p, theta) > 1 / p) return Number.POSITIVE_INFINITY;
  let [low, high] = [1e-12, 1e12];
  while (high / low > 1 + 1e-9) {
    const middle = Math.sqrt(low * high);
    if (probability(middle, n, p, theta) > 1 / p) low = middle;
    else high = middle;
  }
  return high;
}

const tail = (n: number, p: number, theta: number): number => 2 * n * p * theta * Math.exp(-(Math.log(p) ** 2) / 2);

function probability(delta: number, n: number, p: number, theta: number): number {
  const power = Math.log(p) ** 4;
  const net = n ** 2 * Math.log((60 * n * p * power) / delta);
  const upper = (3 * p * delta ** 2) / (C1 * theta + 8 * n * power * delta);
  return Math.exp(net - upper) + Math.exp(net - (p * delta ** 2) / (C2 * theta)) + tail(n, p, theta);
}
