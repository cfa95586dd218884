/** The option `pairs` of all ascents by plane rotations. */
import { choice } from '../core/options.ts';
import { PAIR_RULES, type PairRule } from './pairs.ts';

export const pairsOption = <const D extends PairRule>(standard: D, help = 'order of the planes') =>
  choice(PAIR_RULES, { placeholder: 'RULE', default: standard, help });
