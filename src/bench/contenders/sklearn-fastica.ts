/** scikit-learn's FastICA with the cube contrast, called as usual; one snapshot, when fit returns. */
import type { Contender } from '../contender.ts';
import { findPython, pythonSession } from '../python.ts';

const SCRIPT = `
import warnings
from sklearn.decomposition import FastICA
warnings.simplefilter('ignore')
model = FastICA(fun='cube', whiten='unit-variance', random_state=seed)
started = time.perf_counter()
model.fit(samples)
elapsed = time.perf_counter() - started
A = model.components_
save([elapsed], [A / np.linalg.norm(A, axis=1, keepdims=True)])
`;

export const sklearnFastIca: Contender = {
  name: 'scikit-learn FastICA cube',
  ours: false,
  targeted: false,
  async open() {
    const python = findPython('numpy', 'sklearn');
    return 'missing' in python ? python : pythonSession(python, SCRIPT);
  },
};
