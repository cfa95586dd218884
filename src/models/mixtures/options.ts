/** The options of `learnMixture`. */
import { demand } from '../../core/errors.ts';
import {
  choice,
  count,
  countOrCounts,
  defineOptions,
  onlyWith,
  positiveFinite,
  required,
  type SettingsOf,
  seed,
  startCount,
} from '../../core/options.ts';
import { COVARIANCES } from './families.ts';

/** The options of `learnMixture`. */
export const mixtureOptions = defineOptions({
  clusters: required(
    countOrCounts({
      placeholder: 'K',
      help: 'number of clusters; if several are given (2,3,5 or 1-8), the one with the smallest BIC is kept',
    }),
  ),
  covariance: choice(COVARIANCES, {
    placeholder: 'KIND',
    default: 'common',
    help: 'common: one variance for all clusters; spherical: one per cluster; diagonal: one per cluster and feature; tied: one matrix for all clusters; full: one matrix per cluster',
  }),
  refine: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: expectation maximisation from the likeliest start; none: keep the moment estimate',
  }),
  maxIterations: onlyWith(
    { refine: ['auto'] },
    count({ placeholder: 'I', default: 1000, help: 'largest number of steps of expectation maximisation' }),
  ),
  tolerance: onlyWith(
    { refine: ['auto'] },
    positiveFinite({
      placeholder: 'E',
      default: 1e-4,
      help: 'stop when a step moves the clusters by no more than this, in standard deviations',
    }),
  ),
  starts: startCount({
    placeholder: 'N',
    default: 10,
    help: 'largest number of starts; the likeliest is kept; stops early once a second one reaches it',
  }),
  seed: seed('seed of the random starts'),
});

export type MixtureSettings = SettingsOf<typeof mixtureOptions.table>;

/** Checks the number of clusters: moments can separate at most as many clusters as there are features. */
export function requireClusters(
  who: string,
  clusters: number,
  { refine }: Pick<MixtureSettings, 'refine'>,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): void {
  const most = refine === 'none' ? Math.min(rows, cols) : rows;
  const size = refine === 'none' ? `${rows} samples, ${cols} features` : `${rows} samples`;
  demand(clusters <= most, who, 'clusters', `at most ${most} (${size})`, clusters);
}
