/** Options that several generators share. */
import { choice, count, number, required, seed } from '../core/options.ts';

export const samples = required(count({ placeholder: 'P', help: 'number of samples' }));
export const features = required(count({ placeholder: 'N', help: 'number of features' }));

export const theta = required(
  number(
    { placeholder: 'T', mustBe: 'in (0, 1]', help: 'probability that a code is non-zero' },
    (share) => share > 0 && share <= 1,
  ),
);

/** An option for a finite number, 0 or more. */
export const amount = <const D extends number>(placeholder: string, help: string, standard: D) =>
  number(
    { placeholder, help, default: standard, mustBe: 'a finite number, 0 or more' },
    (value) => value >= 0 && value < Number.POSITIVE_INFINITY,
  );

/** An option for a number from 0 to 1; default: 0. */
export const share = (help: string) =>
  number({ placeholder: 'F', help, default: 0, mustBe: 'in [0, 1]' }, (value) => value >= 0 && value <= 1);

export const precision = choice(['f32', 'f64'], {
  placeholder: 'TYPE',
  default: 'f64',
  help: 'precision of the samples',
});

export const dataSeed = seed('determines every random number');
