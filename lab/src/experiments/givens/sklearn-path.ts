/** scikit-learn's SparsePCA along a path of penalties, from few non-zeros to many, if Python has it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Matrix64 } from 'orthodict';
import { range, unitRows } from 'orthodict/extend';
import { readArrays, writeArray } from 'orthodict/node';
import { findPython, runPython } from '../../python.ts';
import { nonzerosOf } from './explained.ts';

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

/** α from 1.3√p times the root mean square of the samples, where hardly anything is left, down by 13 % each time. */
export const STEPS = 24;

/** One thread, as the others. */
const SCRIPT = `
import os, sys, time, warnings
os.environ['OPENBLAS_NUM_THREADS'] = os.environ['OMP_NUM_THREADS'] = '1'
import numpy as np
from sklearn.decomposition import SparsePCA
warnings.simplefilter('ignore')
samples, out = np.load(sys.argv[1]), sys.argv[2]
components, limit, steps, seed = map(int, sys.argv[3:])
alpha = 1.3 * np.sqrt(np.sum(samples ** 2) / samples.shape[1])
seconds, loadings = [], []
for step in range(steps):
    model = SparsePCA(components, alpha=alpha * 0.87 ** step, method='cd', max_iter=limit, random_state=seed)
    started = time.perf_counter()
    model.fit(samples)
    seconds.append(time.perf_counter() - started)
    loadings.append(model.components_)
np.savez(out, seconds=np.array(seconds), loadings=np.array(loadings, dtype=np.float64))
`;

/** One fit per penalty; none without scikit-learn. */
export async function sklearnPath(options: PathOptions): Promise<readonly PathFit[]> {
  const { samples, components, limit, seed, signal } = options;
  const python = findPython('numpy', 'sklearn');
  if ('missing' in python) return [];
  const folder = await mkdtemp(join(tmpdir(), 'orthodict-sklearn-'));
  try {
    const [file, out] = ['samples.npy', 'path.npz'].map((name) => join(folder, name));
    await writeArray(file, samples);
    await runPython(python, SCRIPT, [file, out, ...[components, limit, STEPS, seed].map(String)], signal);
    return await readPath(out);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readPath(path: string): Promise<readonly PathFit[]> {
  const arrays = await readArrays(path);
  const { data: seconds } = arrays.get('seconds')!;
  const { data, shape } = arrays.get('loadings')!;
  const [count, rows, cols] = shape;
  const all = Float64Array.from(data as Float64Array);
  return range(count).map((k) => ({
    loadings: unitRows({ rows, cols, data: all.subarray(k * rows * cols, (k + 1) * rows * cols) }),
    seconds: Number(seconds[k]),
  }));
}

/** The fit with most non-zeros, but at most `most`; undefined if there is none. */
export function densest(path: readonly PathFit[], most: number): PathFit | undefined {
  const fits = path.filter(({ loadings }) => nonzerosOf(loadings) <= most);
  return fits.sort((a, b) => nonzerosOf(b.loadings) - nonzerosOf(a.loadings))[0];
}
