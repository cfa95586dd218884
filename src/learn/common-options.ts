/** The options that all methods of `learn` share. Options of a single method are in its file under methods/. */
import type { Precision } from '../core/matrix.ts';
import {
  choice,
  count,
  defineOptions,
  matrix,
  notNegative,
  notNegativeOrWord,
  number,
  onlyWith,
  positive,
  type SettingsOf,
  seed,
  startCount,
  toggle,
} from '../core/options.ts';

/** The options that every method of `learn` knows. */
export const commonOptions = defineOptions({
  whiten: choice(['none', 'zca'], {
    placeholder: 'HOW',
    default: 'none',
    help: 'none: orthogonal dictionary of the data as it is; zca: complete, not necessarily orthogonal',
  }),
  components: count({ placeholder: 'K', help: 'number of atoms; default: as many as features' }),
  refine: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: use the zeros of the codes to get from 0.3 % error to exact; none: do not',
  }),
  center: toggle({
    help: 'subtract the mean sample, which the refinement makes exact with the zeros; the model stores it',
  }),
  precision: choice(['mixed', 'f32', 'f64'], {
    placeholder: 'P',
    default: 'mixed',
    help: 'of the arithmetic and the model; mixed: float32 to explore, float64 to refine, and the model as precise as the samples',
  }),
  maxIterations: count({
    placeholder: 'I',
    default: 1000,
    help: 'stop exploring after this many iterations; a search after it may take as many again, or --fallback times as many',
  }),
  maxSeconds: positive({
    placeholder: 'S',
    default: Number.POSITIVE_INFINITY,
    help: 'end the run after about this many seconds of learning, those before a resume included; it takes at least one step, and reading the data and writing the model come on top',
  }),
  tolerance: notNegativeOrWord(['auto'], {
    placeholder: 'E',
    default: 'auto',
    help: 'stop when a step moves the atoms by at most this (root mean square); auto: 1e-5, and earlier once the change is within sampling error (msp, ica)',
  }),
  objectiveTolerance: notNegative({
    placeholder: 'E',
    default: 1e-8,
    help: 'stop when three steps together raise the objective by at most this, relatively',
  }),
  scout: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: explore on few samples first, and on white data only as long as the refinement needs',
  }),
  seed: seed(),
  starts: onlyWith(
    { start: [undefined] },
    startCount({
      placeholder: 'N',
      default: 1,
      help: 'learn from this many random starts (seeds K, K+1, …), keep the best objective (of the refined ones, if any is), and count the atoms that all of them find',
    }),
  ),
  holdout: number(
    {
      placeholder: 'SHARE',
      mustBe: 'a number above 0, at most 0.5',
      help: 'do not learn from this share of the samples, and report how well few codes describe them, beside PCA and DCT',
    },
    (share) => share > 0 && share <= 0.5,
  ),
  start: matrix('atoms to start from (K×n, as rows) instead of a random orthogonal matrix'),
});

export type CommonTable = typeof commonOptions.table;
export type CommonName = keyof CommonTable;
/** The common options with defaults filled in. */
export type CommonSettings = SettingsOf<CommonTable>;

/** All common options but these, for methods that do not use them. */
export const commonBut = <N extends CommonName>(...unused: readonly N[]): Exclude<CommonName, N>[] =>
  (Object.keys(commonOptions.table) as CommonName[]).filter(
    (name): name is Exclude<CommonName, N> => !(unused as readonly string[]).includes(name),
  );

/** Those that decide when a method with a single step stops: it does anyway. */
export const STOPPING = ['maxIterations', 'maxSeconds', 'tolerance', 'objectiveTolerance'] as const;

/** The tolerance in force with `auto`. */
const AUTO_TOLERANCE = 1e-5;

export const toleranceOf = ({ tolerance }: Pick<CommonSettings, 'tolerance'>): number =>
  tolerance === 'auto' ? AUTO_TOLERANCE : tolerance;

/** Exploring runs in float32 unless float64 is asked for. */
export const exploringPrecision = ({ precision }: Pick<CommonSettings, 'precision'>): Precision =>
  precision === 'f64' ? 'f64' : 'f32';
