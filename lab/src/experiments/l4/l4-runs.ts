/**
 * Runs for the figures of Zhai, Yang, Liao, Wright & Ma, "Complete dictionary learning via ℓ4-norm maximization over
 * the orthogonal group" (2020): the paper's own method (matching, stretching and projection, MSP) and orthodict's
 * defaults.
 *
 *     on the orthogonal group (Algorithms 1, 3)   samples are the rows of I:  g = ‖A‖₄⁴/n
 *     on data (Algorithm 2)                       Y = X D, X Bernoulli-Gaussian: g = ‖A Dᵀ‖₄⁴/n, f = ‖Y Aᵀ‖₄⁴/(3npθ)
 */

import {
  type Executor,
  type Generated,
  generate,
  type LearnOptions,
  type LearnResult,
  type Matrix,
  type Matrix64,
  recoveryError,
} from 'orthodict';
import { identity, inlineExecutor, randomStart, referenceKernels, settleOptions, toFloat64 } from 'orthodict/extend';
import { createNodeExecutor, learn, selectNodeKernels } from 'orthodict/node';
import type { Point } from '../framework/experiment.ts';

export const GROUP = 'l4';
export const PAPER =
  'Zhai, Yang, Liao, Wright & Ma, Complete dictionary learning via ℓ4-norm maximization over the orthogonal group';
/** The conference version, which shows some of the same results. */
export const SHORT = 'l4-short';

/** Algorithm 1: no shift, no momentum. */
const PLAIN_STEPS = { shift: 'none', momentum: 'off' } as const;

/** Plain Algorithm 2. */
export const PLAIN = {
  ...PLAIN_STEPS,
  refine: 'none',
  scout: 'none',
  tolerance: 1e-5,
} as const satisfies LearnOptions;

/** Runs until rounding stops the progress. */
const ON_GROUP = { refine: 'none', scout: 'none', precision: 'f64', tolerance: 1e-12, objectiveTolerance: 0 } as const;

/** Limit for 1 − g: below it, A is a signed permutation, that is, a global maximiser. */
export const REACHED = 1e-6;

let single: Promise<Executor> | undefined;
let shared: Promise<Executor> | undefined;

/** Every thread that measures trials uses the same kernels. */
export function singleThread(): Promise<Executor> {
  single ??= selectNodeKernels('wasm').then(({ kernels }) => inlineExecutor(kernels));
  return single;
}

/** All cores: only for trials that run one at a time. */
export function allCores(): Promise<Executor> {
  shared ??= createNodeExecutor();
  return shared;
}

/** Point: n, p, theta. */
export function bernoulliGaussian({ n, p, theta }: Point, seed: number): Generated {
  return generate({ features: n, samples: p, theta, seed });
}

export interface Run {
  readonly result: LearnResult;
  /** A_0, A_1, …: the start, then the atoms after every step, those of a refused refinement included. */
  readonly atoms: readonly Matrix64[];
  /** Passes over the data so far; partial passes count by their share. */
  readonly passes: readonly number[];
  /** The objective of every report of progress: that of A_0, A_1, … while exploring; unknown for the last one. */
  readonly objectives: readonly number[];
}

/** Runs `learn` and records the atoms after every step. */
export async function follow(
  samples: Matrix,
  options: LearnOptions,
  { executor, signal }: { executor: Executor; signal: AbortSignal },
): Promise<Run> {
  const { start, seed } = settleOptions(options).settings;
  const atoms = [start ? toFloat64(start) : randomStart(samples.cols, seed, referenceKernels)];
  const passes: number[] = [0];
  const objectives: number[] = [];
  const result = await learn(samples, options, {
    executor,
    signal,
    onProgress({ iteration, objective, visited = Number.NaN, atoms: atomsNow }) {
      objectives.push(objective);
      if (iteration === 0 || !atomsNow) return; // a stage begins
      atoms.push(atomsNow());
      passes.push(visited / samples.rows);
    },
  });
  return { result, atoms, passes, objectives };
}

export interface GroupRun {
  /** ‖A_t‖_q^q/n for t = 0, 1, … */
  readonly values: readonly number[];
  /** 1 − ‖A‖₄⁴/n of the last one. */
  readonly error: number;
  /** Steps until 1 − ‖A_t‖₄⁴/n ≤ REACHED; infinite if never. */
  readonly iterations: number;
  readonly last: Matrix64;
}

type GroupOptions = Extract<LearnOptions, { readonly method?: 'msp' | undefined } | { readonly method: 'pga' }>;

/** Algorithm 3 on O(n); with infinite `step`, Algorithm 1. */
export async function onGroup(n: number, options: GroupOptions, signal: AbortSignal): Promise<GroupRun> {
  const I = identity(n);
  const { norm = 4 } = options;
  const settings: GroupOptions =
    options.method === 'pga' ? { ...ON_GROUP, ...options } : { ...ON_GROUP, ...PLAIN_STEPS, ...options };
  const executor = await singleThread();
  const { atoms } = await follow(I, settings, { executor, signal });
  const errors = atoms.map((A) => recoveryError(A, I));
  const values = atoms.map((A) => A.data.reduce((sum, a) => sum + Math.abs(a) ** norm, 0) / n);
  const iterations = errors.findIndex((error) => error <= REACHED);
  return {
    values,
    error: errors.at(-1)!,
    iterations: iterations < 0 ? Number.POSITIVE_INFINITY : iterations,
    last: atoms.at(-1)!,
  };
}

/** Computes a run once and shares it among all points that differ only in `without`. */
export function sharedAlong<T>(
  without: string,
  compute: (point: Point, seed: number, signal: AbortSignal) => Promise<T>,
) {
  const known = new Map<string, Promise<T>>();
  return (point: Point, seed: number, signal: AbortSignal): Promise<T> => {
    const { [without]: _, ...rest } = point;
    const key = JSON.stringify([rest, seed]);
    const found = known.get(key) ?? compute(rest, seed, signal);
    known.set(key, found);
    return found;
  };
}
