/** Plain MSP in NumPy, as the paper's authors do it: float64, X*X*X, polar factor by SVD, random start by QR. */

import type { Contender } from './contender.ts';
import { openPython } from './python-contender.ts';

/** The paper's number of iterations for its largest size; smaller sizes need fewer. */
export const MSP_ITERATIONS = 60;
/** Data that is not white takes hundreds. */
const REAL_ITERATIONS = 512;

/** `step` and the start `A`, for samples `Y` and `seed`. */
const MSP = `
n = Y.shape[1]
A = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
def step(A):
    X = Y @ A.T
    U, _, Vt = np.linalg.svd((X * X * X).T @ Y)
    return U @ Vt
`;

/** A program of its own: data.npy, the number of iterations, the seed and atoms.npy; it does that and nothing else. */
export const MSP_PROGRAM = `import sys
import numpy as np
Y, iterations, seed, out = np.load(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
${MSP}
for _ in range(iterations):
    A = step(A)
np.save(out, A)
`;

/** `kept`: the iterations t whose atoms become snapshots, a condition in Python. */
const script = (iterations: number, kept: string): string => `
Y = samples
${MSP}
step(A)  # not timed: BLAS starts its threads
seconds, atoms, passes, elapsed = [], [], [], 0.0
for t in range(1, ${iterations} + 1):
    started = time.perf_counter()
    A = step(A)
    elapsed += time.perf_counter() - started
    if ${kept}:
        seconds.append(elapsed)
        atoms.append(A)
        passes.append(t)
save(seconds, passes, atoms=atoms)
`;

const NAME = 'NumPy plain MSP';

/** Every iterate is a snapshot: it is credited with the first below the target. */
export const numpyMsp: Contender = {
  name: NAME,
  ours: false,
  open: () => openPython(['numpy'], script(MSP_ITERATIONS, 'True')),
};

/** On real data: snapshots after 1, 2, 4, 8, … iterations. */
export const numpyMspOnRealData: Contender = {
  name: NAME,
  ours: false,
  mostRuns: 3,
  open: () => openPython(['numpy'], script(REAL_ITERATIONS, 't & (t - 1) == 0')),
};
