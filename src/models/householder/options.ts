/** The options of `learnHouseholder`. */
import { demand } from '../../core/errors.ts';
import { type Matrix, row } from '../../core/matrix.ts';
import { choice, count, defineOptions, matrixOrWord, number, type SettingsOf, seed } from '../../core/options.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';

/** The options of `learnHouseholder`. */
export const householderOptions = defineOptions({
  reflectors: count({ placeholder: 'M', default: 1, help: 'number of reflectors M of the dictionary V = H_1 ... H_M' }),
  theta: number(
    {
      placeholder: 'T',
      mustBe: 'in (0, 1)',
      help: 'share of non-zero codes; needs mean; default: the product of theta and mean is estimated',
    },
    (theta) => theta > 0 && theta < 1,
  ),
  mean: number(
    {
      placeholder: 'MU',
      mustBe: 'a finite number other than 0',
      help: 'mean of the non-zero codes; needs theta',
    },
    (mean) => Number.isFinite(mean) && mean !== 0,
  ),
  refine: choice(['auto', 'none'], {
    default: 'auto',
    help: 'auto: improve the moment estimate with the zeros of the codes, to the last digit if there is no noise; none: keep it',
  }),
  start: matrixOrWord(['identity', 'random'], {
    placeholder: 'HOW',
    array: 'reflectors',
    default: 'identity',
    help: 'reflectors to start from: identity, random, or an M×n matrix (rows of any norm but zero; a file: .npy, .npz with reflectors, f.npz:name)',
  }),
  seed: seed(),
});

export type HouseholderSettings = SettingsOf<typeof householderOptions.table>;

/** Checks the options against the data and each other. */
export function requireFit(
  who: string,
  { reflectors, theta, mean, start: given }: HouseholderSettings,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): void {
  demand(rows >= 2, who, 'samples', 'at least 2, to distinguish their mean from chance', rows);
  const most = `a whole number from 1 to the number of features, ${cols}`;
  demand(reflectors <= cols, who, 'reflectors', most, reflectors);
  demand((theta === undefined) === (mean === undefined), who, 'theta and mean', 'given together', theta ?? mean);
  if (typeof given !== 'string') requireStart(who, given, reflectors, cols);
}

function requireStart(who: string, start: Matrix, reflectors: number, features: number): void {
  const { rows, cols } = start;
  const shape = `a ${reflectors}×${features} matrix`;
  demand(rows === reflectors && cols === features, who, 'start', shape, `${rows}×${cols}`);
  requireFiniteMatrix(who, 'start', start);
  for (let k = 0; k < rows; k++) {
    demand(
      row(start, k).some((value) => value !== 0),
      who,
      'start',
      'of rows other than 0',
      `row ${k}`,
    );
  }
}
