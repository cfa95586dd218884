/** The options of `learnMixture`. */
import { demand } from '../../core/errors.ts';
import {
  choice,
  count,
  defineOptions,
  type OptionsOf,
  onlyWith,
  required,
  type SettingsOf,
  seed,
  startCount,
} from '../../core/options.ts';

/** Expectation maximisation has converged if no entry of a mean moves by more than this share of σ. */
export const CONVERGED = 1e-8;

export const mixtureOptions = defineOptions({
  clusters: required(count({ placeholder: 'K', help: 'number of clusters, at most the number of features' })),
  refine: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: expectation maximisation from the estimate by moments; none: that estimate',
  }),
  maxIterations: onlyWith(
    { refine: ['auto'] },
    count({ placeholder: 'I', default: 100, help: 'largest number of steps of expectation maximisation' }),
  ),
  starts: startCount({
    placeholder: 'N',
    default: 10,
    help: 'random starts of the decomposition; the best is kept',
  }),
  seed: seed('seed of the random starts'),
});

/** Their defaults. */
export const mixtureDefaults = mixtureOptions.defaults;
/** The options of `learnMixture`. */
export type MixtureOptions = OptionsOf<typeof mixtureOptions.table>;
export type MixtureSettings = SettingsOf<typeof mixtureOptions.table>;

export function requireClusters(
  who: string,
  { clusters }: MixtureSettings,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): void {
  const most = Math.min(rows, cols);
  demand(clusters <= most, who, 'clusters', `at most ${most} (${rows} samples, ${cols} features)`, clusters);
}
