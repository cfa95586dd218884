/**
 * Turns the moment estimate into the exact dictionary, with the zeros of the codes.
 *
 *     Y = X + L,  L = (V − I)X of rank ≤ m:   rank-one start → zeros and low rank together → polish → orthogonality → V
 *
 * How many reflectors can be found: each feature has m coefficients and (1−θ)p zeros, so m must stay a few below
 * (1−θ)p. If it does not, only the strongest reflectors are fitted; the full number is also tried, and accepted if it
 * is exact.
 *
 * A result is accepted only if X = Y − L has the inner products of Y, which the fit of L does not enforce, and the
 * codes become clearly sparser. Otherwise the moment estimate is kept and the reason given.
 *
 * A fit to certain zeros may misread features with few of them, and then the moment estimate is better. So for one
 * reflector that is not exact, the zeros and the mean of the codes are weighed by their likelihood instead
 * (rank-one-posterior.ts), if the data shows that codes with zeros are more likely than normal ones.
 */
import type { Pause } from '../../core/breathe.ts';
import { dot, type Matrix, type Matrix64, row } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { eigh } from '../../linalg/eigh.ts';
import { reflectBack } from '../../linalg/reflectors.ts';
import { completeByOrthogonality } from './complete-by-orthogonality.ts';
import { type Features, shareOf } from './features.ts';
import { fitLowRank, type LowRank } from './low-rank.ts';
import { lowRankReflectors, orthogonalityDefect } from './low-rank-reflectors.ts';
import { unit } from './moments.ts';
import { polish } from './polish.ts';
import { type RankOne, type RankOnePosterior, type RestOfSamples, rankOnePosterior } from './rank-one-posterior.ts';
import { type RankOneStart, rankOneStart, zeroStart } from './rank-one-start.ts';

export interface RefineInput {
  /** Some of the samples, p×n. */
  readonly samples: Matrix;
  /** The moment estimate; no rows if moments identify nothing. */
  readonly estimate: Matrix64;
  readonly thetaMu: number | undefined;
  /** The mean of the samples that are not among these, and their number. */
  readonly rest: RestOfSamples | undefined;
  /** Accept only an exact result. */
  readonly exactOnly: boolean;
  /** Number of reflectors wanted. */
  readonly reflectors: number;
}

export interface RefineOutcome {
  /** The refined reflectors, or the estimate. */
  readonly reflectors: Matrix64;
  readonly refined: boolean;
  /** Whether the zeros of the codes are zero up to rounding. */
  readonly exact: boolean;
  readonly iterations: number;
  /** What was done, or why nothing was done. */
  readonly note: string;
}

/** Zeros a feature must have beyond its coefficients, on average, for a fit that is not exact. */
const SPARE_ZEROS = 3;
/** Largest defect of an exact fit, and of a fit that is accepted at all. */
const EXACT_DEFECT = 1e-8;
const BELIEVABLE_DEFECT = 0.1;
/** The size of the codes must fall below this factor. */
const SPARSER = 0.98;
/** Limit of the size of the codes for an exact result: no larger, except for rounding. */
const AS_SPARSE = 1 + 1e-9;
/** The size of a code is capped at this many root mean squares. */
const CAP = 0.5;
/** Least signal-to-noise ratio of a component. */
const CLEAR = 2;
/** Largest n·p·r² of an iteration. */
const MOST_WORK = 2e9;
/**
 * Log-likelihood that codes with zeros must have beyond normal ones: per logarithm of the number of entries, since they
 * have more parameters, and per entry. Below it, errors of the model of the codes cost as much as zeros gain:
 * with noise at 5 dB and θ = .7 a sparse u is 5 % further off, others 5 % nearer.
 */
const EVIDENCE = { perLogarithm: 3, perEntry: 0.012 };
/** Least share of zeros. */
const LEAST_ZEROS = 0.05;
const NO_ZEROS = 'the codes show no zeros to refine with';

interface Attempt {
  readonly found: LowRank;
  readonly defect: number;
}

