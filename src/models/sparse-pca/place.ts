/** The state of the ascent in variance.ts: loadings, their images and V, and the changes that raise V. */
import { copy, type Matrix64, range, row, zeros } from '../../core/matrix.ts';
import { sharedCounts } from './counts.ts';
import type { CovarianceOperator } from './covariance.ts';
import { factorOf, type Rest, restOf, variancesLeft } from './rest.ts';
import {
  coordinateVector,
  emptyVector,
  type SparseVector,
  sparseDot,
  sparseVector,
  squareOf,
} from './sparse-vector.ts';
import {
  type Component,
  follow,
  type Limit,
  magnitudeAt,
  type PowerLimits,
  truncate,
  truncatedPower,
} from './truncated-power.ts';

/** Number of strongest remaining features from which a component is searched for: one step from each, a few from the best. */
const FEATURES = 8;
const FOLLOWED = 3;
const TRIAL = { maxSteps: 4, tolerance: 1e-5 };
/** Effort from the best of all starts. */
const ROUGH = { maxSteps: 200, tolerance: 1e-5 };
/** Effort once no other component is better. */
const FINE = { maxSteps: 200, tolerance: 1e-10 };
/** Least relative gain of V for which a component is replaced: the power method may leave smaller gains unfinished. */
const LEAST_GAIN = 1e-5;

export interface VarianceProblem {
  readonly C: CovarianceOperator;
  readonly price: number;
  /** Number of non-zeros of all components together, if they are shared. */
  readonly total: number | undefined;
}

/** Loadings Z (m×n), images Z C (m×n), G = Z C Zᵀ (m×m), and the value V. */
export interface Place {
  readonly loadings: Matrix64;
  readonly images: Matrix64;
  readonly G: Matrix64;
  /** Number of non-zeros that each component may have. */
  readonly counts: Float64Array;
  readonly objective: number;
}

export function placeOf(problem: VarianceProblem, loadings: Matrix64, counts: Float64Array): Place {
  const { rows: m, cols: n } = loadings;
  const [images, G] = [zeros(m, n), zeros(m, m)];
  for (let i = 0; i < m; i++) setImage(problem, loadings, images, G, i);
  return { loadings, images, G, counts, objective: worthOf(problem, loadings, G) };
}

/** Updates row i of the images, and row and column i of G, in place. */
function setImage({ C }: VarianceProblem, loadings: Matrix64, images: Matrix64, G: Matrix64, i: number): void {
  const z = sparseVector(row(loadings, i));
  C.times(z, row(images, i));
  for (let j = 0; j < G.rows; j++) {
    const moment = sparseDot(z, images.data, j * images.cols);
    G.data[i * G.cols + j] = moment;
    G.data[j * G.cols + i] = moment;
  }
}

/** The value V of loadings. */
function worthOf({ price }: VarianceProblem, loadings: Matrix64, G: Matrix64): number {
  const variance = (i: number) => G.data[i * G.cols + i];
  const L = factorOf(
    G,
    range(G.rows).sort((a, b) => variance(b) - variance(a)),
  );
  let worth = 0;
  for (let i = 0; i < L.rows; i++) worth += L.data[i * L.cols + i] ** 2;
  return price > 0 ? worth - price * loadings.data.filter((z) => z !== 0).length : worth;
}

const restBeside = ({ C }: VarianceProblem, { images, G }: Place, i: number): Rest =>
  restOf(
    C,
    images,
    G,
    range(G.rows).filter((j) => j !== i),
  );

const loadingOf = ({ loadings }: Place, i: number): SparseVector => sparseVector(row(loadings, i));

/** Improves component i, starting from the present one. */
export function improveOne(problem: VarianceProblem, place: Place, i: number): Place {
  return better(moveOne(problem, place, i, ROUGH), place);
}

/** Improves component i to the last digits. */
export function finishOne(problem: VarianceProblem, place: Place, i: number): Place {
  const moved = moveOne(problem, place, i, FINE);
  return moved.objective > place.objective ? moved : place;
}

function moveOne(
  problem: VarianceProblem,
  place: Place,
  i: number,
  limits: PowerLimits,
  count = place.counts[i],
): Place {
  const limit = { count, price: problem.price };
  const found = truncatedPower(restBeside(problem, place, i), loadingOf(place, i), limit, limits);
  return withRow(problem, place, i, found, count);
}

