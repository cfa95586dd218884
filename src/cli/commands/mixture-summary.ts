/** Summarises a mixture for `orthodict mixture`: as JSON and as tables. */
import type { MixtureResult } from '../../models/mixtures/learn-mixture.ts';
import { formatNumber, printFacts, printLine, printTable } from '../terminal/output.ts';

export function describeMixture(found: MixtureResult) {
  const { status, iterations, repaired, starts, logLikelihood, bic, covariance, variance, samples, features } = found;
  const { weights, labels, tried } = found;
  const sizes = new Float64Array(weights.length);
  for (const label of labels) sizes[label]++;
  const clusters = Array.from(weights, (weight, k) => ({
    weight,
    samples: sizes[k],
    separation: separation(found, k),
  }));
  const fit = { logLikelihood, bic, covariance, variance, clusters, ...(tried && { tried }) };
  return { status, iterations, starts, repaired, ...fit, samples, features };
}

/** Distance of a mean from the nearest other one, in standard deviations; null if there is only one cluster. */
function separation({ means, variance }: MixtureResult, k: number): number | null {
  const { rows, cols, data } = means;
  if (rows === 1) return null;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i++) {
    let square = 0;
    for (let c = 0; c < cols; c++) square += (data[i * cols + c] - data[k * cols + c]) ** 2;
    if (i !== k) nearest = Math.min(nearest, square);
  }
  return Math.sqrt(nearest / variance);
}

export function printMixture(found: MixtureResult, seconds: number, out: string): void {
  const told = describeMixture(found);
  const {
    status,
    iterations,
    starts,
    repaired,
    logLikelihood,
    bic,
    covariance,
    variance,
    clusters,
    samples,
    features,
  } = told;
  printFacts([
    ['clusters', `${out}: ${clusters.length} of ${formatNumber(features)} features`],
    ['data', `${formatNumber(samples)} samples`],
    ['covariance', covariance],
    ['standard deviation', formatNumber(Math.sqrt(variance))],
    ['log-likelihood', `${formatNumber(logLikelihood)} per sample`],
    ['BIC', formatNumber(bic)],
    ['status', `${status} after ${iterations} steps`],
    ['starts', `${starts.length}, ${repaired} of ${clusters.length} clusters moved`],
    ['time', `${seconds.toFixed(2)} s`],
  ]);
  printLine();
  printTable(
    ['cluster', 'weight', 'samples', 'nearest mean'],
    clusters.map(({ weight, samples: size, separation: distance }, k) => [
      String(k),
      `${(100 * weight).toFixed(1)} %`,
      formatNumber(size),
      distance === null ? '' : `${formatNumber(distance)} deviations`,
    ]),
  );
  if (found.tried) printTried(found.tried, clusters.length);
}

function printTried(tried: NonNullable<MixtureResult['tried']>, kept: number): void {
  printLine();
  printTable(
    ['clusters', 'BIC', 'log-likelihood', 'status', ''],
    tried.map(({ clusters, bic, logLikelihood, status }) => [
      String(clusters),
      bic === undefined ? '' : formatNumber(bic),
      logLikelihood === undefined ? '' : formatNumber(logLikelihood),
      status ?? 'too few samples',
      clusters === kept ? 'kept' : '',
    ]),
  );
}
