/** The option `pairs` of everything that turns plane by plane. */
import { choice } from '../core/options.ts';
import { PAIR_RULES, type PairRule } from './pairs.ts';

export const pairsOption = <const D extends PairRule>(standard: D, help = 'order of the planes') =>
  choice(PAIR_RULES, { placeholder: 'RULE', default: standard, help });
