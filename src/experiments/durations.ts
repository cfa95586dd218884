/**
 * How long a trial of every experiment takes: the mean over the raw trials in docs/results, written by
 * scripts/durations.mjs. Unknown where the full form was not run.
 */

interface Durations {
  /** Seconds. */
  readonly quick?: number;
  readonly full?: number;
}

const durations: Readonly<Record<string, Durations>> = {
  table1: { quick: 0.14, full: 2.5 },
  table2: { quick: 4.2, full: 470 },
  figure1: {},
  figure2: { quick: 0.0049, full: 0.0012 },
  figure3: { quick: 0.0074, full: 0.057 },
  figure4: { quick: 0.095, full: 0.53 },
  figure5: { quick: 0.016 },
  figure6: { quick: 0.93, full: 14 },
  figure7a: { quick: 0.002, full: 0.0027 },
  figure7b: { quick: 0.062, full: 0.06 },
  figure8a: { quick: 1.1, full: 2.1 },
  figure8b: { quick: 0.95, full: 4.4 },
  figure8c: { quick: 10 },
  figure9: { quick: 9.5, full: 160 },
  figure10: { quick: 0, full: 0 },
  figure11: { quick: 0, full: 0 },
  'figure11-fashion': {},
  'figure11-cifar10': {},
  'l4-theory-expectation': {},
  'l4-theory-concentration': {},
  'l4-theory-maximiser': {},
  'l4-theory-norms': {},
  'l4-theory-cubic': {},
  'l4-theory-rates': {},
  'l4-theory-critical': {},
  'l4-theory-hadamard': {},
  'l4-theory-any-step': {},
  'l4-theory-extrema': {},
  'l4-theory-examples': {},
  'l4-theory-one-step': {},
  'l4-theory-bias': {},
  'l4-theory-robust': {},
  'l4-theory-one-iteration': {},
  'householder-figure1': { quick: 1.1 },
  'householder-figure2': { quick: 1.2 },
  'householder-figure3': { quick: 0.065, full: 0.05 },
  'householder-figure4': { quick: 0.066, full: 0.05 },
  'householder-figure5': { quick: 0.12, full: 0.063 },
  'givens-stream': {},
  'givens-stream-digits': {},
  'givens-sparse-pca': {},
  'givens-sparse-pca-genes': {},
};

/** Of a trial; undefined if unknown. */
export const usualSeconds = (name: string, quick = false): number | undefined =>
  durations[name]?.[quick ? 'quick' : 'full'];
