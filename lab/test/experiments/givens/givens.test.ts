/** The grids of the Givens paper's experiments. What they claim: givens.slow.test.ts. */
import { describeGrids } from '../claims.ts';

describeGrids('givens');
