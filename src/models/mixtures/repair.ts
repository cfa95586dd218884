/**
 * Repair of a mixture whose moments do not determine it: clusters without samples, two clusters where there is one, or
 * one where there are two. The cluster that is missed least moves to where one more is needed most. With r_li the
 * memberships, and among the n_j samples nearest to mean j the largest variance v_j, in direction u_j:
 *
 *     loss_i = −Σ_l ln(1 − r_li)                        what the log-likelihood loses without cluster i
 *     gain_j = n_j (½ (v_j/σ² − 1) − ln 2)              what it gains if j is two clusters apart along u_j
 *     μ_i, μ_j ← μ_j ± √(v_j − σ²) u_j                  if gain_j > loss_i, or if cluster i has no samples
 *
 * Clusters have one variance here. A few steps of expectation maximisation follow. The move is kept if the samples are likelier after them; that of a
 * cluster without samples, if they are not less likely.
 */
import { copy, type Matrix64, norm, row, zeros } from '../../core/matrix.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { finite, flag, matrix, whole } from '../../engine/state-shape.ts';
import { type StopRule, stopAfterIterations } from '../../engine/stop.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { LEAST_SAMPLES } from './doubt.ts';
import { expect, type MixtureData } from './expectation-maximisation.ts';
import { largestAt, shareOut } from './expectation-pass.ts';
import { type Mixture, meanVarianceOf, mixtureOf, naturalOf, statisticsOf } from './statistics.ts';

/** Steps of expectation maximisation after each move. */
const STEPS = 10;
/** Moves that fail in a row before it ends, and moves in all, for each cluster. */
const MAX_FAILURES = 3;
const MOVES_PER_CLUSTER = 3;
/** A move must gain this many nats per sample. */
const LEAST_GAIN = 1e-3;
const POWER_STEPS = 20;

interface RepairState extends SolverState {
  /** See statistics.ts. */
  readonly statistics: Matrix64;
  readonly logLikelihood: number;
  /** What the last move added to the mean log-likelihood; 0 if it was not kept. */
  readonly change: number;
  /** Moves kept. */
  readonly repaired: number;
  /** Moves that failed since the last one that was kept. */
  readonly failures: number;
  /** Whether a move is left that promises anything. */
  readonly hopeful: boolean;
}

/** The repaired mixture of common variance, and how many clusters were moved. `X`: the samples of the data in its frame. */
export async function repairMixture(
  X: Matrix64,
  data: MixtureData,
  start: Mixture,
  run: Run,
): Promise<{ readonly mixture: Mixture; readonly repaired: number }> {
  const limit = MOVES_PER_CLUSTER * start.means.rows;
  const stop = [stopWhenHopeless, stopAfterIterations(limit)];
  const { state } = await run.drive(repair(X, data, start), { stop, samplesPerStep: STEPS * X.rows });
  return { mixture: mixtureOf(state.statistics, 'common', data, run.kernels), repaired: state.repaired };
}

const stopWhenHopeless: StopRule<RepairState> = (_, { hopeful, failures }) =>
  hopeful && failures < MAX_FAILURES ? undefined : { status: 'converged', reason: 'no move helps' };

function repair(X: Matrix64, data: MixtureData, start: Mixture): Solver<RepairState> {
  const { kernels } = data.executor;
  const climb = async (from: Mixture) => {
    let mixture = from;
    for (let step = 0; step < STEPS; step++) {
      mixture = mixtureOf((await expect(data, mixture)).next, 'common', data, kernels);
    }
    return { statistics: statisticsOf(mixture), logLikelihood: (await expect(data, mixture)).logLikelihood };
  };
  const { rows, cols } = statisticsOf(start);
  return {
    name: 'repair',
    shape: {
      statistics: matrix(rows, cols),
      logLikelihood: finite(),
      change: finite(),
      repaired: whole(),
      failures: whole(0, MAX_FAILURES),
      hopeful: flag,
    },
    async init() {
      const { logLikelihood } = await expect(data, start);
      return { statistics: statisticsOf(start), logLikelihood, change: 0, repaired: 0, failures: 0, hopeful: true };
    },
    async step(state) {
      const move = moves(X, mixtureOf(state.statistics, 'common', data, kernels), kernels)[state.failures];
      if (!move) return { ...state, change: 0, hopeful: false };
      const moved = await climb(move.make());
      const change = moved.logLikelihood - state.logLikelihood;
      if (!(change > move.least)) return { ...state, change: 0, failures: state.failures + 1 };
      return { ...moved, change, repaired: state.repaired + 1, failures: 0, hopeful: true };
    },
    report: ({ logLikelihood, change }) => ({ objective: logLikelihood, change }),
  };
}

interface Move {
  /** What it must add to the mean log-likelihood. */
  readonly least: number;
  make(): Mixture;
}

