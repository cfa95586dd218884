/**
 * Repair of a mixture in which two clusters share a true one, and one cluster has two: the least useful cluster
 * moves to where one more is needed most. With memberships r_li, and for the n_j samples of which cluster j is the most
 * probable one the largest variance v_j, in units of the mean covariance W of the clusters, along the normal u_j:
 *
 *     loss_i = −Σ_l ln(1 − r_li)                        what the log-likelihood loses without cluster i
 *     gain_j = n_j ½ (v_j − (1 + √(d/n_j))²)            what two clusters in place of j gain: (1 + √(d/n))² is the largest
 *                                                       variance of n samples of one (Marchenko & Pastur 1967)
 *
 * The samples of cluster i go to the others as if it were not there, and those of cluster j on one side of its mean, along u_j, to
 * cluster i. A few steps of expectation maximisation follow. The move is kept if the samples are likelier after them, or fewer clusters are
 * shrunk to next to nothing.
 */
import { dot, type Matrix64, row, zeros } from '../../core/matrix.ts';
import { accumulate } from '../../engine/pass.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver } from '../../engine/solver.ts';
import type { MemorySource } from '../../engine/source/memory.ts';
import { finite, flag, whole } from '../../engine/state-shape.ts';
import { type StopRule, stopAfterIterations } from '../../engine/stop.ts';
import { isShrunk, shrunkIn } from './doubt.ts';
import {
  expectationMaximisation,
  type MaximisationState,
  type MixtureData,
  mixtureAt,
} from './expectation-maximisation.ts';
import { forBlocks, largestAt, shareOut } from './expectation-pass.ts';
import { type Covariance, covarianceOfCluster, families } from './families.ts';
import { IMPOSSIBLE, type Mixture, mixtureOf, naturalOf } from './statistics.ts';

/** Steps of expectation maximisation after each move. */
const STEPS = 10;
/** Failed moves after which the repair ends, and largest number of moves per cluster. */
const MAX_FAILURES = 3;
const MOVES_PER_CLUSTER = 3;
/** A move must gain this many nats per sample. */
const LEAST_GAIN = 1e-3;
/** A move may gain up to this many times its estimate, because overlapping clusters hide their spread. */
const HIDDEN = 4;
const POWER_STEPS = 10;

/** Few samples, in memory. */
export interface FewSamples {
  /** The samples in the frame of the data. */
  readonly X: Matrix64;
  readonly data: MixtureData & { readonly source: MemorySource };
}

export interface RepairState extends MaximisationState {
  /** Gain of the last move in mean log-likelihood; 0 if none was kept. */
  readonly gained: number;
  /** Number of moves kept. */
  readonly repaired: number;
  /** Whether another move may help. */
  readonly hopeful: boolean;
}

/** Moves clusters, starting from a state of expectation maximisation, and counts the moves. */
export async function repairMixture(
  few: FewSamples,
  start: MaximisationState,
  covariance: Covariance,
  run: Run,
): Promise<MaximisationState & { repaired: number }> {
  const stop = [stopWhenHopeless, stopAfterIterations(MOVES_PER_CLUSTER * start.statistics.rows)];
  const { state } = await run.drive(repair(few, start, covariance), { stop, samplesPerStep: STEPS * few.X.rows });
  const { gained, hopeful, ...rest } = state;
  return rest;
}

const stopWhenHopeless: StopRule<RepairState> = (_, { hopeful }) =>
  hopeful ? undefined : { status: 'converged', code: 'no move', reason: 'no move helps' };

function repair(few: FewSamples, start: MaximisationState, covariance: Covariance): Solver<RepairState> {
  const { X, data } = few;
  const shrunk = (state: MaximisationState) => shrunkIn(mixtureAt(state, covariance, data), X.rows, data.floor);
  const { shape } = expectationMaximisation(data, mixtureAt(start, covariance, data));
  return {
    name: 'repair',
    shape: { ...shape, gained: finite(), repaired: whole(), hopeful: flag },
    init: async () => ({ ...start, gained: 0, repaired: 0, hopeful: true }),
    async step(state) {
      const before = shrunk(state);
      for (const move of moves(few, mixtureAt(state, covariance, data))) {
        const loop = expectationMaximisation(data, move());
        let moved = await loop.init();
        for (let step = 0; step < STEPS; step++) moved = await loop.step(moved);
        const gained = moved.logLikelihood - state.logLikelihood;
        const after = shrunk(moved);
        if (after < before || (after === before && gained > LEAST_GAIN)) {
          return { ...moved, gained, repaired: state.repaired + 1, hopeful: true };
        }
      }
      return { ...state, gained: 0, hopeful: false };
    },
    report: ({ logLikelihood, gained }) => ({ objective: logLikelihood, change: gained }),
  };
}

