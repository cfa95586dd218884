/**
 * models/householder as a method of `learn`: a product of few Householder reflectors, for codes whose mean is not zero.
 */
import { householderDictionary } from '../../dictionaries/householder.ts';
import { learnReflectors } from '../../models/householder/learn-householder.ts';
import { householderOptions } from '../../models/householder/options.ts';
import { defineMethod } from './method.ts';

const { reflectors, theta, mean, start } = householderOptions.table;

export const householder = defineMethod({
  name: 'householder',
  summary: 'a product of few Householder reflectors, for codes of nonzero mean with few samples and many features',
  space: 'fixed',
  takes: ['refine', 'seed', 'holdout'],
  options: { reflectors, theta, mean, start },
  describe: (settings) => `householder, ${settings.reflectors} reflectors`,
  async learn(source, settings, run) {
    const result = await learnReflectors(source, settings, run);
    const { status, reason, iterations, refined, refinement, exact, identified, thetaMu } = result;
    return {
      dictionary: householderDictionary(result),
      status,
      reason,
      iterations,
      objective: Number.NaN,
      refined,
      refinement,
      details: { exact, reflectors: result.reflectors.rows, identified, thetaMu: thetaMu ?? null },
    };
  },
});
