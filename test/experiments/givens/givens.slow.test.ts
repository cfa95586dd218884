/** The quick form of the experiments of the paper on Givens rotations, on a part of its grid, must show what it claims. */
import { describeClaims, describeGrids } from '../claims.ts';
import { streamParts } from './stream-parts.ts';

describeClaims('givens', { ...streamParts });
describeGrids('givens');
