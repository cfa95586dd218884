/**
 * One pass over samples by five streams, judged on all samples against the batch power method with as many non-zeros,
 * but at least K per component, so that an empty component is no merit:
 *
 *     ours    the default: a reserve, thresholds for K non-zeros that follow the samples, a fit at the end
 *     bare    the same without a reserve
 *     given   Algorithm 5 of the paper with γ of the batch method
 *     best    Algorithm 5 with the best of three fixed γ, in hindsight
 *     spare   Algorithm 5 with that γ and m + 1 columns: the m strongest of its components count
 */
import { learnSparsePca, type Matrix64, metrics, SparsePcaStream, type SparsePcaStreamOptions } from 'orthodict';
import { rowRange } from 'orthodict/extend';
import { type PublishedOptions, PublishedStream } from '../../methods/sparse-pca/published-stream.ts';
import type { Measured, Point } from '../framework/experiment.ts';
import { type Judge, judgeOf, nonzerosOf } from '../sparse-pca/explained.ts';

/** Without a mean. */
export interface StreamData {
  readonly samples: Matrix64;
  /** True loadings, if known. */
  readonly truth?: Matrix64;
}

export const STREAMS = [
  { name: 'ours', label: 'orthodict' },
  { name: 'bare', label: 'orthodict, no reserve' },
  { name: 'given', label: 'Algorithm 5, batch γ' },
  { name: 'best', label: 'Algorithm 5, best γ' },
  { name: 'spare', label: 'Algorithm 5, a column more' },
] as const;

/** Fixed thresholds that are tried, in units of the root mean square of a number. */
export const FIXED = [1, 2, 4];

interface Outcome {
  /** Adjusted variance, as a share of that of the batch method. */
  readonly worth: number;
  /** Per component. */
  readonly nonzeros: number;
  /** Share of the variance that the rows in memory still have. */
  readonly kept: number;
  /** Components with exactly the true non-zeros. */
  readonly exact: number | undefined;
  /** Microseconds per sample. */
  readonly time: number;
}

/** Point: m, K, L; Algorithm 5 with γ of the batch method takes part where L = m. */
export async function runStreams(
  data: StreamData,
  { m, K, L }: Point,
  seed: number,
  signal: AbortSignal,
): Promise<Measured> {
  const { samples } = data;
  const judge = await judgeOf(samples, m);
  const batch = batchOf(samples, m, judge);
  const { gamma } = await batch(K);
  const shared = { components: m, rotations: L, seed };
  const reference: Batch = (nonzeros) => batch(Math.max(K, Math.ceil(nonzeros)));
  const run = async (options: Partial<SparsePcaStreamOptions>) => {
    signal.throwIfAborted();
    return stream(data, new SparsePcaStream({ ...shared, center: false, ...options }), m, judge, reference);
  };
  const published = async (fixed: number, columns = m) => {
    signal.throwIfAborted();
    const options: PublishedOptions = { ...shared, gamma: fixed, components: columns };
    return stream(data, new PublishedStream(options), m, judge, reference);
  };
  const unit = Math.sqrt(samples.data.reduce((sum, y) => sum + y * y, 0) / samples.data.length);
  const tried = await Promise.all(
    FIXED.map(async (factor) => ({ fixed: factor * unit, ...(await published(factor * unit)) })),
  );
  const best = tried.reduce((most, each) => (each.worth > most.worth ? each : most));
  return {
    ...named('ours', await run({ nonzeros: K, method: 'givens' })),
    ...named('bare', await run({ nonzeros: K, reserve: 0, method: 'givens' })),
    ...(L === m && named('given', await published(gamma))),
    ...named('best', best),
    ...named('spare', await published(best.fixed, m + 1)),
    principalKept: judge.principal,
  };
}

const named = (who: string, { worth, nonzeros, kept, exact, time }: Outcome): Measured => ({
  [`${who}Worth`]: worth,
  [`${who}Nonzeros`]: nonzeros,
  [`${who}Kept`]: kept,
  [`${who}Exact`]: exact,
  [`${who}Time`]: time,
});

type Batch = (nonzeros: number) => Promise<{ readonly explained: number; readonly gamma: number }>;

/** What the power method explains with K non-zeros per component, and its mean threshold. */
function batchOf(samples: Matrix64, m: number, judge: Judge): Batch {
  return async (K) => {
    const found = await learnSparsePca(samples, { components: m, nonzeros: K, method: 'gpower', center: false });
    const gamma = found.gammas.reduce((sum, each) => sum + each, 0) / m;
    return { explained: judge.explained(found.loadings), gamma };
  };
}

async function stream(
  { samples, truth }: StreamData,
  taking: SparsePcaStream | PublishedStream,
  m: number,
  judge: Judge,
  batch: Batch,
): Promise<Outcome> {
  const started = performance.now();
  taking.partialFit(samples);
  const time = (1000 * (performance.now() - started)) / samples.rows;
  const { loadings: all, kept } = await taking.result();
  const loadings = rowRange(all, 0, m); // the strongest come first
  const nonzeros = nonzerosOf(loadings) / m;
  const reference = await batch(nonzeros);
  return {
    worth: judge.explained(loadings) / reference.explained,
    nonzeros,
    kept,
    exact: truth && metrics.compareSupports(loadings, truth).exact,
    time,
  };
}
