/** The settings of the tab "Recover", their defaults, and what a link may set them to. */
import { CONTENDER_NAMES, type ContenderName, type Recipe } from '../../session/jobs/recover/contenders.ts';
import { oneOf, type Rules, readSettings, whole, within } from '../../settings.ts';

export const DEFAULTS = {
  n: 30,
  theta: 0.3,
  p: 5000,
  noise: 0,
  condition: 1,
  seed: 1,
  /** Names of contenders with dashes between. */
  contenders: 'msp-shifted-refined-ica',
  /** The contender whose matrix is shown. */
  shown: 'refined' as ContenderName,
  /** When the columns of the matrix are sorted. */
  sort: 'end' as 'end' | 'always' | 'never',
  slow: true,
  mapN: 10,
  mapContender: 'refined' as ContenderName,
  mapTrials: 3,
};

export type Settings = typeof DEFAULTS;

/** The most numbers in all samples: 80 MB, and as much for their codes while they are made. */
const MOST_NUMBERS = 1e7;
const MOST_SAMPLES = 200_000;
const FEWEST_SAMPLES = 20;

const mostSamples = (n: number): number => Math.min(MOST_SAMPLES, Math.floor(MOST_NUMBERS / n));

const SCALE = [10, 100, 1000, 10_000, 100_000]
  .flatMap((decade) => [1, 1.5, 2, 3, 5, 7].map((factor) => factor * decade))
  .filter((p) => p >= FEWEST_SAMPLES && p <= MOST_SAMPLES);

/** Numbers of samples to choose from: at least as many as features. */
export const samplesScale = (n: number): number[] => SCALE.filter((p) => p >= n && p <= mostSamples(n));

export const clampSamples = (p: number, n: number): number => Math.min(Math.max(p, n), mostSamples(n));

export const CONDITIONS = [1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100] as const;

export const RULES: Rules<Settings> = {
  n: whole(2, 200),
  theta: within(0.02, 0.9),
  p: whole(FEWEST_SAMPLES, MOST_SAMPLES),
  noise: within(0, 0.7),
  condition: within(1, 100),
  seed: whole(0, 2 ** 32 - 1),
  contenders: (names) => names !== '' && listed(names).length === names.split('-').length,
  shown: oneOf(...CONTENDER_NAMES),
  sort: oneOf('end', 'always', 'never'),
  slow: oneOf(true, false),
  mapN: whole(2, 40),
  mapContender: oneOf(...CONTENDER_NAMES),
  mapTrials: whole(1, 3),
};

/** The contenders of a list like msp-refined, in their usual order. */
export function listed(names: string): ContenderName[] {
  const wanted = names.split('-');
  return CONTENDER_NAMES.filter((name) => wanted.includes(name));
}

/** The settings in the page's address. */
export function settingsIn(hash: string): Settings {
  const settings = readSettings(hash, DEFAULTS, RULES);
  return { ...settings, p: clampSamples(settings.p, settings.n) };
}

export const recipeIn = ({ n, p, theta, noise, condition, seed }: Settings): Recipe => ({
  n,
  p,
  theta,
  noise,
  condition,
  seed,
});
