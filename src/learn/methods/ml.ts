/**
 * Maximum likelihood of codes that are nearly zero or normal (spike and slab), by the stages of likelihood/search.ts: explore
 * with a wide spike, narrow it, certify, and look for the rest where the certified atoms have no part. Given a start, such as
 * the result of another method, it begins with narrowing.
 */
import { count } from '../../core/options.ts';
import { commonBut } from '../common-options.ts';
import { defineMethod } from './method.ts';

export const ml = defineMethod({
  name: 'ml',
  summary: 'maximum likelihood of sparse codes, for few samples, dense codes or noise',
  space: 'orthogonal',
  defaults: { maxIterations: 10_000 },
  options: {
    attempts: count({
      placeholder: 'N',
      default: 8,
      help: 'explore at most this many times, until all atoms are certified or two starts agree',
    }),
  },
  takes: commonBut('refine', 'scout', 'tolerance', 'objectiveTolerance'),
  search: (_, { attempts }) => ({ times: Number.POSITIVE_INFINITY, attempts }),
});
