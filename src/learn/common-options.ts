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

/** The options that every method of `learn` accepts. */
export const commonOptions = defineOptions({
  whiten: choice(['none', 'zca'], {
    placeholder: 'HOW',
    default: 'none',
    help: 'none: an orthogonal dictionary of the data as it is; zca: a complete dictionary, not necessarily orthogonal',
  }),
  components: count({ placeholder: 'K', help: 'number of atoms; default: as many as features' }),
  refine: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: use the zeros of the codes to go from 0.3 % error to exact; none: skip this',
  }),
  center: toggle({
    help: 'subtract the mean sample and store it in the model; refinement makes the mean exact too',
  }),
  precision: choice(['mixed', 'f32', 'f64'], {
    placeholder: 'P',
    default: 'mixed',
    help: 'precision of arithmetic and model; mixed: explore in float32, refine in float64, and store the model as precisely as the samples',
  }),
  maxIterations: count({
    placeholder: 'I',
    default: 1000,
    help: 'stop exploring after this many iterations; the fallback may take as many again, or --fallback times as many',
  }),
  maxSeconds: positive({
    placeholder: 'S',
    default: Number.POSITIVE_INFINITY,
    help: 'approximate time limit for learning in seconds, including the time before a resume, but not reading the data and writing the model; takes at least one step',
  }),
  tolerance: notNegativeOrWord(['auto'], {
    placeholder: 'E',
    default: 'auto',
    help: 'stop when a step moves the atoms by at most this (root mean square); auto: 1e-5, or earlier once the change is within sampling error (msp, ica)',
  }),
  objectiveTolerance: notNegative({
    placeholder: 'E',
    default: 1e-8,
    help: 'stop when three steps together raise the objective by at most this fraction',
  }),
  scout: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: explore on a subsample first, and on white data only until refinement can take over',
  }),
  seed: seed(),
  starts: onlyWith(
    { start: [undefined] },
    startCount({
      placeholder: 'N',
      default: 1,
      help: 'learn from this many random starts (seeds K, K+1, …), keep the one with the best objective (a refined one, if there is any), and count the atoms that all of them find',
    }),
  ),
  holdout: number(
    {
      placeholder: 'SHARE',
      mustBe: 'a number above 0, at most 0.5',
      help: 'hold out this share of the samples, and report how well a few codes describe them, compared with PCA and DCT',
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

/** Options that control when a method stops: useless for methods with a single step. */
export const STOPPING = ['maxIterations', 'maxSeconds', 'tolerance', 'objectiveTolerance'] as const;

/** The tolerance used with `auto`. */
const AUTO_TOLERANCE = 1e-5;

/** The tolerance in numbers: 1e-5 for `auto`. */
export const toleranceOf = ({ tolerance }: Pick<CommonSettings, 'tolerance'>): number =>
  tolerance === 'auto' ? AUTO_TOLERANCE : tolerance;

/** Precision of exploring: float32 unless float64 is asked for. */
export const exploringPrecision = ({ precision }: Pick<CommonSettings, 'precision'>): Precision =>
  precision === 'f64' ? 'f64' : 'f32';
