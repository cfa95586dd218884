/** Tries the given library in a process of its own: exit code 0 if it can be used. See blas.ts. */
import { openBlas } from './blas.ts';

process.exitCode = 'missing' in (await openBlas(process.argv[2], true)) ? 1 : 0;
