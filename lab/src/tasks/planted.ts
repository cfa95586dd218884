/** Planted dictionaries: on every data set the race of library calls, then that of whole processes. */
import { rm } from 'node:fs/promises';
import { closeAll, openAll } from '../contenders/attempt.ts';
import type { Described, Skipped } from '../contenders/contender.ts';
import { numpyMsp } from '../contenders/numpy-msp.ts';
import type { Field } from './choose.ts';
import { measureMemory, type PeakMemory } from './processes/peak-memory.ts';
import { type ProcessRace, processRace } from './processes/processes.ts';
import { type Data, describeSet, makeData } from './recovery/data-sets.ts';
import { type Race, race } from './recovery/race.ts';
import { COARSE, type RecoveryContender, type RecoveryTask, TARGETS } from './recovery/recovery-task.ts';

export interface Planted {
  readonly contenders: readonly Described[];
  readonly skipped: readonly Skipped[];
  readonly races: readonly Race[];
  readonly processes: readonly ProcessRace[];
  readonly memory: readonly PeakMemory[];
}

export interface PlantedOptions {
  readonly repeats: number;
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

export async function runPlanted(field: Field, options: PlantedOptions): Promise<Planted> {
  const { folder, signal, say } = options;
  const { entrants, skipped } = await openAll<RecoveryTask, RecoveryContender>(field.racing, options);
  const races: Race[] = [];
  const processes: ProcessRace[] = [];
  const memory: PeakMemory[] = [];
  const sets = field.racing.length + field.processes.length > 0 ? field.sets : [];
  try {
    for (const set of sets) {
      const name = describeSet(set);
      say?.(`${name}: making data`);
      const data = await makeData(set, folder, signal);
      const inside = { ...options, targets: TARGETS, say: (text: string) => say?.(`${name}: ${text}`) };
      if (entrants.length > 0) races.push(await race(entrants, data, inside));
      if (field.processes.length > 0) {
        processes.push(await processRace(field.processes, data, { ...inside, iterates: iteratesOf(races.at(-1)) }));
        if (set === sets.at(-1)) memory.push(...(await memoryOf(field, data, inside)));
      }
      await Promise.all([data.file, data.file32].map((path) => rm(path)));
    }
  } finally {
    await closeAll(entrants);
  }
  const contenders = entrants.map(({ contender, session }) => {
    return { name: contender.name, description: session.description };
  });
  return { contenders, skipped, races, processes, memory };
}

/** The errors of NumPy's iterates, if it has just raced and got somewhere. */
function iteratesOf(last: Race | undefined) {
  const marks = last?.curves.find(({ contender }) => contender === numpyMsp.name)?.marks;
  return marks?.some(({ error }) => error <= COARSE) ? marks : undefined;
}

async function memoryOf({ processes }: Field, data: Data, { folder, signal, say }: PlantedOptions) {
  if (!processes.some(({ ours }) => ours)) return [];
  const memory: PeakMemory[] = [];
  for (const precision of ['f64', 'f32'] as const) {
    say?.(`the whole command, ${precision} file`);
    memory.push(await measureMemory(data, precision, folder, signal));
  }
  return memory;
}
