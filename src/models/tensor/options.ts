/** The options of `learnTensor` and `learnMoments`. */
import { demand } from '../../core/errors.ts';
import { hashNumbers } from '../../core/hash.ts';
import { toFloat64 } from '../../core/matrix.ts';
import {
  count,
  defineOptions,
  matrix,
  notNegativeOrWord,
  onlyWith,
  type SettingsOf,
  seed,
  startCount,
  toggle,
} from '../../core/options.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';
import { pairsOption } from '../../rotations/pairs-option.ts';

/** The options of `learnTensor`. */
export const tensorOptions = defineOptions({
  pairs: pairsOption('tournament'),
  starts: onlyWith(
    { start: [undefined] },
    startCount({
      placeholder: 'N',
      default: 1,
      help: 'number of random starts; the best is kept; factors of a tensor that are certain are not searched for again',
    }),
  ),
  maxIterations: count({ placeholder: 'I', default: 200, help: 'largest number of sweeps per start' }),
  tolerance: notNegativeOrWord(['auto'], {
    placeholder: 'E',
    default: 'auto',
    help: 'stop when a sweep moves the factors by no more than this (root mean square); auto: 1e-12, or for a tensor a thousandth of the error that its noise causes',
  }),
  seed: seed('seed of the random starts'),
  start: matrix('d×d orthogonal matrix to start from instead of random ones'),
});

/** The tolerance that `auto` means without noise. */
export const EXACT = 1e-12;

/** The defaults of `learnTensor`. */
export const tensorDefaults = tensorOptions.defaults;
export type TensorSettings = SettingsOf<typeof tensorOptions.table>;

/** The options of `learnMoments`. */
export const momentsOptions = defineOptions({
  ...tensorOptions.table,
  center: toggle({ help: 'subtract the mean sample' }),
  whiten: toggle({ help: 'subtract the mean sample and make the covariance the identity' }),
});

export function requireStartMatrix(who: string, { start }: TensorSettings, size: number): void {
  if (!start) return;
  const { rows, cols } = requireFiniteMatrix(who, 'start', start);
  demand(rows === size && cols === size, who, 'start', `a ${size}×${size} matrix`, `${rows}×${cols}`);
}

/** Settings as plain JSON, for a checkpoint. */
export const describeSettings = <S extends TensorSettings>({ start, ...rest }: S) => ({
  ...rest,
  ...(start && { start: hashNumbers([toFloat64(start).data]) }),
});
