/** Python peers: a session that runs a script per task and reads its snapshots. */
import { join } from 'node:path';
import { type NpyArray, readArrays } from 'orthodict/node';
import { type Python, runPython } from '../python.ts';
import type { Session, Snapshot, Task } from './contender.ts';

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
      await runPython(python, PRELUDE + script, [file, out, String(seed)], signal);
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
