/** Planted dictionaries: on every data set library calls take turns, then whole processes. */
import { rm } from 'node:fs/promises';
import { closeAll, type Described, describe, openAll, type Skipped, type Watch } from '../contenders/contender.ts';
import { MSP_ITERATIONS, numpyMsp } from '../contenders/numpy-msp.ts';
import type { Field } from './choose.ts';
import { measureMemory, type PeakMemory } from './processes/peak-memory.ts';
import { describeSet, makeData, type Planted } from './recovery/data-sets.ts';
import { COARSE, plantedData, TARGETS } from './recovery/objective.ts';
import { type Recovery, recover } from './recovery/recovery.ts';
import { type Mark, runOnce } from './turns.ts';

export interface PlantedResults {
  readonly contenders: readonly Described[];
  readonly skipped: readonly Skipped[];
  readonly recovery: readonly Recovery[];
  readonly processes: readonly Recovery[];
  readonly memory: readonly PeakMemory[];
}

export interface PlantedOptions extends Watch {
  readonly rounds: number;
  readonly folder: string;
}

export async function runPlanted(field: Field, options: PlantedOptions): Promise<PlantedResults> {
  const { folder, signal, say } = options;
  const { opened, skipped } = await openAll(field.recovery, options);
  const processes = await openAll(field.processes, options);
  const results = { recovery: [] as Recovery[], processes: [] as Recovery[], memory: [] as PeakMemory[] };
  const sets = opened.length + processes.opened.length > 0 ? field.sets : [];
  try {
    for (const set of sets) {
      const name = describeSet(set);
      say?.(`${name}: making data`);
      const data = await makeData(set, folder, signal);
      const inside = { ...options, targets: TARGETS, say: (text: string) => say?.(`${name}: ${text}`) };
      if (opened.length > 0) results.recovery.push(await recover(opened, data, inside));
      if (processes.opened.length > 0) {
        const others = processes.opened.some(({ contender }) => !contender.ours);
        const iterations = others ? await iterationsOf(data, results.recovery.at(-1), inside) : undefined;
        const words = (text: string) => inside.say(`${text} as a process`);
        results.processes.push(await recover(processes.opened, data, { ...inside, say: words, iterations }));
        if (set === sets.at(-1)) results.memory.push(...(await memoryOf(field, data, inside)));
      }
      await Promise.all([data.file, data.file32].map((path) => rm(path)));
    }
  } finally {
    await closeAll([...opened, ...processes.opened]);
  }
  return { ...results, contenders: opened.map(describe), skipped: [...skipped, ...processes.skipped] };
}

/** How many iterations of plain MSP reach a target: from a run that has just ended and got somewhere, or else from another. */
async function iterationsOf(data: Planted, last: Recovery | undefined, { signal, say }: Watch) {
  const known = last?.curves.find(({ contender }) => contender === numpyMsp.name)?.marks;
  const marks = known?.some(({ score }) => score <= COARSE) ? known : await marksOfMsp(data, { signal, say });
  return (target: number): number => {
    const first = marks.findIndex(({ score }) => score <= target);
    return first < 0 ? Number.POSITIVE_INFINITY : first + 1;
  };
}

async function marksOfMsp({ set, file, samples, truth }: Planted, { signal, say }: Watch): Promise<readonly Mark[]> {
  say?.(`${MSP_ITERATIONS} iterations of ${numpyMsp.name}, to count those it needs`);
  const session = await numpyMsp.open();
  if ('missing' in session) return [];
  const round = { data: plantedData(samples, truth), file, seed: set.seed };
  return (await runOnce(session, round, undefined, set.limitSeconds, signal)).marks;
}

async function memoryOf({ processes }: Field, data: Planted, { folder, signal, say }: PlantedOptions) {
  if (!processes.some(({ ours }) => ours)) return [];
  const memory: PeakMemory[] = [];
  for (const precision of ['f64', 'f32'] as const) {
    say?.(`the whole command, ${precision} file`);
    memory.push(await measureMemory(data, precision, folder, signal));
  }
  return memory;
}
