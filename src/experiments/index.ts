/** Every experiment there is, and which of them some names mean. */
import { InputError } from '../errors.ts';
import type { Experiment } from './experiment.ts';
import { householderFigure1 } from './householder-figure1.ts';
import { householderFigure2 } from './householder-figure2.ts';
import { householderFigure3 } from './householder-figure3.ts';
import { householderFigure4 } from './householder-figure4.ts';
import { householderFigure5 } from './householder-figure5.ts';

export const experiments: readonly Experiment[] = [
  householderFigure1,
  householderFigure2,
  householderFigure3,
  householderFigure4,
  householderFigure5,
];

export const groups: readonly string[] = [...new Set(experiments.map(({ group }) => group))];

/** Names of experiments, of groups, or `all`; in the order of the registry, each once. */
export function selectExperiments(names: readonly string[]): Experiment[] {
  const known = [...experiments.map(({ name }) => name), ...groups, 'all'];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    const got = unknown === undefined ? 'none' : `"${unknown}"`;
    throw new InputError(`reproduce: NAME must be one or some of ${known.join(', ')}; got ${got}.`);
  }
  return experiments.filter(({ name, group }) => names.some((given) => [name, group, 'all'].includes(given)));
}
