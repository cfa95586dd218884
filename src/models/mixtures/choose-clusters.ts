/** Chooses the number of clusters by the Bayesian information criterion (Schwarz 1978). */
import { InputError } from '../../core/errors.ts';
import type { Status } from '../../engine/stop.ts';

/** A number of clusters that was tried. */
export interface TriedClusters {
  readonly clusters: number;
  /** Undefined, like `logLikelihood`, if there were too few samples for this number of clusters. */
  readonly bic?: number | undefined;
  readonly logLikelihood?: number | undefined;
  readonly status?: Status | undefined;
}

interface Fit {
  readonly bic: number;
  readonly logLikelihood: number;
  readonly status: Status;
}

/** Returns the fit with the smallest BIC, and all that were tried. An abort ends the search with the best so far. */
export async function chooseClusters<F extends Fit>(
  numbers: readonly number[],
  learnFor: (clusters: number) => Promise<F>,
): Promise<F & { readonly tried: readonly TriedClusters[] }> {
  const tried: TriedClusters[] = [];
  let best: F | undefined;
  let refusal: unknown;
  for (const clusters of numbers) {
    const found = await learnFor(clusters).catch((error: unknown) => {
      if (!(error instanceof InputError)) throw error;
      refusal = error;
    });
    tried.push({ clusters, bic: found?.bic, logLikelihood: found?.logLikelihood, status: found?.status });
    if (found?.status === 'aborted') return { ...found, tried };
    if (found && (!best || found.bic < best.bic)) best = found;
  }
  if (!best) throw refusal;
  return { ...best, tried };
}
