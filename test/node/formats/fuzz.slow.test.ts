/** Damaged files that NumPy wrote give data or an InputError: never another exception, never a hang. */
import { readFileSync } from 'node:fs';
import { beforeAll } from 'vitest';
import { describeWithNumpy, python } from '../../helpers/numpy.ts';
import { survives } from './damage.ts';
import { scratchFiles } from './files.ts';

const { inDirectory } = scratchFiles();
const [stored, deflated] = [inDirectory('savez.npz'), inDirectory('savezc.npz')];

describeWithNumpy('damaged files of NumPy', () => {
  beforeAll(() => {
    const script = `
import sys, numpy as np
arrays = dict(samples=np.asfortranarray(np.eye(9)), t=np.array('x'))
np.savez(sys.argv[1], **arrays)
np.savez_compressed(sys.argv[2], **arrays)`;
    python(script, stored, deflated);
  });
  survives('s.npz', () => readFileSync(stored), 200);
  survives('c.npz', () => readFileSync(deflated), 200);
});
