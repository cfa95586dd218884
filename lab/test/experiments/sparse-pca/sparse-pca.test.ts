/** The experiments on sparse components: their grids. What they claim: sparse-pca.slow.test.ts. */
import { describeGrids } from '../claims.ts';

describeGrids('sparse-pca');
