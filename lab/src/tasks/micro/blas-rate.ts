/** The speed limit: this machine's BLAS through NumPy, in a process that computes a burst of products on request. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Precision } from 'orthodict';
import type { Missing } from '../../contenders/contender.ts';
import { blasThreads, findPython } from '../../python.ts';

/** Answers each line "f64 0.06" with the seconds of the fastest product within that time. */
const SCRIPT = `
import sys, time
import numpy as np
size = int(sys.argv[1])
operands = {'f64': np.random.default_rng(0).standard_normal((size, size))}
operands['f32'] = operands['f64'].astype(np.float32)
out = {name: np.empty_like(a) for name, a in operands.items()}
for line in sys.stdin:
    name, limit = line.split()
    a, c = operands[name], out[name]
    best, end = float('inf'), time.perf_counter() + float(limit)
    while time.perf_counter() < end:
        started = time.perf_counter()
        np.matmul(a, a, out=c)
        best = min(best, time.perf_counter() - started)
    print(best, flush=True)
`;

/** OpenBLAS threads spin for a while after a product: nothing else is timed meanwhile. */
const COOL_DOWN_MS = 50;

export interface BlasRate {
  readonly description: string;
  /** Seconds of one size³ product, the fastest within `limit` seconds. */
  burst(precision: Precision, limit: number): Promise<number>;
  close(): void;
}

export function openBlasRate(size: number, threads: number, signal?: AbortSignal): BlasRate | Missing {
  const python = findPython('numpy');
  if ('missing' in python) return python;
  const env = { ...process.env, ...blasThreads(threads) };
  const child = spawn(python.command, ['-c', SCRIPT, String(size)], { env, signal, killSignal: 'SIGKILL' });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.on('error', () => {}); // the end of its output reveals it
  child.stdin.on('error', () => {});
  child.stderr.resume();
  return {
    description: python.description.replace(/, \d+ threads$/, ''),
    burst: async (precision, limit) => {
      const seconds = await ask(child, lines, `${precision} ${limit}\n`, signal);
      if (threads > 1) await new Promise((resolve) => setTimeout(resolve, COOL_DOWN_MS));
      return seconds;
    },
    close: () => child.stdin.end(),
  };
}

async function ask(
  child: ChildProcessWithoutNullStreams,
  lines: AsyncIterator<string>,
  question: string,
  signal?: AbortSignal,
): Promise<number> {
  child.stdin.write(question);
  const { value, done } = await lines.next();
  signal?.throwIfAborted();
  if (done) throw new Error('bench: NumPy exited before it answered.');
  return Number(value);
}
