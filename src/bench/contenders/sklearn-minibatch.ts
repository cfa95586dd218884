/**
 * scikit-learn's MiniBatchDictionaryLearning, an ℓ1 method for any dictionary. Batches of 256 are the default of its
 * later versions, coordinate descent is the faster of its two solvers, and of α = 0.1, 0.3, 0.5 and 1 (its default),
 * 0.5 gives the smallest error at n=25, p=10k. Its own callback takes a snapshot every few batches.
 */
import type { Contender } from '../contender.ts';
import { findPython, pythonSession } from '../python.ts';

/** At n=100 a run takes about a minute; larger sizes have not been tried. */
const MOST_FEATURES = 100;
const EPOCHS = 20;
/** Batches between snapshots. */
const BATCHES = 10;

const SCRIPT = `
import warnings
from sklearn.decomposition import MiniBatchDictionaryLearning
warnings.simplefilter('ignore')
n = samples.shape[1]
seconds, atoms, paused = [], [], 0.0
def callback(env):
    global paused
    entered = time.perf_counter()
    if len(atoms) * ${BATCHES} <= callback.calls:
        D = env['dictionary']
        seconds.append(entered - started - paused)
        atoms.append(D / np.maximum(np.linalg.norm(D, axis=1, keepdims=True), 1e-300))
    callback.calls += 1
    paused += time.perf_counter() - entered
callback.calls = 0
model = MiniBatchDictionaryLearning(n, alpha=0.5, fit_algorithm='cd', batch_size=256, max_iter=${EPOCHS}, tol=0,
                                    max_no_improvement=None, random_state=seed, callback=callback)
started = time.perf_counter()
model.fit(samples)
save(seconds, atoms)
`;

export const sklearnMiniBatch: Contender = {
  name: 'scikit-learn MiniBatchDictionaryLearning',
  ours: false,
  targeted: false,
  mostRepeats: 1,
  excuse: ({ features }) =>
    features > MOST_FEATURES ? `runs up to n=${MOST_FEATURES} only: a run takes about a minute there` : undefined,
  async open() {
    const python = findPython('numpy', 'sklearn');
    return 'missing' in python ? python : pythonSession(python, SCRIPT);
  },
};
