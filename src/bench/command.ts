/** Runs `orthodict learn` as a process, from a .npy file to a model file, and measures wall time and peak memory. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Matrix } from '../core/matrix.ts';
import { recoveryError } from '../metrics/recovery-error.ts';
import { loadModel } from '../node/files/model-file.ts';
import type { Data, DataSet } from './data-sets.ts';

export interface CommandRun {
  readonly set: DataSet;
  readonly backend: string;
  /** From start to exit of the process. */
  readonly seconds: number;
  readonly error: number;
  readonly fileBytes: number;
  /** Peak resident memory as reported by the operating system; null without /proc. */
  readonly peakBytes: number | null;
  /** Why there is no peak. */
  readonly reason?: string;
}

const CLI = fileURLToPath(new URL('../cli/main.js', import.meta.url));
const SAMPLE_MS = 20;
const NO_PROC = 'this system has no /proc to read the peak memory from';

/** Runs on the float64 or the float32 file. */
export async function runCommand(
  { set, file, file32, truth }: Data,
  precision: 'f32' | 'f64',
  folder: string,
  signal?: AbortSignal,
): Promise<CommandRun> {
  const path = precision === 'f32' ? file32 : file;
  const out = join(folder, `model-${precision}.npz`);
  const { seconds, peakBytes, summary } = await timed([CLI, 'learn', path, '--out', out, '--json'], signal);
  const { dictionary } = await loadModel(out);
  return {
    set,
    backend: (JSON.parse(summary) as { backend: string }).backend,
    seconds,
    error: recoveryError(dictionary.atoms as Matrix, truth),
    fileBytes: statSync(path).size,
    peakBytes,
    ...(peakBytes === null && { reason: NO_PROC }),
  };
}

function timed(args: readonly string[], signal?: AbortSignal) {
  return new Promise<{ seconds: number; peakBytes: number | null; summary: string }>((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
    let [summary, complaint] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      summary += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      complaint += piece;
    });
    let peakBytes: number | null = null;
    const look = () => {
      peakBytes = readPeak(child.pid) ?? peakBytes; // it never falls, so the last reading is the peak
    };
    const timer = setInterval(look, SAMPLE_MS);
    child.on('error', (error) => {
      clearInterval(timer);
      reject(signal?.aborted ? signal.reason : error);
    });
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ seconds: (performance.now() - started) / 1000, peakBytes, summary });
      else reject(signal?.aborted ? signal.reason : new Error(complaint.trim() || `learn: exit code ${code}.`));
    });
  });
}

/** VmHWM of a process in bytes. */
function readPeak(pid: number | undefined): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(path, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined; // the process has just ended
  }
}
