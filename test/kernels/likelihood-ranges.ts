/**
 * What a likelihood may make of codes x that are off by up to δ. Not of first order, as other bounds are: where δ is not small
 * relative to the spike, r may be anything. In the letters of LikelihoodResponse, with
 *
 *     a = log((1−θ)/θ) + ½ log(s²/t²),   b = spike/s²,   m = spike·d,   w = ½ d x²,   r = 1/(1 + exp(w − a))
 *
 * Where a result is not monotonic in |x| and c², its range is made of the ranges of its terms and factors, which is wider.
 */
import type { Precision } from '#src/core/matrix.ts';
import type { LikelihoodResponse } from '#src/kernels/kernels.ts';

/** How far the possible results are apart, and how large they can be. */
export interface Range {
  readonly width: number;
  readonly most: number;
}

/** For one code. */
export interface LikelihoodRange {
  readonly phi: Range;
  /** r */
  readonly value: Range;
  /** r x²/c² */
  readonly energy: Range;
  /** φ'(x) = b + m r − 2 m w r(1 − r) */
  readonly slope: Range;
  /** Whether rounding decides if the sample is dropped. */
  readonly undecided: boolean;
}

/** Relative rounding of w, and of a and r: a few operations and a power of two. */
const ROUNDING: Record<Precision, number> = { f32: 12 * 2 ** -24, f64: 12 * 2 ** -53 };
/** A kernel may give this in place of a smaller r. */
const LEAST: Record<Precision, number> = { f32: 2 ** -124, f64: 2 ** -1020 };

/** Where w is larger, r is LEAST or smaller, and no product of the two matters. */
const MOST_W = 2000;

/** The ranges of all codes of a sample. */
export function likelihoodRanges(
  X: Float64Array,
  deltas: Float64Array,
  response: LikelihoodResponse,
  precision: Precision,
): LikelihoodRange[] {
  const { leastEnergy = 0 } = response;
  const nearest = X.map((x, i) => Math.max(0, Math.abs(x) - deltas[i]));
  const farthest = X.map((x, i) => Math.abs(x) + deltas[i]);
  const [least, most] = [energyOf(nearest), energyOf(farthest)];
  const none = { phi: nothing, value: nothing, energy: nothing, slope: nothing, undecided: false };
  if (most <= leastEnergy) return Array.from(X, () => none);
  const undecided = least <= leastEnergy;
  const [small, large] = [numbersOf(response, least), numbersOf(response, most)];
  return Array.from(X, (_, i) => {
    const ranges = rangesOf([nearest[i], farthest[i]], small, large, precision);
    return { ...(undecided ? whole(ranges) : ranges), undecided };
  });
}

const nothing: Range = { width: 0, most: 0 };
const energyOf = (codes: Float64Array): number => codes.reduce((sum, x) => sum + x * x, 0);

type Ranges = Omit<LikelihoodRange, 'undecided'>;
type Numbers = ReturnType<typeof numbersOf>;

/** a, b, d and m fall as the energy of the sample grows. */
function numbersOf({ theta, spike, slab, spread, meanEnergy }: LikelihoodResponse, energy: number) {
  const c2 = spread === undefined ? 1 : (energy / meanEnergy + spread) / (1 + spread);
  const s2 = Math.max(slab, 1.01 * spike * c2);
  const d = 1 / (spike * c2) - 1 / s2;
  const logOdds = Math.log((1 - theta) / theta);
  const a = logOdds + 0.5 * Math.log(s2 / (spike * c2));
  return { c2, d, a, b: spike / s2, m: spike * d, logOdds };
}

/** The ranges of a code, between the numbers of a small and of a large energy. */
function rangesOf([x0, x1]: [number, number], small: Numbers, large: Numbers, precision: Precision): Ranges {
  const rounding = ROUNDING[precision];
  const ofA = rounding * Math.max(Math.abs(small.a), Math.abs(large.a), Math.abs(small.logOdds));
  const [w0, w1] = [0.5 * large.d * x0 * x0, 0.5 * small.d * x1 * x1];
  const r0 = 1 / (1 + Math.exp(w1 * (1 + rounding) - large.a + ofA));
  const r1 = Math.max(1 / (1 + Math.exp(w0 * (1 - rounding) - small.a - ofA)), LEAST[precision]);
  const shares = [r0 * (1 - r0), r1 * (1 - r1), ...(r0 < 0.5 && r1 > 0.5 ? [0.25] : [])];
  const weight = between(large.b + large.m * r0, small.b + small.m * r1);
  const bend = between(
    2 * large.m * w0 * Math.min(...shares),
    2 * small.m * Math.min(w1, MOST_W) * Math.max(...shares),
  );
  const leastPhi = (large.b + large.m * r0) * x0;
  const mostPhi = weight.most * x1;
  return {
    phi: between(x0 === 0 ? -mostPhi : leastPhi, mostPhi), // a code near zero may have either sign
    value: between(r0, r1),
    energy: between((r0 * x0 * x0) / large.c2, (r1 * Math.min(x1 * x1, (2 * MOST_W) / large.d)) / small.c2),
    slope: { width: weight.width + bend.width, most: weight.most + bend.most },
  };
}

const between = (least: number, most: number): Range => ({ width: most - least, most });

/** From nothing on. */
const whole = ({ phi, value, energy, slope }: Ranges): Ranges => ({
  phi: { width: 2 * phi.most, most: phi.most },
  value: { width: value.most, most: value.most },
  energy: { width: energy.most, most: energy.most },
  slope: { width: 2 * slope.most, most: slope.most },
});
