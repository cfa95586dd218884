/** The Python that has NumPy. */
import { spawnSync } from 'node:child_process';
import { patient } from './patience.ts';

/** Debian's NumPy belongs to /usr/bin/python3, which need not be the first python3 on the PATH. */
const INTERPRETERS = ['/usr/bin/python3', 'python3'];

/** The first interpreter that has NumPy. */
export const interpreter = INTERPRETERS.find(
  (python) => spawnSync(python, ['-c', 'import numpy'], { stdio: 'ignore', timeout: patient(60_000) }).status === 0,
);
