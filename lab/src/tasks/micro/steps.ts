/**
 * Seconds that one step of a method takes on all cores: a pass of MSP, a sweep of plane rotations, an iteration of
 * K-SVD. Methods on the same samples take turns.
 */

import { type Executor, generate, type LearnOptions } from 'orthodict';
import { shareMatrix } from 'orthodict/extend';
import { createNodeExecutor, learn } from 'orthodict/node';
import type { Size, Skipped } from '../../contenders/contender.ts';
import { STEPS } from '../../contenders/our-options.ts';
import { median } from '../../median.ts';

type StepName = keyof typeof STEPS;

export interface StepGroup extends Size {
  /** Steps that are timed in a round. */
  readonly steps: Partial<Record<StepName, number>>;
}

export const STEP_GROUPS: readonly StepGroup[] = [
  { features: 50, samples: 20_000, steps: { msp: 12, givens: 3 } },
  { features: 100, samples: 40_000, steps: { ksvd: 2 } },
];

export interface StepTime extends Size {
  readonly what: StepName;
  readonly backend: string;
  readonly threads: number;
  /** The median. */
  readonly seconds: number;
}

export interface StepOptions {
  readonly rounds: number;
  readonly groups?: readonly StepGroup[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

const BACKENDS = ['native', 'wasm'] as const;

export async function timeSteps(options: StepOptions): Promise<{ times: StepTime[]; skipped: Skipped[] }> {
  const { groups = STEP_GROUPS, rounds, signal, say } = options;
  const times: StepTime[] = [];
  const skipped: Skipped[] = [];
  for (const backend of BACKENDS) {
    try {
      const executor = await createNodeExecutor({ backend });
      try {
        for (const group of groups) {
          say?.(`steps: ${Object.keys(group.steps).join(' and ')}, n=${group.features}, ${backend}`);
          times.push(...(await timeGroup(group, executor, backend, rounds, signal)));
        }
      } finally {
        await executor.close();
      }
    } catch (error) {
      signal?.throwIfAborted();
      skipped.push({ name: `steps, ${backend}`, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { times, skipped };
}

async function timeGroup(
  { features, samples, steps }: StepGroup,
  executor: Executor,
  backend: string,
  rounds: number,
  signal?: AbortSignal,
): Promise<StepTime[]> {
  const data = shareMatrix(generate({ features, samples, theta: 0.3, seed: 1 }).samples);
  const names = Object.keys(steps) as StepName[];
  const seconds = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const options = { ...STEPS[name], maxIterations: steps[name]! + 1 };
      seconds.get(name)!.push(...(await stepSeconds(data, options, executor, signal)));
    }
  }
  const { threads } = executor;
  return names.map((what) => ({ what, features, samples, backend, threads, seconds: median(seconds.get(what)!) }));
}

/** Times from each step to the next, without the first step, which prepares for the others. */
async function stepSeconds(
  data: Parameters<typeof learn>[0],
  options: LearnOptions,
  executor: Executor,
  signal?: AbortSignal,
): Promise<number[]> {
  const ends: number[] = [];
  const onProgress = ({ iteration }: { readonly iteration: number }) => {
    if (iteration > 0) ends.push(performance.now());
  };
  await learn(data, options, { executor, signal, onProgress });
  signal?.throwIfAborted();
  return ends.slice(1).map((end, k) => (end - ends[k]) / 1000);
}