/** The moves with the largest estimated gain, best first. */
function moves(few: FewSamples, mixture: Mixture): (() => Mixture)[] {
  const { X, data } = few;
  const d = X.cols;
  const { labels, losses } = assess(few, mixture);
  const costs = losses.map((loss, i) => (isShrunk(mixture, i, X.rows, data.floor) ? -1 : loss));
  const widest = widestDirections(X, labels, mixture);
  const candidates: { i: number; j: number; net: number }[] = [];
  widest.forEach(({ samples, spread }, j) => {
    const i = costs.reduce((best, cost, at) => (at !== j && !(cost >= costs[best]) ? at : best), -1);
    if (i < 0 || samples < 2) return;
    const gain = (samples / 2) * (spread - (1 + Math.sqrt(d / samples)) ** 2);
    if (gain > Math.max(0, costs[i] / HIDDEN) || costs[i] < 0) candidates.push({ i, j, net: gain - costs[i] });
  });
  candidates.sort((a, b) => b.net - a.net);
  return candidates.slice(0, MAX_FAILURES).map(
    ({ i, j }) =>
      () =>
        split(few, mixture, i, j, widest[j].normal),
  );
}

const paramsOf = ({ frame, described }: MixtureData, mixture: Mixture) => {
  return { ...frame, covariance: mixture.covariance, eta: naturalOf(mixture).eta, described: described !== undefined };
};

/** The most probable cluster of every sample, and loss_i. */
function assess({ X, data }: FewSamples, mixture: Mixture) {
  const labels = new Int32Array(X.rows);
  const losses = new Float64Array(mixture.means.rows);
  let l = 0;
  forBlocks(data.source.matrix, paramsOf(data, mixture), data.executor.kernels, (_, U) => {
    shareOut(U);
    const { data: shares, cols: k } = U;
    for (let at = 0; at < shares.length; at++) {
      // 1e-16: beyond that 1 − r is rounding
      if (shares[at] > 0) losses[at % k] -= Math.log(Math.max(1 - shares[at], 1e-16));
    }
    for (let first = 0; first < shares.length; first += k) labels[l++] = largestAt(shares, first, k);
  });
  return { labels, losses };
}

/** Moves cluster i: it takes the samples of cluster j on one side of its mean, and leaves its own to the others. */
function split({ X, data }: FewSamples, mixture: Mixture, i: number, j: number, normal: Float64Array): Mixture {
  const { kernels } = data.executor;
  const params = paramsOf(data, mixture);
  const { rows: k, cols: width } = params.eta;
  const middle = dot(row(mixture.means, j), normal);
  const s = zeros(k, width);
  forBlocks(data.source.matrix, params, kernels, (T, U) => {
    for (let at = i; at < U.data.length; at += k) U.data[at] = IMPOSSIBLE;
    shareOut(U);
    for (let l = 0; l < U.rows; l++) {
      const x = T.data.subarray(l * width + 1, l * width + 1 + X.cols);
      if (dot(x, normal) < middle) continue;
      U.data[l * k + i] = U.data[l * k + j];
      U.data[l * k + j] = 0;
    }
    accumulate(s.data, kernels.multiply(U, T, 'tn').data);
  });
  return mixtureOf({ ...s, data: s.data.map((x) => x / X.rows) }, mixture.covariance, data, kernels);
}

interface Widest {
  /** n_j */
  readonly samples: number;
  /** v_j */
  readonly spread: number;
  /** u_j */
  readonly normal: Float64Array;
}

/** The direction of largest variance of the samples of every cluster about its mean, by power iteration with W⁻¹ Σ_j. */
function widestDirections(X: Matrix64, labels: Int32Array, mixture: Mixture): Widest[] {
  const { rows: k, cols: d, data: centres } = mixture.means;
  const precision = families[mixture.covariance].precision(meanCovariance(mixture), d);
  const counts = new Float64Array(k);
  for (const label of labels) counts[label]++;
  const spreads = new Float64Array(k);
  const normals = zeros(k, d);
  const residual = new Float64Array(d);
  for (let step = 0; step <= POWER_STEPS; step++) {
    const next = zeros(k, d);
    for (let l = 0, at = 0; l < X.rows; l++) {
      const first = labels[l] * d;
      let along = 0;
      for (let c = 0; c < d; c++, at++) {
        residual[c] = X.data[at] - centres[first + c];
        along += residual[c] * normals.data[first + c];
      }
      const factor = step === 0 ? 1 / (1 + l) : along; // the first direction need only be some direction
      for (let c = 0; c < d; c++) next.data[first + c] += factor * residual[c];
    }
    for (let j = 0; j < k; j++) {
      const image = row(next, j);
      const normal = precision.times(image);
      const size = Math.sqrt(dot(image, normal));
      spreads[j] = size / (counts[j] || 1);
      row(normals, j).set(normal.map((x) => x / (size || 1)));
    }
  }
  return Array.from(counts, (samples, j) => ({ samples, spread: spreads[j], normal: row(normals, j) }));
}

/** W = Σ_k w_k Σ_k */
function meanCovariance({ means, weights, covariance, covariances }: Mixture): Matrix64 {
  const family = families[covariance];
  const own = (i: number) => covarianceOfCluster(family, covariances, i, means.cols);
  if (family.shared) return own(0);
  const mean = zeros(own(0).rows, own(0).cols);
  weights.forEach((w, i) => {
    accumulate(
      mean.data,
      own(i).data.map((x) => w * x),
    );
  });
  return mean;
}
