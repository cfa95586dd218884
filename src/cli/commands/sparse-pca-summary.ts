/** Summarises components for `orthodict sparse-pca`: metadata of the file, and what is printed. */

import { type ArrayInput, vectorOf } from '../../io/arrays.ts';
import type { Components } from '../../models/sparse-pca/components.ts';
import { formatNumber, printFacts, printLine, printTable, statusWords } from '../terminal/output.ts';

/** A result computed in memory or from a stream. */
export interface Summary extends Components {
  readonly method: string;
  readonly status: string;
  readonly reason: string;
  readonly objective: number;
  readonly samples: number;
  readonly features: number;
  readonly seconds: number;
  /** Number of samples that `seconds` was spent on; default: all. */
  readonly taken?: number;
}

/** The arrays of the file other than loadings and scores. */
export function lasting(summary: Omit<Summary, 'seconds'>, mean: Float64Array): Record<string, ArrayInput> {
  const { method, status, reason, objective, samples, features } = summary;
  const meta = { format: 1, kind: 'sparse-pca', method, status, reason, objective, samples, features };
  return {
    mean: vectorOf(mean),
    gammas: vectorOf(summary.gammas),
    meta: JSON.stringify(meta),
  };
}

export function describeComponents(summary: Summary) {
  const { method, status, reason, objective, gammas, support, variance, adjustedVariance, totalVariance } = summary;
  return {
    method,
    status,
    reason,
    objective,
    components: support.map((features, i) => ({
      nonzeros: features.length,
      gamma: gammas[i],
      variance: variance[i],
      adjustedVariance: adjustedVariance[i],
      support: features,
    })),
    totalVariance,
    explained: adjustedVariance.reduce((sum, v) => sum + v, 0) / totalVariance,
    samples: summary.samples,
    features: summary.features,
    seconds: summary.seconds,
  };
}

export function printComponents(summary: Summary, out: string): void {
  const { samples, features, method, status, reason, adjustedVariance, totalVariance, support, gammas, seconds } =
    summary;
  const { taken = samples } = summary;
  printFacts([
    ['components', `${out}: ${support.length} of ${formatNumber(features)} features`],
    ['data', `${formatNumber(samples)} samples`],
    ['method', `${method}, ${statusWords(status, reason)}`],
    ['time', `${seconds.toFixed(2)} s, ${formatNumber(Math.round(taken / seconds))} samples/s`],
  ]);
  let sum = 0;
  const percent = (variance: number) => `${((100 * variance) / totalVariance).toFixed(2)} %`;
  const rows = support.map((places, i) => {
    sum += adjustedVariance[i];
    return [
      String(i + 1),
      formatNumber(places.length),
      formatNumber(gammas[i]),
      formatNumber(adjustedVariance[i]),
      percent(adjustedVariance[i]),
      percent(sum),
    ];
  });
  printLine();
  printTable(['component', 'non-zeros', 'gamma', 'adjusted variance', 'share', 'together'], rows);
}
