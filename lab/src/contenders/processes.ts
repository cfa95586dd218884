/**
 * Contenders as whole processes, as their users start them: from a .npy file to a file with the atoms. orthodict is the
 * command `learn`; NumPy is a script that does exactly the iterations it needs, then saves and exits.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Matrix } from 'orthodict';
import { loadModel, readMatrix } from 'orthodict/node';
import { repository } from '../files.ts';
import { findPython } from '../python.ts';
import type { Data } from '../tasks/recovery/data-sets.ts';
import { type Mark, markSnapshots } from '../tasks/recovery/objective.ts';
import { attempt } from './attempt.ts';
import type { Missing } from './contender.ts';
import { MSP_PROGRAM, numpyMsp } from './numpy-msp.ts';
import { asFlags, optionsFor } from './our-options.ts';

export const CLI = fileURLToPath(new URL('dist/cli/main.js', repository));

/** A command line that is ready to be timed. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** The atoms it has written. */
  read(): Promise<Matrix>;
}

export interface ProcessTask {
  readonly data: Data;
  readonly target: number;
  /** For its files. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Errors of NumPy's iterates, if known from a race. */
  readonly iterates?: readonly Mark[] | undefined;
}

export interface ProcessContender {
  readonly name: string;
  readonly ours: boolean;
  /** Not timed. */
  prepare(task: ProcessTask): Promise<Program | Missing>;
}

function orthodictProcess(backend: 'native' | 'wasm'): ProcessContender {
  return {
    name: `orthodict ${backend}`,
    ours: true,
    async prepare({ data, target, folder }) {
      const out = join(folder, `${backend}-${target}.npz`);
      const args = [CLI, 'learn', data.file, '--out', out, '--backend', backend, ...asFlags(optionsFor(target))];
      return { command: process.execPath, args, read: async () => (await loadModel(out)).dictionary.atoms };
    },
  };
}

const numpyProcess: ProcessContender = {
  name: numpyMsp.name,
  ours: false,
  async prepare(task) {
    const python = findPython('numpy');
    if ('missing' in python) return python;
    const iterates = task.iterates ?? (await iteratesOf(task));
    const count = iterates.findIndex(({ error }) => error <= task.target) + 1;
    if (count === 0) {
      const least = Math.min(...iterates.map(({ error }) => error));
      return { missing: `${iterates.length} iterations end at error ${least.toExponential(1)}` };
    }
    const [script, out] = [join(task.folder, 'msp.py'), join(task.folder, 'atoms.npy')];
    await writeFile(script, MSP_PROGRAM);
    const { file, set } = task.data;
    return {
      command: python.command,
      args: [script, file, String(count), String(set.seed), out],
      read: () => readMatrix(out),
    };
  },
};

const known = new WeakMap<Data, Promise<readonly Mark[]>>();

/** Runs NumPy's iterations, once for all targets, to find out how many it needs. */
function iteratesOf(task: ProcessTask): Promise<readonly Mark[]> {
  const marks = known.get(task.data) ?? markIterates(task);
  known.set(task.data, marks);
  return marks;
}

async function markIterates({ data, signal, target }: ProcessTask): Promise<readonly Mark[]> {
  const session = await numpyMsp.open();
  if ('missing' in session) throw new Error(session.missing);
  const { set, file, samples, truth } = data;
  const done = await attempt(session, { file, samples, seed: set.seed, target }, set.limitSeconds, signal);
  if ('failure' in done) throw new Error(done.failure);
  return markSnapshots(done.snapshots, truth, signal);
}

export const processContenders: readonly ProcessContender[] = [
  orthodictProcess('native'),
  numpyProcess,
  orthodictProcess('wasm'),
];
