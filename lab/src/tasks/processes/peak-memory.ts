/** The whole command with default options, from a .npy file to a model file: its wall time and peak memory. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { recoveryError } from 'orthodict';
import { loadModel } from 'orthodict/node';
import { CLI } from '../../contenders/whole-processes.ts';
import { timeProcess } from '../../timed-process.ts';
import type { DataSet, Planted } from '../recovery/data-sets.ts';

export interface PeakMemory {
  readonly set: DataSet;
  readonly precision: 'f32' | 'f64';
  readonly backend: string;
  /** Seconds from start to exit of the process. */
  readonly seconds: number;
  readonly error: number;
  readonly fileBytes: number;
  /** Peak resident memory as reported by the operating system; null without /proc. */
  readonly peakBytes: number | null;
  /** Why there is no peak. */
  readonly reason?: string;
}

const NO_PROC = 'this system has no /proc to read the peak memory from';

/** Runs on the float64 or the float32 file. */
export async function measureMemory(
  { set, file, file32, truth }: Planted,
  precision: PeakMemory['precision'],
  folder: string,
  signal?: AbortSignal,
): Promise<PeakMemory> {
  const path = precision === 'f32' ? file32 : file;
  const out = join(folder, `model-${precision}.npz`);
  const args = [CLI, 'learn', path, '--out', out, '--json'];
  const { seconds, peakBytes, stdout } = await timeProcess(process.execPath, args, { signal, memory: true });
  const { dictionary } = await loadModel(out);
  return {
    set,
    precision,
    backend: (JSON.parse(stdout) as { backend: string }).backend,
    seconds,
    error: recoveryError(dictionary.atoms, truth),
    fileBytes: statSync(path).size,
    peakBytes,
    ...(peakBytes === null && { reason: NO_PROC }),
  };
}