/** Replaces component i by the one that adds most to the others, from all starts. */
export function replaceOne(problem: VarianceProblem, place: Place, i: number): Place {
  const rest = restBeside(problem, place, i);
  const limit = { count: place.counts[i], price: problem.price };
  const tried = (start: SparseVector) => truncatedPower(rest, start, limit, TRIAL) ?? [];
  const own = [loadingOf(place, i)].flatMap(tried);
  const others = startsIn(rest, limit).flatMap(tried);
  const [best] = [...own, ...others].sort((a, b) => b.value - a.value);
  for (const { kept } of best === own[0] ? own : [best, ...own]) {
    const next = better(withRow(problem, place, i, truncatedPower(rest, kept, limit, ROUGH)), place);
    if (next !== place) return next;
  }
  return place;
}

const better = (a: Place, b: Place): Place => (a.objective > b.objective + LEAST_GAIN * Math.abs(b.objective) ? a : b);

/** The features from which one step leads furthest, and a few steps from there towards the strongest dense component. */
function startsIn(rest: Rest, limit: Limit): SparseVector[] {
  const n = rest.C.features;
  const room = emptyVector(n);
  const led = strongestFeatures(rest).flatMap((k) => {
    const z = coordinateVector(n, k);
    return follow(rest, z) > 0 ? { z, value: truncate(rest.p, limit, room) } : [];
  });
  led.sort((a, b) => b.value - a.value);
  const features = led.slice(0, FOLLOWED).map(({ z }) => z);
  const dense = features.length > 0 && truncatedPower(rest, features[0], { count: n, price: 0 }, TRIAL);
  return dense ? [...features, dense.kept] : features;
}

function strongestFeatures(rest: Rest): number[] {
  const left = variancesLeft(rest);
  const least = magnitudeAt(left, FEATURES);
  return range(left.length)
    .filter((k) => left[k] >= least)
    .slice(0, FEATURES);
}

/** The state with another component i; unchanged if there is none. */
function withRow(
  problem: VarianceProblem,
  place: Place,
  i: number,
  found: Component | undefined,
  count = place.counts[i],
): Place {
  if (!found) return place;
  const [loadings, images, G, counts] = [copy(place.loadings), copy(place.images), copy(place.G), place.counts.slice()];
  setUnit(row(loadings, i), found.kept);
  setImage(problem, loadings, images, G, i);
  counts[i] = count;
  return { loadings, images, G, counts, objective: worthOf(problem, loadings, G) };
}

/** Sets out ← x/‖x‖. */
function setUnit(out: Float64Array, x: SparseVector): void {
  const factor = 1 / Math.sqrt(squareOf(x));
  out.fill(0);
  for (let j = 0; j < x.size; j++) out[x.at[j]] = factor * x.values[j];
}

/** The entries p_i of every component, m×n. */
function entriesOf(problem: VarianceProblem, place: Place): Matrix64 {
  const P = zeros(place.loadings.rows, place.loadings.cols);
  for (let i = 0; i < P.rows; i++) {
    const rest = restBeside(problem, place, i);
    if (follow(rest, loadingOf(place, i)) > 0) row(P, i).set(rest.p);
  }
  return P;
}

/** Redistributes the non-zeros by the entries and refits the components, if that raises V. */
export function shareAgain(problem: VarianceProblem, place: Place, total: number): Place {
  const counts = sharedCounts(entriesOf(problem, place), total);
  let moved = place;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === place.counts[i]) continue;
    moved = moveOne(problem, moved, i, ROUGH, counts[i]);
  }
  return better(moved, place);
}

/** The state of the truncated principal components, the first rows of R. */
export function principalPlace(problem: VarianceProblem, R: Matrix64, counts: Float64Array): Place {
  const loadings = zeros(counts.length, R.cols);
  for (let i = 0; i < counts.length; i++) {
    const kept = emptyVector(R.cols);
    if (truncate(row(R, i), { count: counts[i], price: problem.price }, kept) > 0) setUnit(row(loadings, i), kept);
  }
  return placeOf(problem, loadings, counts);
}

/** The threshold of each component: half-way between the smallest magnitude it keeps and the next; 0 if it keeps all. */
export function thresholdsOf(problem: VarianceProblem, place: Place): Float64Array {
  const { price } = problem;
  if (price > 0) return place.counts.map(() => Math.sqrt(price));
  const P = entriesOf(problem, place);
  return place.counts.map((count, i) => {
    const sizes = row(P, i).map(Math.abs).sort().reverse();
    return count < sizes.length ? (sizes[count - 1] + sizes[count]) / 2 : 0;
  });
}