export async function refineReflectors(input: RefineInput, kernels: Kernels, pause: Pause): Promise<RefineOutcome> {
  const { estimate, reflectors: wanted, exactOnly } = input;
  const kept = (note: string, iterations = 0): RefineOutcome => {
    return { reflectors: estimate, refined: false, exact: false, iterations, note };
  };
  const features = featuresOf(input);
  const { count: n, samples: p } = features;
  const start = estimate.rows > 0 ? startFrom(features, input) : zeroStart(features);
  const zerosPerFeature = shareOf(start.zeros) * p;
  const most = Math.min(wanted, n, p - 1, Math.floor(Math.sqrt(MOST_WORK / (n * p))));
  const safe = Math.min(most, Math.floor(zerosPerFeature - SPARE_ZEROS));
  if (safe < 1 && wanted > 1)
    return kept(`each feature has about ${zerosPerFeature.toFixed(1)} zeros in ${p} samples, too few to refine with`);
  const ranks = safe < 1 ? [] : ranksToTry(safe, Math.min(most, Math.floor(zerosPerFeature)));
  const attempt = await bestAttempt(features, start, ranks, kernels, pause);
  const believable = attempt && attempt.defect < BELIEVABLE_DEFECT ? attempt : undefined;
  const exact = isExact(attempt);
  if (!exact && exactOnly) return kept('not exact');
  if (!exact && wanted === 1) {
    return (await weighOne(features, input, believable, pause)) ?? kept(NO_ZEROS, attempt?.found.iterations);
  }
  if (!believable) return kept(NO_ZEROS, attempt?.found.iterations);
  const outcome = outcomeOf(features, believable, wanted, kernels);
  return isSparser(input, outcome) ? outcome : kept('the zeros of the codes did not get clearer', outcome.iterations);
}

const isExact = (attempt: Attempt | undefined): boolean => attempt !== undefined && attempt.defect < EXACT_DEFECT;

/** Tries ranks until one is exact, and a single reflector where none is; returns the attempt nearest to orthogonality. */
async function bestAttempt(
  features: Features,
  start: RankOneStart,
  ranks: readonly number[],
  kernels: Kernels,
  pause: Pause,
): Promise<Attempt | undefined> {
  let best: Attempt | undefined;
  for (const rank of ranks) {
    best = better(best, await attemptRank(features, start, rank, kernels, pause));
    if (isExact(best)) break;
  }
  const hasSeveral = ranks.length > 0 && ranks[0] > 1;
  if (!hasSeveral || best?.found.exact) return best;
  return better(best, await attemptRank(features, start, 1, kernels, pause));
}

/** Whether the codes of an outcome are clearly sparser than those of the estimate. */
function isSparser({ samples, estimate }: RefineInput, { reflectors, exact }: RefineOutcome): boolean {
  const share = exact && estimate.rows > 0 ? AS_SPARSE : SPARSER; // the estimate may be exact itself, if it was given
  return cappedSize(samples, reflectors) < share * cappedSize(samples, estimate);
}

function outcomeOf(features: Features, { found, defect }: Attempt, wanted: number, kernels: Kernels): RefineOutcome {
  const reflectors = lowRankReflectors(features, found, kernels);
  const exact = defect < EXACT_DEFECT;
  const fewer = reflectors.rows < wanted ? `, ${reflectors.rows} of ${wanted} reflectors` : '';
  const zeros = `zeros ${(100 * shareOf(found.zeros)).toFixed(0)} % of the codes`;
  const note = `${zeros}, ${exact ? 'exact' : `known to ${found.spread.toExponential(1)}`}${fewer}`;
  return { reflectors, refined: true, exact, iterations: found.iterations, note };
}

/** A low-rank part of rank one as two vectors. */
function vectorsOf({ coefficients, loadings }: LowRank): RankOne {
  return { coefficients: coefficients.data, loadings: loadings.data };
}

/** The mean of the remaining samples, in the units of the features. */
function scaledRest({ samples, rest }: RefineInput): RestOfSamples | undefined {
  const scale = 1 / rootMeanSquare(samples.data);
  return rest && { ...rest, mean: rest.mean.map((value) => value * scale) };
}

/**
 * One reflector by the likelihood of its codes, if they are clearly more likely to have zeros than to be normal; from the moment
 * estimate and from a believable fit.
 */
async function weighOne(
  features: Features,
  input: RefineInput,
  believable: Attempt | undefined,
  pause: Pause,
): Promise<RefineOutcome | undefined> {
  const starts = [
    ...(input.estimate.rows > 0 ? [momentShare(input)] : []),
    ...(believable ? [vectorsOf(believable.found)] : []),
  ];
  if (starts.length === 0) return undefined;
  const rest = scaledRest(input);
  const fits: RankOnePosterior[] = [];
  for (const start of starts) fits.push(await rankOnePosterior(features, start, rest, 'sparse', pause));
  const sparse = fits.reduce((best, fit) => (fit.evidence > best.evidence ? fit : best));
  const normal = await rankOnePosterior(features, starts[0], rest, 'normal', pause);
  const gain = sparse.evidence - normal.evidence;
  const entries = features.values.length;
  const least = Math.max(EVIDENCE.perLogarithm * Math.log(entries), EVIDENCE.perEntry * entries);
  if (!(gain > least) || sparse.zeroShare < LEAST_ZEROS) return undefined;
  const reflectors = { rows: 1, cols: features.count, data: unit(sparse.coefficients) };
  const zeros = `zeros about ${(100 * sparse.zeroShare).toFixed(0)} % of the codes`;
  const note = `${zeros}, combined with their mean at a noise of ${sparse.noise.toExponential(1)}`;
  return { reflectors, refined: true, exact: false, iterations: sparse.iterations, note };
}

