/**
 * scikit-learn's MiniBatchDictionaryLearning, an ℓ1 method for any dictionary. Batches of 256 are the default of its
 * later versions, and coordinate descent is the faster of its two solvers. Its own callback takes the snapshots.
 */

import type { Contender } from './contender.ts';
import { openPython } from './python-contender.ts';

/** At n=100 a run takes about a minute; larger sizes have not been tried. */
const MOST_FEATURES = 100;
const EPOCHS = 20;
const BATCH = 256;

/** α = 0.5 gives the smallest recovery error at n=25, p=10k, of 0.1, 0.3, 0.5 and 1 (its default). */
const RECOVERY = { alpha: 0.5, unit: '1', kept: 'calls % 10 == 1' };
/**
 * For samples of root mean square 1. Of α = 0.3, 1 (its default), 2 and 4, 1 gives the smallest held-out residual on
 * digits; on patches 2 gives 0.299 instead of 0.309 after 10 epochs.
 */
const REAL = { alpha: 1, unit: 'np.sqrt(np.mean(samples ** 2))', kept: 'calls & (calls - 1) == 0' };

/** `unit`: what the samples are divided by; `kept`: the batches after which there is a snapshot; both in Python. */
const script = ({ alpha, unit, kept }: typeof RECOVERY): string => `
from sklearn.decomposition import MiniBatchDictionaryLearning
p, n = samples.shape
samples = samples / ${unit}
seconds, atoms, passes, paused, calls = [], [], [], 0.0, 0
def keep(D, entered):
    seconds.append(entered - started - paused)
    atoms.append(D / np.maximum(np.linalg.norm(D, axis=1, keepdims=True), 1e-300))
    passes.append(calls * ${BATCH} / p)
def callback(env):
    global paused, calls
    entered = time.perf_counter()
    calls += 1
    if ${kept}:
        keep(env['dictionary'], entered)
    paused += time.perf_counter() - entered
model = MiniBatchDictionaryLearning(n, alpha=${alpha}, fit_algorithm='cd', batch_size=${BATCH}, max_iter=${EPOCHS}, tol=0,
                                    max_no_improvement=None, random_state=seed, callback=callback)
started = time.perf_counter()
model.fit(samples)
keep(model.components_, time.perf_counter())
save(seconds, passes, atoms=atoms)
`;

const MODULES = ['numpy', 'sklearn'];
const ABOUT = { name: 'scikit-learn MiniBatchDictionaryLearning', ours: false, mostRuns: 1 } as const;

export const sklearnMiniBatch: Contender = {
  ...ABOUT,
  excuse: ({ features }) =>
    features > MOST_FEATURES ? `runs up to n=${MOST_FEATURES} only: a run takes about a minute there` : undefined,
  open: () => openPython(MODULES, script(RECOVERY)),
};

export const sklearnMiniBatchOnRealData: Contender = { ...ABOUT, open: () => openPython(MODULES, script(REAL)) };
