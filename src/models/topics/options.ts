/** The options of `learnTopics`. */
import { demand } from '../../core/errors.ts';
import {
  choice,
  count,
  defineOptions,
  number,
  onlyWith,
  required,
  type SettingsOf,
  seed,
  startCount,
} from '../../core/options.ts';

/** Largest alpha0: documents that mix more topics are all alike. */
const LARGEST_ALPHA0 = 1e6;

/** The options of `learnTopics`. */
export const topicsOptions = defineOptions({
  topics: required(count({ placeholder: 'K', help: 'number of topics' })),
  alpha0: number(
    {
      placeholder: 'A',
      default: 1,
      mustBe: `a number above 0, at most ${LARGEST_ALPHA0}`,
      help: 'how many topics a document mixes; near 0: one per document',
    },
    (alpha0) => alpha0 > 0 && alpha0 <= LARGEST_ALPHA0,
  ),
  refine: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: variational steps from the moment estimate, if they predict better; none: keep the moment estimate',
  }),
  maxIterations: onlyWith(
    { refine: ['auto'] },
    count({ placeholder: 'I', default: 20, help: 'largest number of variational steps' }),
  ),
  heldOut: number(
    {
      placeholder: 'F',
      default: 0.1,
      mustBe: 'a share from 0 to 0.9',
      help: 'share of the documents held out to test the topics on',
    },
    (share) => share >= 0 && share <= 0.9,
  ),
  starts: startCount({
    placeholder: 'N',
    default: 10,
    help: 'number of random starts of the decomposition; the best is kept',
  }),
  seed: seed('seed of the random starts and of the choice of held-out documents'),
});

export type TopicsSettings = SettingsOf<typeof topicsOptions.table>;

export function requireTopics(
  who: string,
  { topics }: TopicsSettings,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): void {
  const most = Math.min(rows, cols);
  demand(topics <= most, who, 'topics', `at most ${most} (${rows} documents, ${cols} words)`, topics);
}
