/** With all kernels but the fastest, with which they are in polar.test.ts. */
import { allKernels, fastKernels } from '../helpers/kernels.ts';
import { describePolar } from './polar-tests.ts';

for (const kernels of allKernels) if (kernels !== fastKernels) describePolar(kernels);
