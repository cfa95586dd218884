/** Shared by the experiments on exact recovery. */
import { mostly } from '../framework/claims.ts';

export const GROUP = 'recovery';

/** A dictionary with at most this error is exact but for rounding. */
export const RECOVERED = 1e-8;

/** `wrong`: atoms that are certified and no true atoms. */
export const NO_FALSE_CERTIFICATE = mostly('No certified atom is wrong.', 'wrong', 0, 1);
