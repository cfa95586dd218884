/** The registry of experiments, and selection by name. */
import { InputError } from 'orthodict';
import type { Experiment } from './framework/experiment.ts';
import { givensLazy } from './givens/lazy.ts';
import { givensMixtures } from './givens/mixtures.ts';
import { givensNoise } from './givens/noise.ts';
import { givensPairs } from './givens/pair-orders.ts';
import { givensRate } from './givens/rate.ts';
import { givensSparsePca, givensSparsePcaGenes } from './givens/sparse-pca.ts';
import { givensStream, givensStreamDigits } from './givens/stream.ts';
import { givensTheorem1 } from './givens/theorem1.ts';
import { givensTheorem3 } from './givens/theorem3.ts';
import { givensTopics } from './givens/topics.ts';
import { householderFigure1 } from './householder/figure1.ts';
import { householderFigure2 } from './householder/figure2.ts';
import { householderFigure3 } from './householder/figure3.ts';
import { householderFigure4 } from './householder/figure4.ts';
import { householderFigure5 } from './householder/figure5.ts';
import { householderStart } from './householder/start.ts';
import { householderTheorem1 } from './householder/theorem1.ts';
import { figure1 } from './l4/figure1.ts';
import { figure2 } from './l4/figure2.ts';
import { figure3 } from './l4/figure3.ts';
import { figure4 } from './l4/figure4.ts';
import { figure5 } from './l4/figure5.ts';
import { figure6 } from './l4/figure6.ts';
import { figure7a } from './l4/figure7a.ts';
import { figure7b } from './l4/figure7b.ts';
import { figure8a } from './l4/figure8a.ts';
import { figure8b } from './l4/figure8b.ts';
import { figure8c } from './l4/figure8c.ts';
import { figure9 } from './l4/figure9.ts';
import { figure10 } from './l4/figure10.ts';
import { figure11, figure11Cifar10, figure11Fashion } from './l4/figure11.ts';
import { table1 } from './l4/table1.ts';
import { table2 } from './l4/table2.ts';
import { anyStep } from './l4-theory/any-step.ts';
import { bias } from './l4-theory/bias.ts';
import { concentration } from './l4-theory/concentration.ts';
import { critical } from './l4-theory/critical.ts';
import { cubic } from './l4-theory/cubic.ts';
import { examples } from './l4-theory/examples.ts';
import { expectation } from './l4-theory/expectation.ts';
import { extrema } from './l4-theory/extrema.ts';
import { hadamardGrowth } from './l4-theory/hadamard-growth.ts';
import { maximiser } from './l4-theory/maximiser.ts';
import { norms } from './l4-theory/norms.ts';
import { oneIteration } from './l4-theory/one-iteration.ts';
import { oneStep } from './l4-theory/one-step.ts';
import { rates } from './l4-theory/rates.ts';
import { robust } from './l4-theory/robust.ts';
import { certificate } from './recovery/certificate.ts';
import { fewSamples } from './recovery/few-samples.ts';
import { sparsePcaCancer, sparsePcaDigits, sparsePcaGenes, sparsePcaWine } from './sparse-pca/held-out.ts';

export const experiments: readonly Experiment[] = [
  table1,
  table2,
  figure1,
  figure2,
  figure3,
  figure4,
  figure5,
  figure6,
  figure7a,
  figure7b,
  figure8a,
  figure8b,
  figure8c,
  figure9,
  figure10,
  figure11,
  figure11Fashion,
  figure11Cifar10,
  expectation,
  concentration,
  extrema,
  maximiser,
  norms,
  examples,
  oneStep,
  bias,
  critical,
  hadamardGrowth,
  anyStep,
  cubic,
  rates,
  oneIteration,
  robust,
  fewSamples,
  certificate,
  householderFigure1,
  householderFigure2,
  householderFigure3,
  householderFigure4,
  householderFigure5,
  householderStart,
  householderTheorem1,
  givensTheorem1,
  givensRate,
  givensPairs,
  givensTheorem3,
  givensNoise,
  givensLazy,
  givensTopics,
  givensMixtures,
  givensStream,
  givensStreamDigits,
  givensSparsePca,
  givensSparsePcaGenes,
  sparsePcaDigits,
  sparsePcaCancer,
  sparsePcaWine,
  sparsePcaGenes,
];

/** Group names: the figures of a paper, or its statements. */
export const groups: readonly string[] = [...new Set(experiments.map(({ group }) => group))];

/** Every name that selects an experiment. */
export const namesOf = ({ name, group, aliases = [] }: Experiment): string[] => [name, ...aliases, group, 'all'];

/** Selects by experiment name, group name or `all`; in registry order, each once. */
export function selectExperiments(names: readonly string[]): Experiment[] {
  const known = [
    ...new Set([...experiments.map(({ name }) => name), ...experiments.flatMap(({ aliases = [] }) => aliases)]),
    ...groups,
    'all',
  ];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    const got = unknown === undefined ? 'none' : `"${unknown}"`;
    throw new InputError(`reproduce: NAME must be one or some of ${known.join(', ')}; got ${got}.`);
  }
  return experiments.filter((experiment) => names.some((given) => namesOf(experiment).includes(given)));
}
