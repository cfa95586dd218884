/**
 * One trial of Theorem 1 of Dash & Siripuram: Algorithm 1 on p = C log n/(θμ)² samples of one reflector, beside the
 * bounds of the proof. With g = θ²μ²p and c = Σu, the proof has, for entry i of ŷ = 1 − Ȳ/(θμ) and c² estimated by ĉ²,
 *
 *     (3)  P(|c − ĉ| > t) ≤ P(|c² − ĉ²| > t) ≤ 2 exp(−8t²g)
 *     (4)  P(|ŷ_i/2c − u_i| ≥ t) ≤ 2 exp(−8t²c²g)
 *          P(|û_i − u_i| ≥ t) ≤ P(|ŷ_i(c − ĉ)/cĉ| ≥ t) + 2 exp(−2t²c²g),   and a union over the n entries
 *
 * Hoeffding's inequality for independent x in [a, b] with weights w is 2 exp(−2t²/(b − a)²Σw²). The codes are in [0, 2],
 * not in [1, 2]: b − a = 2, not 1. In (4) Σw² = 1/(4c²g); in (3) Σw² = n/(4g), because the column sums 1 − 2cu_k of H
 * have n as the sum of their squares. So Hoeffding's inequality gives, with c|c − ĉ| ≤ |c² − ĉ²|,
 *
 *     (3′)  P(|c − ĉ| > t/c) ≤ P(|c² − ĉ²| > t) ≤ 2 exp(−2t²g/n)
 *     (4′)  P(|ŷ_i/2c − u_i| ≥ t) ≤ 2 exp(−2t²c²g)
 *
 * With ŷ_i ≤ 4c‖u‖∞ and ĉ ≥ c/2 the first term of the sum is at most P(|c − ĉ| ≥ tc/8‖u‖∞), for all entries together.
 * The t at which the two terms are δ/2 each is the bound on ‖û − u‖∞ that holds with probability 1 − δ:
 *
 *     max(√(log(4n/δ)/2c²g), √(8‖u‖∞² log(4/δ)/c²g))     by (3), (4)
 *     max(√(2 log(4n/δ)/c²g), √(32n‖u‖∞² log(4/δ)/c⁴g))   by (3′), (4′)
 */
import { learnHouseholder, type Matrix64 } from 'orthodict';
import { createRandom, normalMatrix, reflect, row, unitRows, zeros } from 'orthodict/extend';
import type { Measured, Point } from '../framework/experiment.ts';
import { listedAlgorithm1, listedAlgorithm3 } from './listed-algorithm.ts';
import { MEAN } from './problem.ts';
import { unit } from './unit.ts';

/** The probability that a bound may fail with. */
export const DELTA = 0.1;
/** (4) is tried at the t where it is 2 exp(−4). */
export const SHARE = 2 * Math.exp(-4);
/** Samples where their number is fixed, C = 0. */
export const FIXED = 10;
/** Reflectors in the timing of Algorithm 3. */
export const REFLECTORS = 10;
/** A run on few numbers is timed this often, on more once; the fastest counts. */
const REPEATS = 3;
const FEW_NUMBERS = 1e6;

/** p. */
export const samplesAt = ({ n, theta, C }: Point): number =>
  C === 0 ? FIXED : Math.ceil((C * Math.log(n)) / (theta * MEAN) ** 2);

/** α = 1/2: uniform entries, c ≈ .87 √n. Otherwise n^2α equal entries and zeros: c = n^α and u_i c ≤ 1. */
function reflectorOf({ n, alpha }: Point, seed: number): Float64Array {
  const random = createRandom(seed, 'theorem 1 reflector');
  if (alpha === 0.5) return unit(Float64Array.from({ length: n }, random.uniform));
  return unit(Float64Array.from({ length: n }, (_, i) => (i < Math.round(n ** (2 * alpha)) ? 1 : 0)));
}

function samplesOf(u: Float64Array, p: number, theta: number, seed: number): Matrix64 {
  const random = createRandom(seed, 'theorem 1 codes');
  const Y = zeros(p, u.length);
  for (let j = 0; j < p; j++) {
    const y = row(Y, j);
    for (let i = 0; i < y.length; i++) y[i] = random.uniform() < theta ? 1 + random.uniform() : 0;
    reflect(y, u);
  }
  return Y;
}

export async function theorem1Trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { n, theta } = point;
  const p = samplesAt(point);
  const u = reflectorOf(point, seed);
  const Y = samplesOf(u, p, theta, seed);
  const g = theta ** 2 * MEAN ** 2 * p;
  const c = u.reduce((sum, value) => sum + value, 0);
  const found = listedAlgorithm1(Y, theta * MEAN);
  const error = largest(u, (value, i) => found.u[i] - value);
  const bounds = boundsOf(
    n,
    c,
    largest(u, (value) => value),
    g,
  );
  const t4 = Math.sqrt(4 / (8 * c ** 2 * g));
  const beyond = (t: number) => u.filter((value, i) => Math.abs(found.scaled[i] / (2 * c) - value) >= t).length / n;
  const t3 = Math.sqrt(Math.log(2 / DELTA) / (8 * g));
  return {
    samples: p,
    error,
    relative: c * error,
    ...bounds,
    overPrinted: error / bounds.printed,
    overCorrected: error / bounds.corrected,
    entries: beyond(t4),
    entriesCorrected: beyond(2 * t4),
    square: Math.abs(found.c ** 2 - c ** 2) / t3,
    sum: Math.abs(found.c - c) / t3,
    ...(await timesOf(Y, theta, seed, signal)),
  };
}

function boundsOf(n: number, c: number, most: number, g: number) {
  const [each, once] = [Math.log((4 * n) / DELTA), Math.log(4 / DELTA)];
  return {
    printed: Math.sqrt(Math.max(each / 2, 8 * most ** 2 * once) / (c ** 2 * g)),
    corrected: Math.sqrt(Math.max(2 * each, (32 * n * most ** 2 * once) / c ** 2) / (c ** 2 * g)),
  };
}

function largest(u: Float64Array, valueAt: (value: number, i: number) => number): number {
  return u.reduce((most, value, i) => Math.max(most, Math.abs(valueAt(value, i))), 0);
}

/** Nanoseconds per number of Y, and per number and reflector. */
async function timesOf(Y: Matrix64, theta: number, seed: number, signal: AbortSignal): Promise<Measured> {
  const numbers = Y.rows * Y.cols;
  const start = unitRows(normalMatrix(REFLECTORS, Y.cols, createRandom(seed, 'theorem 1 start')));
  const listing = { image: 'text', normalise: true } as const;
  const options = { reflectors: REFLECTORS, theta, mean: MEAN, refine: 'none', start } as const;
  const repeats = numbers > FEW_NUMBERS ? 1 : REPEATS;
  const one = await fastest(repeats, () => listedAlgorithm1(Y, theta * MEAN));
  const listed = await fastest(repeats, () => listedAlgorithm3(Y, theta * MEAN, start, listing));
  const ours = await fastest(repeats, () => learnHouseholder(Y, options, { signal }));
  return {
    time1: one / numbers,
    time3: listed / (numbers * REFLECTORS),
    timeOurs: ours / (numbers * REFLECTORS),
  };
}

async function fastest(repeats: number, run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < repeats; k++) {
    const began = performance.now();
    await run();
    least = Math.min(least, 1e6 * (performance.now() - began));
  }
  return least;
}
