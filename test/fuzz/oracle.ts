/** A second reader of files, in Python with NumPy: one process that answers questions, one line each. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FloatArray } from '#src/core/matrix.ts';
import { interpreter } from '../helpers/python.ts';

const SCRIPT = fileURLToPath(new URL('./oracle.py', import.meta.url));

export interface Answer {
  /** Why it could not be read; the rest is absent then. */
  readonly refused?: string;
  readonly shape?: readonly number[];
  readonly kind?: 'float32' | 'float64';
  readonly hash?: string;
}

let python: { readonly process: ChildProcessWithoutNullStreams; readonly lines: AsyncIterator<string> } | undefined;

/** What Python reads from the file; undefined if there is no Python with NumPy. */
export async function askOracle(kind: string, path: string, array?: string): Promise<Answer | undefined> {
  if (interpreter === undefined) return undefined;
  if (!python) {
    const process = spawn(interpreter, [SCRIPT], { stdio: 'pipe' });
    python = { process, lines: createInterface(process.stdout)[Symbol.asyncIterator]() };
  }
  python.process.stdin.write(`${JSON.stringify({ kind, path, array })}\n`);
  const { value, done } = await python.lines.next();
  if (done) throw new Error('the oracle has ended');
  return JSON.parse(value);
}

export async function closeOracle(): Promise<void> {
  python?.process.stdin.end();
  python = undefined;
}

/** Throws unless the oracle reads the same numbers. */
export async function requireSameNumbers(
  ours: { readonly shape: readonly number[]; readonly data: FloatArray },
  ...question: Parameters<typeof askOracle>
): Promise<void> {
  const answer = await askOracle(...question);
  if (!answer) return;
  const mine = { shape: [...ours.shape], ...fingerprint(ours.data) };
  if (answer.refused !== undefined) {
    throw new Error(`read ${mine.shape.join('×')} numbers where NumPy says: ${answer.refused}`);
  }
  if (JSON.stringify(mine) !== JSON.stringify({ shape: answer.shape, kind: answer.kind, hash: answer.hash })) {
    throw new Error(`read ${JSON.stringify(mine)} where NumPy reads ${JSON.stringify(answer)}`);
  }
}

function fingerprint(data: FloatArray): { kind: string; hash: string } {
  const one = data.map((x: number) => (Number.isNaN(x) ? Number.NaN : x)) as FloatArray; // one kind of NaN
  const bytes = new Uint8Array(one.buffer, one.byteOffset, one.byteLength);
  const kind = one instanceof Float32Array ? 'float32' : 'float64';
  return { kind, hash: createHash('sha1').update(bytes).digest('hex') };
}
