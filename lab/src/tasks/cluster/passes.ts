/** What is measured on an executor, of whatever kind: a pass with nothing to compute, and one with work for a second. */
import { join } from 'node:path';
import type { Executor, Source } from 'orthodict';
import { type CorrelateParams, correlatePass, createRandom, normalMatrix, toFloat32 } from 'orthodict/extend';
import { openSource, writeArray } from 'orthodict/node';
import { median } from '../../median.ts';

/** How large the passes are; tests use smaller ones. */
export interface ClusterSizes {
  /** Features of passes with nothing to compute: sums of 80 KB and 8 MB. */
  readonly empty: readonly number[];
  readonly samples: number;
  readonly features: number;
  readonly rounds: number;
}

export const CLUSTER_SIZES: ClusterSizes = { empty: [100, 1000], samples: 160_000, features: 200, rounds: 7 };

/** Median seconds of a pass. */
export interface PassTimes {
  readonly empty: readonly { readonly features: number; readonly seconds: number }[];
  readonly full: number;
}

export function correlateParams(features: number): CorrelateParams {
  const atoms = normalMatrix(features, features, createRandom(features, 'cluster'));
  const conditioning = { scale: 1 / Math.sqrt(features) };
  return { atoms, conditioning, response: { kind: 'power', norm: 4 }, precision: 'f64' };
}

/** `parts`: blocks of the pass with nothing to compute, one sample each. */
export async function timePasses(
  executor: Executor,
  parts: number,
  folder: string,
  { empty, samples, features, rounds }: ClusterSizes,
  signal?: AbortSignal,
): Promise<PassTimes> {
  const timed = async (rows: number, cols: number, ranges?: Source['ranges']): Promise<number> => {
    const source = await fileSource(folder, rows, cols);
    const params = correlateParams(cols);
    const seconds: number[] = [];
    try {
      for (let round = -1; round < rounds; round++) {
        const started = performance.now();
        await executor.sum(correlatePass, params, ranges ? { ...source, ranges } : source, signal);
        if (round >= 0) seconds.push((performance.now() - started) / 1000); // the first one opens the file
      }
    } finally {
      await source.close?.();
    }
    return median(seconds);
  };
  const ranges = singleRows(Math.max(2, parts));
  const times: { features: number; seconds: number }[] = [];
  for (const cols of empty) times.push({ features: cols, seconds: await timed(ranges.length, cols, ranges) });
  return { empty: times, full: await timed(samples, features) };
}

export const singleRows = (rows: number) => Array.from({ length: rows }, (_, k) => ({ start: k, end: k + 1 }));

/** Random samples in a file, which other machines open. */
export async function fileSource(folder: string, rows: number, cols: number): Promise<Source> {
  const path = join(folder, `samples-${rows}x${cols}.npy`);
  await writeArray(path, toFloat32(normalMatrix(rows, cols, createRandom(rows, 'cluster'))));
  return openSource(path, { memoryLimit: 0 });
}
