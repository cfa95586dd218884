/** What a benchmark measures, part by part; empty where a part did not run. */
import type { Micro } from './micro/rates.ts';
import type { StepTime } from './micro/steps.ts';
import type { StructuredTime } from './micro/structured.ts';
import type { ModelResults } from './models/models.ts';
import type { PeakMemory } from './processes/peak-memory.ts';
import type { StartUp } from './processes/start-up.ts';
import type { RealResults } from './real/real.ts';
import type { Recovery } from './recovery/recovery.ts';

export interface Measured {
  readonly recovery: readonly Recovery[];
  /** Recovery by whole processes, timed from start to exit. */
  readonly processes: readonly Recovery[];
  readonly startUp: readonly StartUp[];
  /** On the largest data set, for float64 and float32 files. */
  readonly memory: readonly PeakMemory[];
  readonly real: readonly RealResults[];
  readonly models: readonly ModelResults[];
  readonly micro: Micro | null;
  /** Encoding with structured dictionaries. */
  readonly structured: readonly StructuredTime[];
  readonly steps: readonly StepTime[];
}
