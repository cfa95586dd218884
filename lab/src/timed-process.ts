/** Runs a process and measures it from start to exit. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface TimedProcess {
  readonly seconds: number;
  readonly stdout: string;
  /** Peak resident memory as reported by the operating system; null if not asked for, or without /proc. */
  readonly peakBytes: number | null;
}

export interface TimedProcessOptions {
  readonly signal?: AbortSignal | undefined;
  /** Also look at its memory, every few milliseconds. */
  readonly memory?: boolean;
}

const SAMPLE_MS = 20;

/** Rejects with the last line of its standard error if it fails. */
export function timeProcess(
  command: string,
  args: readonly string[],
  { signal, memory = false }: TimedProcessOptions = {},
): Promise<TimedProcess> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    let peakBytes: number | null = null;
    const started = performance.now();
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr = (stderr + piece).slice(-2000);
    });
    const look = () => {
      peakBytes = readPeak(child.pid) ?? peakBytes; // it never falls, so the last reading is the peak
    };
    const timer = memory ? setInterval(look, SAMPLE_MS) : undefined;
    child.on('error', (error) => {
      clearInterval(timer);
      reject(signal?.aborted ? signal.reason : error);
    });
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ seconds: (performance.now() - started) / 1000, stdout, peakBytes });
      else reject(signal?.aborted ? signal.reason : new Error(lastLine(stderr) || `exit code ${code}`));
    });
  });
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

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
