/** With the fastest kernels; with the others: polar.slow.test.ts. */
import { fastKernels } from '../helpers/kernels.ts';
import { describePolar } from './polar-tests.ts';

describePolar(fastKernels);
