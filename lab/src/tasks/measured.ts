/** What a benchmark measures, part by part; empty where a part did not run. */
import type { Micro } from './micro/rates.ts';
import type { StepTime } from './micro/steps.ts';
import type { StructuredTime } from './micro/structured.ts';
import type { ModelRace } from './models/model-race.ts';
import type { PeakMemory } from './processes/peak-memory.ts';
import type { ProcessRace } from './processes/processes.ts';
import type { StartUp } from './processes/start-up.ts';
import type { RealRace } from './real/real-race.ts';
import type { Race } from './recovery/race.ts';

export interface Measured {
  readonly races: readonly Race[];
  readonly processes: readonly ProcessRace[];
  readonly startUp: readonly StartUp[];
  /** On the largest data set, for float64 and float32 files. */
  readonly memory: readonly PeakMemory[];
  readonly real: readonly RealRace[];
  readonly models: readonly ModelRace[];
  readonly micro: Micro | null;
  /** Encoding with structured dictionaries. */
  readonly structured: readonly StructuredTime[];
  readonly steps: readonly StepTime[];
}