/** The moves of clusters without samples, then those that promise more than they cost, the most promising first. */
function moves(X: Matrix64, mixture: Mixture, kernels: Kernels): Move[] {
  const variance = meanVarianceOf(mixture);
  const shares = sharesOf(X, mixture, kernels);
  const losses = lossesOf(shares);
  const spreads = widestDirections(X, shares, mixture.means);
  const gains = spreads.map(({ samples, spread }) => samples * (0.5 * (spread / variance - 1) - Math.LN2));
  const pairs: { i: number; j: number; net: number; empty: boolean }[] = [];
  losses.forEach((loss, i) => {
    const empty = loss < LEAST_SAMPLES; // the loss of a cluster far from all samples is the number of its own
    gains.forEach((gain, j) => {
      if (i !== j && (gain > loss || (empty && spreads[j].samples > 1))) pairs.push({ i, j, net: gain - loss, empty });
    });
  });
  pairs.sort((a, b) => Number(b.empty) - Number(a.empty) || b.net - a.net);
  return pairs.map(({ i, j, empty }) => {
    return { least: empty ? -LEAST_GAIN : LEAST_GAIN, make: () => split(mixture, i, j, spreads[j]) };
  });
}

/** Cluster i and cluster j share what was j's. */
function split(mixture: Mixture, i: number, j: number, { direction, spread }: Widest): Mixture {
  const { means, weights } = mixture;
  const moved = copy(means);
  const size = Math.sqrt(Math.max(spread - meanVarianceOf(mixture), 0));
  const centre = row(means, j);
  row(moved, i).set(centre.map((x, c) => x + size * direction[c]));
  row(moved, j).set(centre.map((x, c) => x - size * direction[c]));
  return { ...mixture, means: moved, weights: halved(weights, i, j) };
}

/** Cluster i takes half the weight of j and leaves its own to all. */
function halved(weights: Float64Array, i: number, j: number): Float64Array {
  const out = weights.slice();
  out[i] = weights[j] / 2;
  out[j] = weights[j] / 2;
  const total = out.reduce((sum, weight) => sum + weight, 0);
  return out.map((weight) => weight / total);
}

/** r_li */
function sharesOf(X: Matrix64, mixture: Mixture, kernels: Kernels): Matrix64 {
  const { eta } = naturalOf(mixture);
  const slopes = { rows: eta.rows, cols: X.cols, data: eta.data.filter((_, at) => at % eta.cols > 0) };
  const shares = kernels.multiply(X, slopes, 'nt');
  for (let l = 0, at = 0; l < X.rows; l++) {
    for (let i = 0; i < eta.rows; i++) shares.data[at++] += eta.data[i * eta.cols];
  }
  shareOut(shares);
  return shares;
}

function lossesOf({ cols, data }: Matrix64): Float64Array {
  const losses = new Float64Array(cols);
  // ln 1e-16: beyond that 1 − r is rounding
  for (let at = 0; at < data.length; at++) {
    if (data[at] > 0) losses[at % cols] -= Math.log(Math.max(1 - data[at], 1e-16));
  }
  return losses;
}

interface Widest {
  readonly samples: number;
  /** v_j */
  readonly spread: number;
  /** u_j */
  readonly direction: Float64Array;
}

/** The direction of largest variance of the samples of every cluster about its mean, by power iteration. */
function widestDirections(X: Matrix64, shares: Matrix64, means: Matrix64): Widest[] {
  const { rows: k, cols: d, data: centres } = means;
  const labels = Int32Array.from({ length: X.rows }, (_, l) => largestAt(shares.data, l * k, k));
  const counts = new Float64Array(k);
  for (const label of labels) counts[label]++;
  let directions = farthestResiduals(X, labels, means);
  let spreads = new Float64Array(k);
  const residual = new Float64Array(d);
  for (let step = 0; step < POWER_STEPS; step++) {
    const next = zeros(k, d);
    for (let l = 0; l < X.rows; l++) {
      const j = labels[l];
      for (let c = 0; c < d; c++) residual[c] = X.data[l * d + c] - centres[j * d + c];
      let along = 0;
      for (let c = 0; c < d; c++) along += residual[c] * directions.data[j * d + c];
      for (let c = 0; c < d; c++) next.data[j * d + c] += along * residual[c];
    }
    spreads = Float64Array.from({ length: k }, (_, j) => norm(row(next, j)));
    directions = { ...next, data: next.data.map((x, at) => x / (spreads[Math.floor(at / d)] || 1)) };
  }
  return Array.from({ length: k }, (_, j) => {
    return { samples: counts[j], spread: counts[j] > 0 ? spreads[j] / counts[j] : 0, direction: row(directions, j) };
  });
}

/** For every cluster the unit vector from its mean to its farthest sample; zero if it has none. */
function farthestResiduals(X: Matrix64, labels: Int32Array, means: Matrix64): Matrix64 {
  const d = X.cols;
  const farthest = zeros(means.rows, d);
  const sizes = new Float64Array(means.rows);
  labels.forEach((j, l) => {
    let square = 0;
    for (let c = 0; c < d; c++) square += (X.data[l * d + c] - means.data[j * d + c]) ** 2;
    const size = Math.sqrt(square);
    if (size <= sizes[j]) return;
    sizes[j] = size;
    row(farthest, j).set(row(X, l).map((x, c) => (x - means.data[j * d + c]) / size));
  });
  return farthest;
}
