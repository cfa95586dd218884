/** scikit-learn's FastICA with the cube contrast. */

import type { Contender } from './contender.ts';
import { openPython } from './python-contender.ts';

const IMPORTS = `
from sklearn.decomposition import FastICA
`;

/** Called as usual; one snapshot, when fit returns. */
const RECOVERY = `${IMPORTS}
model = FastICA(fun='cube', whiten='unit-variance', random_state=seed)
started = time.perf_counter()
model.fit(samples)
elapsed = time.perf_counter() - started
A = model.components_
save([elapsed], atoms=[A / np.linalg.norm(A, axis=1, keepdims=True)])
`;

/**
 * On real data: as many components as the samples have directions, and a run for each limit of iterations. Its atoms are
 * the columns of the mixing matrix, and it subtracts the mean. A pass more is for whitening.
 */
const REAL = `${IMPORTS}
mean = samples.mean(axis=0)
rank = np.linalg.matrix_rank(samples - mean)
seconds, atoms, passes, limit = [], [], [], 1
while limit <= 256:
    model = FastICA(n_components=rank, fun='cube', whiten='unit-variance', max_iter=limit, random_state=seed)
    started = time.perf_counter()
    model.fit(samples)
    seconds.append(time.perf_counter() - started)
    atoms.append((model.mixing_ / np.linalg.norm(model.mixing_, axis=0)).T)
    passes.append(model.n_iter_ + 1)
    if model.n_iter_ < limit:
        break
    limit *= 2
save(seconds, passes, atoms=atoms, mean=[mean[None]] * len(atoms))
`;

const MODULES = ['numpy', 'sklearn'];
const NAME = 'scikit-learn FastICA cube';

/** At n=400, p=160k a run takes minutes. */
const MOST_FEATURES = 200;

export const sklearnFastIca: Contender = {
  name: NAME,
  ours: false,
  excuse: ({ features }) =>
    features > MOST_FEATURES ? `runs up to n=${MOST_FEATURES} only: at n=400 a run takes minutes` : undefined,
  open: () => openPython(MODULES, RECOVERY),
};

export const sklearnFastIcaOnRealData: Contender = {
  name: NAME,
  ours: false,
  mostRuns: 3,
  open: () => openPython(MODULES, REAL),
};
