/**
 * How long a trial of every experiment takes: the mean over raw trials, written by
 * scripts/durations.mjs. Unknown where the full form was not run.
 */

interface Durations {
  /** Seconds. */
  readonly quick?: number;
  readonly full?: number;
}

const durations: Readonly<Record<string, Durations>> = {
  table1: { quick: 0.13, full: 2.5 },
  table2: { quick: 1.1, full: 82 },
  figure1: { quick: 0.00051, full: 0.00074 },
  figure2: { quick: 0.0018, full: 0.0012 },
  figure3: { quick: 0.0066, full: 0.057 },
  figure4: { quick: 0.099, full: 0.53 },
  figure5: { quick: 0.0068, full: 3.8 },
  figure6: { quick: 0.42, full: 14 },
  figure7a: { quick: 0.0019, full: 0.0027 },
  figure7b: { quick: 0.041, full: 0.099 },
  figure8a: { quick: 0.97, full: 1.6 },
  figure8b: { quick: 0.62, full: 1.7 },
  figure8c: { quick: 12 },
  figure9: { quick: 4.3, full: 110 },
  figure10: { quick: 0, full: 0 },
  figure11: { quick: 0, full: 0 },
  'figure11-fashion': {},
  'figure11-cifar10': { quick: 1.4 },
  'l4-theory-expectation': { quick: 0.0043, full: 0.24 },
  'l4-theory-concentration': { quick: 0.12, full: 13 },
  'l4-theory-extrema': { quick: 0.0029, full: 0.012 },
  'l4-theory-maximiser': { quick: 0.025, full: 0.19 },
  'l4-theory-norms': { quick: 0.076, full: 4.2 },
  'l4-theory-examples': { quick: 0, full: 0.0012 },
  'l4-theory-one-step': { quick: 0.015, full: 0.31 },
  'l4-theory-bias': { quick: 0.041, full: 1.4 },
  'l4-theory-critical': { quick: 0.11, full: 0.053 },
  'l4-theory-hadamard': { quick: 0.000054, full: 0.00025 },
  'l4-theory-any-step': { quick: 0.017, full: 0.15 },
  'l4-theory-cubic': { quick: 0.014, full: 0.73 },
  'l4-theory-rates': { quick: 0.00063, full: 0.0019 },
  'l4-theory-one-iteration': { quick: 0.00052, full: 0.00046 },
  'l4-theory-robust': { quick: 0.27, full: 0.52 },
  'recovery-few-samples': { quick: 0.53, full: 0.85 },
  'recovery-certificate': { quick: 0.71, full: 0.63 },
  'householder-figure1': { quick: 0.84, full: 5.9 },
  'householder-figure2': { quick: 1.5, full: 25 },
  'householder-figure3': { quick: 0.039, full: 0.05 },
  'householder-figure4': { quick: 0.042, full: 0.05 },
  'householder-figure5': { quick: 0.065, full: 0.063 },
  'householder-start': { quick: 0.29, full: 2.8 },
  'householder-theorem1': { quick: 0.042, full: 0.75 },
  'givens-theorem1': { quick: 0.026, full: 1.8 },
  'givens-rate': { quick: 0.09, full: 0.5 },
  'givens-pairs': { quick: 0.4, full: 2.8 },
  'givens-theorem3': { quick: 0.027, full: 0.16 },
  'givens-noise': { quick: 0.084, full: 0.54 },
  'givens-lazy': { quick: 0.12, full: 3.2 },
  'givens-topics': { quick: 0.57, full: 6.5 },
  'givens-mixtures': { quick: 0.13, full: 0.41 },
  'givens-stream': { quick: 0.38, full: 13 },
  'givens-stream-digits': { quick: 0.44, full: 14 },
  'givens-sparse-pca': { quick: 1.2, full: 3 },
  'givens-sparse-pca-genes': { quick: 6 },
  'sparse-pca-digits': { quick: 9.4 },
  'sparse-pca-cancer': { quick: 6.5 },
  'sparse-pca-wine': { quick: 2.9 },
  'sparse-pca-genes': { quick: 18 },
};

/** Seconds of a trial; undefined if unknown. */
export const usualSeconds = (name: string, quick = false): number | undefined =>
  durations[name]?.[quick ? 'quick' : 'full'];
