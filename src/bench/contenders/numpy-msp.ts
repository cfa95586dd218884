/** Plain MSP in NumPy, as the paper's authors do it: float64, X*X*X, polar factor by SVD, random start by QR. */
import type { Contender } from '../contender.ts';
import { findPython, pythonSession } from '../python.ts';

/** The paper's number of iterations for its largest size; smaller sizes need fewer. */
export const MSP_ITERATIONS = 60;

const SCRIPT = `
Y = samples
n = Y.shape[1]
A = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
def step(A):
    X = Y @ A.T
    U, _, Vt = np.linalg.svd((X * X * X).T @ Y)
    return U @ Vt
step(A)  # not timed: BLAS starts its threads
seconds, atoms, elapsed = [], [], 0.0
for _ in range(${MSP_ITERATIONS}):
    started = time.perf_counter()
    A = step(A)
    elapsed += time.perf_counter() - started
    seconds.append(elapsed)
    atoms.append(A)
save(seconds, atoms)
`;

export const numpyMsp: Contender = {
  name: 'NumPy plain MSP',
  ours: false,
  targeted: false,
  async open() {
    const python = findPython('numpy');
    return 'missing' in python ? python : pythonSession(python, SCRIPT);
  },
};
