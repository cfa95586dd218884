/** The whole benchmark: planted dictionaries, whole processes, real data, and the speed of the parts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAll, openAll } from '../contenders/attempt.ts';
import type { Described, Skipped } from '../contenders/contender.ts';
import { contenders, realContenders } from '../contenders/index.ts';
import { processContenders } from '../contenders/processes.ts';
import { type Figure, figures } from '../report/figures.ts';
import { choose, type Field } from './choose.ts';
import type { Measured } from './measured.ts';
import { type MicroSizes, measureRates } from './micro/rates.ts';
import { type StepGroup, timeSteps } from './micro/steps.ts';
import { type StructuredSizes, timeStructured } from './micro/structured.ts';
import { MATCHES } from './models/index.ts';
import { playAll } from './models/model-race.ts';
import { type BenchOptions, type BenchSettings, settleBench } from './options.ts';
import { runPlanted } from './planted.ts';
import { timeStartUp } from './processes/start-up.ts';
import { type RealRace, realRace } from './real/real-race.ts';
import { describeRealSet, REAL_SETS } from './real/real-sets.ts';
import { DATA_SETS } from './recovery/data-sets.ts';

/** The setup of a run; tests use smaller data. */
export interface BenchRun {
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
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
  /** The contenders of the races and on real data, with versions and threads. */
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
    racing: contenders,
    processes: processContenders,
    realSets: REAL_SETS,
    real: realContenders,
    matches: MATCHES,
  };
  const field = choose({ ...everybody, ...run.field }, settings);
  const folder = await mkdtemp(join(tmpdir(), 'orthodict-bench-'));
  const inside = { repeats, folder, signal: run.signal, say: run.say };
  try {
    const planted = await runPlanted(field, inside);
    const rounds = run.startUpRounds ?? START_UP_ROUNDS;
    const startUp = parts.includes('processes') ? await timeStartUp({ ...inside, rounds, peers }) : [];
    const real = await runReal(field, inside);
    const models = await runModels(field, settings, inside);
    const micro = parts.includes('micro') ? await runMicro(run) : NO_MICRO;
    const { races, processes, memory } = planted;
    const { rates, structured, steps } = micro;
    const measured = {
      races,
      processes,
      startUp,
      memory,
      real: real.races,
      models: models.races,
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

type Inside = Parameters<typeof runPlanted>[1];

async function runReal(field: Field, options: Inside) {
  const { signal, say } = options;
  const races: RealRace[] = [];
  const sets = field.real.length > 0 ? field.realSets : [];
  const { entrants, skipped } = await openAll(sets.length > 0 ? field.real : [], options);
  try {
    for (const set of sets) {
      signal?.throwIfAborted();
      const missing = set.missing?.();
      if (missing) skipped.push({ name: set.name, reason: missing });
      else {
        const name = describeRealSet(set);
        races.push(await realRace(entrants, set, { ...options, say: (text) => say?.(`${name}: ${text}`) }));
      }
    }
  } finally {
    await closeAll(entrants);
  }
  const described = entrants.map(({ contender, session }) => {
    return { name: contender.name, description: session.description };
  });
  return { races, skipped, contenders: described };
}

/** Most seeds of which every model has a round. */
const MODEL_ROUNDS = 5;

async function runModels({ matches }: Field, { peers, only }: BenchSettings, inside: Inside) {
  const rounds = Math.min(MODEL_ROUNDS, inside.repeats);
  const { python, ...played } = await playAll(matches, { ...inside, rounds, peers, only });
  const contenders =
    python && !('missing' in python) ? [{ name: 'scikit-learn', description: python.description }] : [];
  return { ...played, contenders };
}

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
