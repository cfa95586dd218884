/**
 * Contenders as whole processes, as their users start them: from a .npy file to a file with the atoms. orthodict is the
 * command `learn`; NumPy is a script that does exactly the iterations it needs, then saves and exits.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toFloat64 } from 'orthodict/extend';
import { loadModel, readMatrix } from 'orthodict/node';
import { repository } from '../files.ts';
import { findPython } from '../python.ts';
import { timeProcess } from '../timed-process.ts';
import type { Contender } from './contender.ts';
import { MSP_ITERATIONS, MSP_PROGRAM, numpyMsp } from './numpy-msp.ts';
import { asFlags, optionsFor } from './our-options.ts';

export const CLI = fileURLToPath(new URL('dist/cli/main.js', repository));

const orthodictProcess = (backend: 'native' | 'wasm'): Contender => ({
  name: `orthodict ${backend}`,
  ours: true,
  targeted: true,
  open: async () => ({
    description: 'orthodict learn',
    async run({ file, folder, target = 0, signal }) {
      const out = join(folder, 'model.npz');
      const args = [CLI, 'learn', file, '--out', out, '--backend', backend, ...asFlags(optionsFor(target))];
      const { seconds } = await timeProcess(process.execPath, args, { signal });
      return [{ seconds, found: { atoms: toFloat64((await loadModel(out)).dictionary.atoms) } }];
    },
    async close() {},
  }),
});

const numpyProcess: Contender = {
  name: numpyMsp.name,
  ours: false,
  targeted: true,
  async open() {
    const python = findPython('numpy');
    return {
      description: 'missing' in python ? python.missing : python.description,
      async run({ file, folder, seed, iterations = MSP_ITERATIONS, signal }) {
        if ('missing' in python) throw new Error(python.missing);
        if (!Number.isFinite(iterations)) throw new Error(`${MSP_ITERATIONS} iterations do not reach it`);
        const [script, out] = [join(folder, 'msp.py'), join(folder, 'atoms.npy')];
        await writeFile(script, MSP_PROGRAM);
        const args = [script, file, String(iterations), String(seed), out];
        const { seconds } = await timeProcess(python.command, args, { signal });
        return [{ seconds, found: { atoms: toFloat64(await readMatrix(out)) } }];
      },
      async close() {},
    };
  },
};

export const processContenders: readonly Contender[] = [
  orthodictProcess('native'),
  numpyProcess,
  orthodictProcess('wasm'),
];
