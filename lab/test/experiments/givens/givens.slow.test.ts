/** The quick form of what the Givens paper claims, on a part of its grids, must show it. */
import { describeClaims } from '../claims.ts';
import { rotationParts } from './rotation-parts.ts';
import { streamParts } from './stream-parts.ts';

describeClaims('givens', { ...rotationParts, ...streamParts });
