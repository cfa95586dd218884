/** Where the ascent of variance.ts stands: loadings, their scores and V, and the changes that raise it. */
import { copy, dot, type Matrix64, range, row, selectRows, zeros } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { adjustedVariances } from './components.ts';
import { sharedCounts } from './counts.ts';
import {
  type Component,
  combineRows,
  outside,
  type Sides,
  spanOf,
  truncate,
  truncatedPower,
} from './truncated-power.ts';

/** Columns of R, the strongest that the other components leave, from which a component is looked for. */
const COLUMNS = 3;
/** Steps of the truncated power method, from the best of several starts and to find out which that is. */
const STEPS = 200;
const TRIAL_STEPS = 4;
/** Relative gain of V for which a component is replaced: less is what the power method leaves unfinished. */
const LEAST_GAIN = 1e-7;

export interface Problem extends Sides {
  readonly kernels: Kernels;
  readonly price: number;
  /** Non-zeros of all components together, if they are shared. */
  readonly total: number | undefined;
}

/** Loadings, their scores (m×r) and what they are worth. */
export interface Place {
  readonly loadings: Matrix64;
  readonly scores: Matrix64;
  readonly counts: Float64Array;
  readonly objective: number;
}

export function placeOf(problem: Problem, loadings: Matrix64, counts: Float64Array): Place {
  const scores = problem.kernels.multiply(loadings, problem.R, 'nt');
  return { loadings, scores, counts, objective: worthOf(problem, loadings, scores) };
}

/** V. */
function worthOf({ price }: Problem, loadings: Matrix64, scores: Matrix64): number {
  const squares = range(scores.rows).map((i) => dot(row(scores, i), row(scores, i)));
  const order = range(scores.rows).sort((a, b) => squares[b] - squares[a]);
  const adjusted = adjustedVariances(selectRows(scores, order)).reduce((sum, v) => sum + v, 0);
  return price > 0 ? adjusted - price * loadings.data.filter((z) => z !== 0).length : adjusted;
}

/** A component that adds more to the others, from the one that is there. */
export function improveOne(problem: Problem, place: Place, i: number): Place {
  const found = search(problem, place, i, [row(place.scores, i)]);
  return better(withRow(problem, place, i, found), place);
}

/** The component that adds most to the others, from all starts. */
export function replaceOne(problem: Problem, place: Place, i: number): Place {
  const starts = [row(place.scores, i), ...startsBeside(problem, spanOf(place.scores, i))];
  const replaced = better(withRow(problem, place, i, search(problem, place, i, starts)), place);
  return replaced === place ? improveOne(problem, place, i) : replaced;
}

/** From the best of several starts. */
function search(problem: Problem, place: Place, i: number, starts: readonly Float64Array[]): Component | undefined {
  const Q = spanOf(place.scores, i);
  const limit = { count: place.counts[i], price: problem.price };
  const tried = starts.flatMap((start) => truncatedPower(problem, Q, start, limit, TRIAL_STEPS) ?? []);
  if (tried.length === 0) return undefined;
  const best = tried.reduce((most, each) => (each.value > most.value ? each : most));
  return truncatedPower(problem, Q, best.u, limit, STEPS);
}

const better = (a: Place, b: Place): Place => (a.objective > b.objective + LEAST_GAIN * Math.abs(b.objective) ? a : b);

/** The strongest columns of R that Q leaves, and a few steps towards the strongest dense component. */
function startsBeside(problem: Problem, Q: Matrix64): Float64Array[] {
  const { columns } = problem;
  const left = range(columns.rows).map((k) => squareOutside(row(columns, k), Q));
  const order = range(columns.rows).sort((a, b) => left[b] - left[a] || a - b);
  const strongest = order.slice(0, COLUMNS).map((k) => row(columns, k));
  const dense = truncatedPower(problem, Q, strongest[0], { count: columns.rows, price: 0 }, TRIAL_STEPS);
  return dense ? [...strongest, dense.u] : strongest;
}

function squareOutside(v: Float64Array, Q: Matrix64): number {
  let square = dot(v, v);
  for (let i = 0; i < Q.rows; i++) square -= dot(row(Q, i), v) ** 2;
  return square;
}

/** With another component i; none: the same place. */
function withRow(
  problem: Problem,
  place: Place,
  i: number,
  found: Component | undefined,
  count = place.counts[i],
): Place {
  if (!found) return place;
  const { columns } = problem;
  const [loadings, scores, counts] = [copy(place.loadings), copy(place.scores), place.counts.slice()];
  row(loadings, i).set(unit(found.kept));
  row(scores, i).set(combineRows(row(loadings, i), columns));
  counts[i] = count;
  return { loadings, scores, counts, objective: worthOf(problem, loadings, scores) };
}

/** p_i = u_i R of every component, m×n, where u_i is its score less what the others explain. */
function entriesOf(problem: Problem, { scores, loadings }: Place): Matrix64 {
  const P = zeros(loadings.rows, loadings.cols);
  for (let i = 0; i < P.rows; i++) {
    const u = outside(row(scores, i), spanOf(scores, i));
    if (u) row(P, i).set(combineRows(u, problem.R));
  }
  return P;
}

/** Counts that follow the entries, and components that follow the counts, if V rises. */
export function shareAgain(problem: Problem, place: Place, total: number): Place {
  const counts = sharedCounts(entriesOf(problem, place), total);
  let moved = place;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === place.counts[i]) continue;
    const limit = { count: counts[i], price: problem.price };
    const found = truncatedPower(problem, spanOf(moved.scores, i), row(moved.scores, i), limit, STEPS);
    moved = withRow(problem, moved, i, found, counts[i]);
  }
  return better(moved, place);
}

/** The first rows of R, truncated. */
export function principalPlace(problem: Problem, counts: Float64Array): Place {
  const { R, price } = problem;
  const loadings = zeros(counts.length, R.cols);
  for (let i = 0; i < counts.length; i++) {
    const kept = row(R, i).slice();
    if (truncate(kept, { count: counts[i], price }) > 0) row(loadings, i).set(unit(kept));
  }
  return placeOf(problem, loadings, counts);
}

/** Half-way between the smallest magnitude that every component keeps and the next; 0 if it keeps all. */
export function thresholdsOf(problem: Problem, place: Place): Float64Array {
  const { price } = problem;
  if (price > 0) return place.counts.map(() => Math.sqrt(price));
  const P = entriesOf(problem, place);
  return place.counts.map((count, i) => {
    const sizes = row(P, i).map(Math.abs).sort().reverse();
    return count < sizes.length ? (sizes[count - 1] + sizes[count]) / 2 : 0;
  });
}

function unit(v: Float64Array): Float64Array {
  const factor = 1 / Math.sqrt(dot(v, v));
  return v.map((x) => x * factor);
}
