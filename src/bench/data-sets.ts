/**
 * The data that contenders are measured on: Bernoulli-Gaussian samples under a random orthogonal dictionary, in the sizes of
 * Table 2 of Zhai, Yang, Liao, Wright & Ma, "Complete dictionary learning via ℓ4-norm maximization" (2019).
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Matrix64 } from '../core/matrix.ts';

export interface DataSet {
  readonly features: number;
  readonly samples: number;
  readonly theta: number;
  readonly seed: number;
  /** Runs of every contender are never more than this: large sizes take minutes. */
  readonly mostRepeats: number;
  /** A run that takes longer is ended. */
  readonly limitSeconds: number;
}

/** A data set that has been made. */
export interface Data {
  readonly set: DataSet;
  /** .npy file with the samples in float64. */
  readonly file: string;
  /** .npy file with the samples in float32. */
  readonly file32: string;
  readonly samples: Matrix64;
  /** The dictionary that contenders look for: for the objective's eyes only. */
  readonly truth: Matrix64;
}

const small: readonly DataSet[] = [
  { features: 25, samples: 10_000, theta: 0.3, seed: 1, mostRepeats: 9, limitSeconds: 30 },
  { features: 100, samples: 40_000, theta: 0.3, seed: 1, mostRepeats: 9, limitSeconds: 180 },
];

const large: readonly DataSet[] = [
  { features: 200, samples: 80_000, theta: 0.3, seed: 1, mostRepeats: 2, limitSeconds: 180 },
  { features: 400, samples: 160_000, theta: 0.3, seed: 1, mostRepeats: 1, limitSeconds: 600 },
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

/** Makes the data and writes its files into `folder`; in another thread, so that an abort gets through. */
export async function makeData(set: DataSet, folder: string, signal?: AbortSignal): Promise<Data> {
  signal?.throwIfAborted();
  const name = join(folder, `samples-${set.features}x${set.samples}`);
  const job: DataJob = { set, file: `${name}.npy`, file32: `${name}-f32.npy` };
  const worker = new Worker(new URL('./data-worker.js', import.meta.url), { workerData: job });
  const abort = () => void worker.terminate();
  signal?.addEventListener('abort', abort);
  try {
    const made = await new Promise<Pick<Data, 'samples' | 'truth'>>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => reject(signal?.reason ?? new Error('bench: the data could not be made.')));
    });
    return { ...job, ...made };
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