/**
 * From the safe number of reflectors to the greatest possible, in steps of two; the orthogonality of the results
 * decides.
 */
function ranksToTry(safe: number, most: number): number[] {
  const ranks: number[] = [];
  for (let rank = safe; rank < most; rank += 2) ranks.push(rank);
  return [...ranks, most];
}

function better(a: Attempt | undefined, b: Attempt | undefined): Attempt | undefined {
  return a && b ? (b.defect < a.defect ? b : a) : (a ?? b);
}

async function attemptRank(
  features: Features,
  start: RankOneStart,
  rank: number,
  kernels: Kernels,
  pause: Pause,
): Promise<Attempt | undefined> {
  const loadings = principalLoadings(features, start, rank, kernels);
  let found = await fitLowRank(features, start, loadings, rank, pause);
  if (!found) return undefined;
  const clear = clearComponents(found, features.samples);
  if (clear < rank) return clear > 0 ? attemptRank(features, start, clear, kernels, pause) : undefined;
  const plain = { found, defect: orthogonalityDefect(features, found, kernels) };
  if (!found.exact) return plain;
  found = completeByOrthogonality(features, await polish(features, found, pause));
  const polished = { found, defect: orthogonalityDefect(features, found, kernels) };
  return polished.defect < plain.defect ? polished : plain;
}

/** How many components stand out from the noise: the signal of a coefficient is ‖c_k‖², its noise s² over the zeros. */
function clearComponents({ rank, loadings: C, zeros, spread }: LowRank, p: number): number {
  const noise = spread ** 2 / shareOf(zeros);
  let clear = 0;
  for (let k = 0; k < rank; k++) {
    let energy = 0;
    for (let j = 0; j < p; j++) energy += C.data[j * rank + k] ** 2;
    if (energy > CLEAR * noise) clear++;
  }
  return clear;
}

/** Samples by feature, in units of their root mean square. */
function featuresOf({ samples: { rows: p, cols: n, data }, thetaMu }: RefineInput): Features {
  const scale = 1 / rootMeanSquare(data);
  const values = new Float64Array(n * p);
  for (let j = 0; j < p; j++) for (let i = 0; i < n; i++) values[i * p + j] = data[j * n + i] * scale;
  return { count: n, samples: p, values, codeMean: thetaMu === undefined ? undefined : thetaMu * scale };
}

function startFrom(features: Features, input: RefineInput): RankOneStart {
  const { coefficients, loadings } = momentShare(input);
  return rankOneStart(features, coefficients, loadings);
}

/** The rank-one part that the estimate Ṽ has: a = the mean of y − Ṽᵀy, w_j = its share in sample j. */
function momentShare({ samples, estimate }: RefineInput): RankOne {
  const { rows: p, cols: n } = samples;
  const moved = Array.from({ length: p }, (_, j) => {
    const y = Float64Array.from(row(samples, j));
    const back = y.slice();
    reflectBack(estimate, back);
    return y.map((value, i) => value - back[i]);
  });
  const a = new Float64Array(n);
  for (const part of moved) for (let i = 0; i < n; i++) a[i] += part[i] / p;
  const energy = dot(a, a);
  const scale = 1 / rootMeanSquare(samples.data);
  return { coefficients: a, loadings: Float64Array.from(moved, (part) => (scale * dot(a, part)) / energy) };
}

/** p×r: principal axes of the samples' zeros, with the start in place of the other codes. */
function principalLoadings(features: Features, start: RankOneStart, rank: number, kernels: Kernels): Float64Array {
  const { count: n, samples: p, values } = features;
  const filled = values.map((value, at) => (start.zeros[at] ? value : start.fit[at]));
  const { values: energies, vectors } = eigh(
    kernels.covariance({ rows: n, cols: p, data: filled }, { scale: 1 }, 'f64'),
  );
  const loadings = new Float64Array(p * rank);
  for (let k = 0; k < rank; k++) {
    const size = Math.sqrt(Math.max(energies[k], energies[0] * 1e-12) / n);
    for (let j = 0; j < p; j++) loadings[j * rank + k] = size * vectors.data[k * p + j];
  }
  return loadings;
}

/** Mean of min(|x|, cap) over the codes. */
function cappedSize(samples: Matrix, reflectors: Matrix64): number {
  const cap = CAP * rootMeanSquare(samples.data);
  let sum = 0;
  for (let j = 0; j < samples.rows; j++) {
    const x = Float64Array.from(row(samples, j));
    reflectBack(reflectors, x);
    for (let i = 0; i < x.length; i++) sum += Math.min(Math.abs(x[i]), cap);
  }
  return sum;
}

function rootMeanSquare(data: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += data[at] ** 2;
  return Math.sqrt(sum / data.length);
}
