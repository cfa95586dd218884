/** What a benchmark may be asked for. */
import { inputError } from 'orthodict/extend';
import type { SetName } from './recovery/data-sets.ts';

/** The parts of a benchmark, and what they measure. */
export const PARTS = Object.freeze({
  recovery: 'time to recover a planted dictionary, library calls on waiting threads',
  processes: 'the same as whole processes, from start to exit; start-up; peak memory',
  real: 'held-out residual against time on digits, patches of a photograph and MNIST',
  models: 'every model beside scikit-learn: quality and time',
  micro: 'speed of the kernels against BLAS, of structured dictionaries, and of single steps',
} as const);
export type Part = keyof typeof PARTS;

export interface BenchOptions {
  /** Default: all. */
  readonly parts?: readonly Part[];
  /** Planted dictionaries, for recovery and processes. */
  readonly set?: SetName;
  /** Also run the other programs installed here. */
  readonly peers?: boolean;
  /** Rounds; data sets may lower it. */
  readonly repeats?: number;
  /** Only contenders whose name contains one of these words. */
  readonly only?: readonly string[];
  /** Only models and data whose description contains one of these words. */
  readonly model?: readonly string[];
  /** Only data sets with these numbers of features. */
  readonly features?: readonly number[];
}

export type BenchSettings = Required<BenchOptions>;

export const benchDefaults = Object.freeze({
  parts: Object.keys(PARTS) as Part[],
  set: 'small',
  peers: false,
  repeats: 7,
  only: [],
  model: [],
  features: [],
} as const satisfies BenchSettings);

export function settleBench(options: BenchOptions): BenchSettings {
  const settings: BenchSettings = { ...benchDefaults, ...options };
  const { repeats } = settings;
  if (Number.isInteger(repeats) && repeats >= 1 && repeats <= 100) return settings;
  throw inputError('bench', 'repeat', 'a whole number from 1 to 100', repeats);
}
