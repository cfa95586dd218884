/** The whole benchmark: planted dictionaries, whole processes, real data, and the speed of the parts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAll, type Described, describe, openAll, type Skipped, type Watch } from '../contenders/contender.ts';
import { contenders, realContenders } from '../contenders/index.ts';
import { processContenders } from '../contenders/whole-processes.ts';
import { type Figure, figures } from '../report/figures.ts';
import { choose, type Field } from './choose.ts';
import type { Measured } from './measured.ts';
import { type MicroSizes, measureRates } from './micro/rates.ts';
import { type StepGroup, timeSteps } from './micro/steps.ts';
import { type StructuredSizes, timeStructured } from './micro/structured.ts';
import { MODEL_TASKS } from './models/index.ts';
import { runModels } from './models/models.ts';
import { type BenchOptions, type BenchSettings, settleBench } from './options.ts';
import { type PlantedOptions, runPlanted } from './planted.ts';
import { timeStartUp } from './processes/start-up.ts';
import { learnRealData, type RealResults } from './real/real.ts';
import { describeRealSet, REAL_SETS } from './real/real-sets.ts';
import { DATA_SETS } from './recovery/data-sets.ts';

/** The setup of a run; tests use smaller data. */
export interface BenchRun extends Watch {
  readonly field?: Partial<Field>;
  readonly startUpRounds?: number;
  readonly microRounds?: number;
  readonly microSizes?: Partial<MicroSizes>;
  readonly structuredSizes?: StructuredSizes;
  readonly stepGroups?: readonly StepGroup[];
}

export interface Bench extends Measured {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string; readonly platform: string };
  readonly options: BenchSettings;
  /** Those that took part, with versions and threads. */
  readonly contenders: readonly Described[];
  readonly skipped: readonly Skipped[];
  readonly figures: readonly Figure[];
}

const START_UP_ROUNDS = 11;
const MICRO_ROUNDS = 4;
const STRUCTURED_ROUNDS = 2;

export async function bench(options: BenchOptions = {}, run: BenchRun = {}): Promise<Bench> {
  const settings = settleBench(options);
  const { parts, repeats, peers, set } = settings;
  const everybody: Field = {
    sets: DATA_SETS[set],
    recovery: contenders,
    processes: processContenders,
    realSets: REAL_SETS,
    real: realContenders,
    models: MODEL_TASKS,
  };
  const field = choose({ ...everybody, ...run.field }, settings);
  const folder = await mkdtemp(join(tmpdir(), 'orthodict-bench-'));
  const inside = { rounds: repeats, folder, signal: run.signal, say: run.say };
  try {
    const planted = await runPlanted(field, inside);
    const rounds = run.startUpRounds ?? START_UP_ROUNDS;
    const startUp = parts.includes('processes') ? await timeStartUp({ ...inside, rounds, peers }) : [];
    const real = await runReal(field, inside);
    const modelRounds = Math.min(MODEL_ROUNDS, repeats);
    const models = await runModels(field.models, { ...inside, rounds: modelRounds, peers, only: settings.only });
    const micro = parts.includes('micro') ? await runMicro(run) : NO_MICRO;
    const { recovery, processes, memory } = planted;
    const { rates, structured, steps } = micro;
    const measured = {
      recovery,
      processes,
      startUp,
      memory,
      real: real.results,
      models: models.models,
      micro: rates,
      structured,
      steps,
    };
    return {
      machine: machine(),
      options: settings,
      contenders: unique([...planted.contenders, ...real.contenders, ...models.contenders]),
      skipped: unique([...field.skipped, ...planted.skipped, ...real.skipped, ...models.skipped, ...micro.skipped]),
      ...measured,
      figures: figures(measured),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runReal(field: Field, options: PlantedOptions) {
  const { signal, say } = options;
  const results: RealResults[] = [];
  const sets = field.real.length > 0 ? field.realSets : [];
  const { opened, skipped } = await openAll(sets.length > 0 ? field.real : [], options);
  try {
    for (const set of sets) {
      signal?.throwIfAborted();
      const missing = set.missing?.();
      if (missing) skipped.push({ name: set.name, reason: missing });
      else {
        const name = describeRealSet(set);
        results.push(await learnRealData(opened, set, { ...options, say: (text) => say?.(`${name}: ${text}`) }));
      }
    }
  } finally {
    await closeAll(opened);
  }
  return { results, skipped, contenders: opened.map(describe) };
}

/** Most seeds of which every model has a round. */
const MODEL_ROUNDS = 5;

const NO_MICRO = { rates: null, structured: [], steps: [], skipped: [] };

async function runMicro({ signal, say, microRounds, microSizes = {}, structuredSizes, stepGroups }: BenchRun) {
  const rates = await measureRates({ rounds: microRounds ?? MICRO_ROUNDS, signal, say, sizes: microSizes });
  const rounds = microRounds ?? STRUCTURED_ROUNDS;
  const structured = await timeStructured({ rounds, sizes: structuredSizes, signal, say });
  const { times, skipped } = await timeSteps({ rounds: microRounds ?? MICRO_ROUNDS, groups: stepGroups, signal, say });
  return { rates, structured, steps: times, skipped };
}

/** Each once. */
const unique = <T>(list: readonly T[]): T[] => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];

function machine(): Bench['machine'] {
  const cpu = cpus()[0]?.model.trim() ?? 'unknown';
  return { cpu, cores: availableParallelism(), node: process.version, platform: `${process.platform}-${process.arch}` };
}
