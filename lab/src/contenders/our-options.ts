/** The options with which orthodict takes part, in one place: for library calls, and as flags of `orthodict learn`. */
import type { LearnOptions } from 'orthodict';

/** Error that ℓ4 maximisation alone can reach; below it, refinement is needed. */
const EXPLORING_ERROR = 4e-3;

/**
 * What a user would ask for who wants a recovery error. Without refinement, a step over all samples that turns the atoms
 * by a fifth or less is the last one needed.
 */
export function optionsFor(target: number): LearnOptions {
  return target < EXPLORING_ERROR ? {} : { refine: 'none', tolerance: 0.2 };
}

/** Plain MSP: every step a pass over all samples, until a step moves the atoms by 1e-5. */
export const PLAIN = {
  shift: 'none',
  momentum: 'off',
  scout: 'none',
  refine: 'none',
  tolerance: 1e-5,
} as const satisfies LearnOptions;

/** Plain MSP run to its end: results on real data are compared with this. */
export const REFERENCE = {
  ...PLAIN,
  method: 'msp',
  precision: 'f64',
  tolerance: 1e-8,
  objectiveTolerance: 0,
  maxIterations: 20_000,
} as const satisfies LearnOptions;

export const PCA = { method: 'pca' } as const satisfies LearnOptions;

/** Steps of one kind, none of which ends the run early: for the seconds a step takes. */
const ENDLESS = { tolerance: 0, objectiveTolerance: 0 } as const;
export const STEPS = {
  msp: { ...PLAIN, ...ENDLESS, method: 'msp', precision: 'f64' },
  givens: { ...ENDLESS, method: 'givens', refine: 'none', precision: 'f64' },
  ksvd: { ...ENDLESS, method: 'ksvd', growth: 'none' },
} as const satisfies Record<string, LearnOptions>;

/** `{ refine: 'none', maxIterations: 5 }` → `--refine none --max-iterations 5` */
export const asFlags = (options: LearnOptions): string[] =>
  Object.entries(options).flatMap(([name, value]) => [
    `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    String(value),
  ]);
