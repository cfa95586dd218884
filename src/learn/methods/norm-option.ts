/** The option `norm` of the methods that maximise an ℓ_q norm of the codes. */
import { number } from '../../core/options.ts';

/** The largest norm: a higher one sees nothing but the largest codes. */
export const MOST_NORM = 64;

export const norm = number(
  {
    placeholder: 'Q',
    default: 4,
    mustBe: `3 or an even number from 4 to ${MOST_NORM}`,
    help: 'maximise the l_q norm of the codes, where q is 3 or an even number; 3 needs fewer samples',
  },
  (q) => q === 3 || (q % 2 === 0 && q >= 4 && q <= MOST_NORM),
);
