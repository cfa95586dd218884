/** Contenders in Python: a session runs a script per task and reads its snapshots. BLAS threads follow the environment. */
import { join } from 'node:path';
import { readArrays } from 'orthodict/node';
import { blasThreads, findPython, runPython } from '../python.ts';
import type { Arrays, Contender, Missing, Session, Snapshot } from './contender.ts';
import { SHORT } from './library-call.ts';

/**
 * Start of every script: the arguments are the file of the arrays given, the output file and the seed. `save` takes lists with an entry
 * for every snapshot.
 */
const PRELUDE = `
import sys, time, warnings
import numpy as np
warnings.simplefilter('ignore')
given, out, seed = np.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
given = dict(samples=given) if isinstance(given, np.ndarray) else dict(given)
samples = given.get('samples')
def save(seconds, passes=None, **found):
    arrays = dict(found, seconds=seconds, passes=passes)
    np.savez(out, **{name: np.array(a, dtype=np.float64) for name, a in arrays.items() if a is not None})
`;

/** A session that runs a script per task, which ends by a call of `save`. */
export async function openPython(
  modules: readonly string[],
  script: string,
  { threads }: { readonly threads?: number } = {},
): Promise<Session | Missing> {
  const python = findPython(...modules);
  const limits = threads === undefined ? {} : blasThreads(threads);
  if ('missing' in python) return python;
  return {
    description: python.description,
    async run({ file, folder, seed, signal }) {
      const out = join(folder, 'snapshots.npz');
      await runPython(python, PRELUDE + script, [file, out, String(seed)], signal, limits);
      return readSnapshots(out);
    },
    async close() {},
  };
}

/** Calls `fit`, several times if it is short. */
const FIT = `
seconds = []
while not seconds or (seconds[0] < ${SHORT.seconds} and len(seconds) < ${SHORT.repeats}):
    started = time.perf_counter()
    found = fit(given, seed)
    seconds.append(found.pop('seconds', time.perf_counter() - started))
save([np.median(seconds)], **{name: [np.atleast_2d(np.asarray(array))] for name, array in found.items()})
`;

/**
 * A contender whose script defines `fit(given, seed)`, from a dictionary of arrays to one. `seconds` in it counts instead of
 * the time of the call.
 */
export const pythonFit = (name: string, script: string, mostRuns?: number): Contender => ({
  name,
  ours: false,
  ...(mostRuns !== undefined && { mostRuns }),
  open: () => openPython(['numpy', 'sklearn'], script + FIT),
});

async function readSnapshots(path: string): Promise<Snapshot[]> {
  const arrays = await readArrays(path);
  const numbers = (name: string) => arrays.get(name)?.data as Float64Array | undefined;
  const [seconds, passes] = [numbers('seconds'), numbers('passes')];
  if (!seconds) throw new Error(`bench: ${path} has no snapshots.`);
  const names = [...arrays.keys()].filter((name) => name !== 'seconds' && name !== 'passes');
  return Array.from(seconds, (time, k) => {
    const found = names.map((name): [string, Arrays[string]] => {
      const [, rows, cols] = arrays.get(name)!.shape;
      return [name, { rows, cols, data: numbers(name)!.slice(k * rows * cols, (k + 1) * rows * cols) }];
    });
    return { seconds: time, passes: passes?.[k], found: Object.fromEntries(found) };
  });
}
