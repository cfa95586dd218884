/** Python peers: finds an interpreter that has them, runs a script, reads its snapshots. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { NpyArray } from '../formats/npy.ts';
import { readArrays } from '../node/formats/arrays.ts';
import type { Missing, Session, Snapshot, Task } from './contender.ts';

/** Debian's NumPy belongs to /usr/bin/python3, which need not be the first python3 on the PATH. */
const INTERPRETERS = ['/usr/bin/python3', 'python3'];
const START_LIMIT_MS = 60_000;

const VERSIONS = `
import importlib, sys
names = sys.argv[1:]
words = ['Python %d.%d' % sys.version_info[:2]] + [n + ' ' + importlib.import_module(n).__version__ for n in names]
try:
    import threadpoolctl
    words += ['%s %s, %d threads' % (i['internal_api'], i['version'], i['num_threads'])
              for i in threadpoolctl.threadpool_info() if i['user_api'] == 'blas'][:1]
except ImportError:
    pass
print(', '.join(words))
`;

export interface Python {
  readonly command: string;
  /** Versions of the interpreter, its modules and its BLAS. */
  readonly description: string;
}

const found = new Map<string, Python | Missing>();

/** The first interpreter that has the modules; searched for once. */
export function findPython(...modules: string[]): Python | Missing {
  const key = modules.join(' ');
  const python = found.get(key) ?? look(modules);
  found.set(key, python);
  return python;
}

function look(modules: readonly string[]): Python | Missing {
  for (const command of INTERPRETERS) {
    const options = { encoding: 'utf8', timeout: START_LIMIT_MS } as const;
    const { status, stdout } = spawnSync(command, ['-c', VERSIONS, ...modules], options);
    if (status === 0) return { command, description: stdout.trim() };
  }
  return { missing: `no Python with ${modules.join(' and ')} (tried ${INTERPRETERS.join(', ')})` };
}

/** Start of every script: the arguments are the samples' file, the output file and the seed. */
const PRELUDE = `
import sys, time
import numpy as np
samples, out, seed = np.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def save(seconds, atoms, passes=None, mean=None):
    arrays = dict(seconds=seconds, atoms=atoms, passes=passes, mean=mean)
    np.savez(out, **{name: np.array(a, dtype=np.float64) for name, a in arrays.items() if a is not None})
`;

/** A session that runs a script per task; BLAS threads follow the environment. */
export function pythonSession(python: Python, script: string): Session {
  return {
    description: python.description,
    async run({ file, folder, seed, signal }: Task) {
      const out = join(folder, 'snapshots.npz');
      await runToEnd(python.command, ['-c', PRELUDE + script, file, out, String(seed)], signal);
      return readSnapshots(out);
    },
    async close() {},
  };
}

async function readSnapshots(path: string): Promise<Snapshot[]> {
  const arrays = await readArrays(path);
  const [times, atoms] = [arrays.get('seconds'), arrays.get('atoms')];
  if (!times || !atoms) throw new Error(`bench: ${path} has no snapshots.`);
  const [count, rows, cols] = atoms.shape;
  const [seconds, passes, mean] = [times, arrays.get('passes'), arrays.get('mean')].map(numbersOf);
  return Array.from({ length: count }, (_, k): Snapshot => {
    const data = numbersOf(atoms)!.slice(k * rows * cols, (k + 1) * rows * cols);
    return { seconds: seconds![k], passes: passes?.[k], mean, atoms: { rows, cols, data } };
  });
}

const numbersOf = (array: NpyArray | undefined): Float64Array | undefined => array?.data as Float64Array | undefined;

/** Keeps standard error for the failure message. */
function runToEnd(command: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGKILL' });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      words = (words + piece).slice(-2000);
    });
    child.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(signal.aborted ? signal.reason : new Error(words.trim().split('\n').at(-1) ?? `exit code ${code}`));
    });
  });
}
