/** scikit-learn's SparsePCA (coordinate descent). It has a penalty instead of a number of non-zeros. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Matrix64 } from 'orthodict';
import { unitRows } from 'orthodict/extend';
import { writeArray } from 'orthodict/node';
import { nonzerosOf } from '../experiments/sparse-pca/explained.ts';
import type { Contender } from './contender.ts';
import { openPython, pythonFit } from './python-contender.ts';

/** The highest penalty, 1.3√p times the root mean square of the samples, leaves hardly anything. */
const FIT = `
from sklearn.decomposition import SparsePCA
highest = 1.3 * np.sqrt(np.sum(samples ** 2) / samples.shape[1])
def fit_with(components, alpha, limit):
    model = SparsePCA(components, alpha=alpha, method='cd', max_iter=limit, random_state=seed)
    started = time.perf_counter()
    model.fit(samples)
    return time.perf_counter() - started, model.components_
`;

/** The penalty with most non-zeros, but at most m K, by bisection; only the fit with that penalty is timed. */
export const sklearnSparsePca = (m: number, K: number): Contender =>
  pythonFit(
    'scikit-learn SparsePCA',
    `${FIT}
def fit(given, seed):
    low, high, best = 1e-3, highest, None
    for step in range(12):
        alpha = np.sqrt(low * high)
        seconds, loadings = fit_with(${m}, alpha, 200)
        if np.count_nonzero(loadings) <= ${m * K}:
            high, best = alpha, dict(loadings=loadings, seconds=seconds)
        else:
            low = alpha
    return best
`,
    3,
  );

/** Penalties from the highest down, by 13 % each time. */
export const STEPS = 24;

export interface PathOptions {
  readonly samples: Matrix64;
  readonly components: number;
  /** Iterations for each penalty. */
  readonly limit: number;
  readonly seed: number;
  readonly signal: AbortSignal;
}

export interface PathFit {
  /** Unit rows. */
  readonly loadings: Matrix64;
  readonly seconds: number;
}

/** One fit per penalty, from few non-zeros to many, on one thread; none without scikit-learn. */
export async function sklearnPath(options: PathOptions): Promise<readonly PathFit[]> {
  const { samples, components, limit, seed, signal } = options;
  const script = `${FIT}
fits = [fit_with(${components}, highest * 0.87 ** step, ${limit}) for step in range(${STEPS})]
save([seconds for seconds, _ in fits], loadings=[loadings for _, loadings in fits])
`;
  const session = await openPython(['numpy', 'sklearn'], script, { threads: 1 });
  if ('missing' in session) return [];
  const folder = await mkdtemp(join(tmpdir(), 'orthodict-sklearn-'));
  try {
    const file = join(folder, 'samples.npy');
    await writeArray(file, samples);
    const snapshots = await session.run({ given: { samples }, file, seed, folder, signal });
    return snapshots.map(({ seconds, found }) => ({ seconds, loadings: unitRows(found.loadings) }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The fit with most non-zeros, but at most `most`; undefined if there is none. */
export function densest(path: readonly PathFit[], most: number): PathFit | undefined {
  const fits = path.filter(({ loadings }) => nonzerosOf(loadings) <= most);
  return fits.sort((a, b) => nonzerosOf(b.loadings) - nonzerosOf(a.loadings))[0];
}
