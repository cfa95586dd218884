/** A process that tries the library it is given: exit code 0 if it can be used. See blas.ts. */
import { openBlas } from './blas.ts';

process.exitCode = 'missing' in (await openBlas(process.argv[2], true)) ? 1 : 0;
