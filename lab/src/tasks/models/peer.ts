/** Runs a Python peer on the arrays of a game. */
import { join } from 'node:path';
import type { Matrix64 } from 'orthodict';
import { readArrays } from 'orthodict/node';
import { type Python, runPython } from '../../python.ts';
import type { Arrays, PeerPlayer } from './match.ts';
import { SHORT } from './timing.ts';

/** The arguments are the files of the arrays given and found, and the seed. */
const before = `
import sys, time, warnings
import numpy as np
warnings.simplefilter('ignore')
`;
const after = `
given = dict(np.load(sys.argv[1]))
seconds = []
while not seconds or (seconds[0] < ${SHORT.seconds} and len(seconds) < ${SHORT.repeats}):
    started = time.perf_counter()
    found = fit(given, int(sys.argv[3]))
    seconds.append(found.pop('seconds', time.perf_counter() - started))
found = {name: np.atleast_2d(np.asarray(array, dtype=np.float64)) for name, array in found.items()}
np.savez(sys.argv[2], seconds=np.median(seconds), **found)
`;

/** Seconds of the fit alone, without start-up, reading and writing. */
export async function runPeer(
  python: Python,
  { script }: PeerPlayer,
  { file, folder, seed, signal }: { file: string; folder: string; seed: number; signal: AbortSignal },
): Promise<{ readonly seconds: number; readonly found: Arrays }> {
  const out = join(folder, 'found.npz');
  await runPython(python, before + script + after, [file, out, String(seed)], signal);
  const arrays = await readArrays(out);
  const matrices = [...arrays].flatMap(([name, { shape, data }]): [string, Matrix64][] =>
    name === 'seconds' ? [] : [[name, { rows: shape[0], cols: shape[1], data: data as Float64Array }]],
  );
  return { seconds: Number(arrays.get('seconds')!.data[0]), found: Object.fromEntries(matrices) };
}
