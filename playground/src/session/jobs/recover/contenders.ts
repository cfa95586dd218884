/** The contenders of a race by name: options of `learn`, and how the page labels and draws them. */
import type { LearnOptions } from 'orthodict';

export const CONTENDERS = {
  msp: {
    label: 'MSP, as published',
    colour: 'series-2',
    dash: [7, 4],
    options: { shift: 'none', momentum: 'off', refine: 'none', scout: 'none', tolerance: 1e-5 },
  },
  shifted: { label: 'Shifted', colour: 'series-3', dash: [2, 3], options: { refine: 'none', scout: 'none' } },
  refined: { label: 'Refined', colour: 'series-1', dash: [], options: {} },
  l3: { label: 'ℓ3, refined', colour: 'series-4', dash: [10, 3, 2, 3], options: { norm: 3, fallback: 'none' } },
  ica: { label: 'ICA', colour: 'series-5', dash: [4, 2], options: { method: 'ica', refine: 'none' } },
} as const satisfies Record<string, Contender>;

interface Contender {
  readonly label: string;
  /** Name of a colour in styles.css. */
  readonly colour: string;
  /** Lengths of strokes and gaps of its curve; a solid line if empty. */
  readonly dash: readonly number[];
  readonly options: LearnOptions;
}

export type ContenderName = keyof typeof CONTENDERS;

export const CONTENDER_NAMES = Object.keys(CONTENDERS) as ContenderName[];

/** The data to learn from: options of `generate`. */
export interface Recipe {
  /** Number of features, and of atoms. */
  readonly n: number;
  /** Number of samples. */
  readonly p: number;
  readonly theta: number;
  readonly noise: number;
  readonly condition: number;
  /** Seed of the data and of the first atoms. */
  readonly seed: number;
}

/** The recipe as options of `generate`; defaults are left out. */
export const generateOptionsOf = ({ n, p, theta, noise, condition, seed }: Recipe) => ({
  samples: p,
  features: n,
  theta,
  ...(noise > 0 && { noise }),
  ...(condition > 1 && { condition }),
  seed,
});

/** The options of `learn`. A dictionary that is not orthogonal needs white data; ICA whitens by itself. */
export const learnOptionsOf = (name: ContenderName, { condition, seed }: Recipe): LearnOptions => ({
  ...CONTENDERS[name].options,
  ...(condition > 1 && name !== 'ica' && { whiten: 'zca' }),
  seed,
});
