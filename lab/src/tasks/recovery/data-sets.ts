/**
 * Benchmark data: Bernoulli-Gaussian samples under a random orthogonal dictionary, in the sizes of
 * Table 2 of Zhai, Yang, Liao, Wright & Ma, "Complete dictionary learning via ℓ4-norm maximization" (2019).
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Matrix64 } from 'orthodict';
import type { Size } from '../../contenders/contender.ts';

export interface DataSet extends Size {
  readonly theta: number;
  readonly seed: number;
  /** Maximum number of runs per contender: large sizes take minutes. */
  readonly mostRuns: number;
  /** A longer run is aborted. */
  readonly limitSeconds: number;
}

/** A generated data set. */
export interface Planted {
  readonly set: DataSet;
  /** .npy file with the samples in float64. */
  readonly file: string;
  /** .npy file with the samples in float32. */
  readonly file32: string;
  readonly samples: Matrix64;
  /** The true dictionary, seen only by the objective. */
  readonly truth: Matrix64;
}

const small: readonly DataSet[] = [
  { features: 25, samples: 10_000, theta: 0.3, seed: 1, mostRuns: 9, limitSeconds: 30 },
  { features: 100, samples: 40_000, theta: 0.3, seed: 1, mostRuns: 9, limitSeconds: 180 },
];

const large: readonly DataSet[] = [
  { features: 200, samples: 80_000, theta: 0.3, seed: 1, mostRuns: 3, limitSeconds: 180 },
  { features: 400, samples: 160_000, theta: 0.3, seed: 1, mostRuns: 1, limitSeconds: 600 },
];

export const DATA_SETS = Object.freeze({ small, large: [...small, ...large] });
export type SetName = keyof typeof DATA_SETS;

export const describeSet = ({ features, samples }: DataSet): string => `n=${features}, p=${thousands(samples)}`;

const thousands = (count: number): string => (count % 1000 === 0 ? `${count / 1000}k` : String(count));

export interface DataJob {
  readonly set: DataSet;
  readonly file: string;
  readonly file32: string;
}

/** Generates the data and writes its files to `folder`; in another thread, so that it can be aborted. */
export async function makeData(set: DataSet, folder: string, signal?: AbortSignal): Promise<Planted> {
  signal?.throwIfAborted();
  const name = join(folder, `samples-${set.features}x${set.samples}`);
  const job: DataJob = { set, file: `${name}.npy`, file32: `${name}-f32.npy` };
  const worker = new Worker(new URL('./data-worker.js', import.meta.url), { workerData: job });
  const abort = () => void worker.terminate();
  signal?.addEventListener('abort', abort);
  try {
    const made = await new Promise<Pick<Planted, 'samples' | 'truth'>>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => reject(signal?.reason ?? new Error('bench: the data could not be made.')));
    });
    return { ...job, ...made };
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
