/**
 * The job "recoverRace": generates samples from a known dictionary, and lets the contenders learn it. All have the same samples
 * and the same seed, and take turns, a step each.
 */
import { learnSteps } from 'orthodict/browser';
import { generateWithPauses, memorySource, shareMatrix } from 'orthodict/extend';
import { breathe, sleep } from '../../breathe.ts';
import type { Job } from '../../context.ts';
import { CONTENDERS, type ContenderName, generateOptionsOf, learnOptionsOf, type Recipe } from './contenders.ts';
import { Judge } from './judge.ts';
import { type RaceEvent, Reporter } from './reporter.ts';
import { Runner } from './runner.ts';

export interface RaceRequest extends Recipe {
  readonly contenders: readonly ContenderName[];
  /** Whether to take the first steps slowly, to be watched. */
  readonly slow: boolean;
}

/** The kernels and threads of a race. */
export interface RaceResult {
  readonly threads: number;
  readonly backend: string;
}

/** Milliseconds after a round of a slow race: the first ones are the most interesting. */
const pauseAfter = (round: number): number => 160 * Math.exp(-round / 10);

export const race: Job<RaceRequest, RaceEvent, RaceResult> = async (request, { executor, signal, emit, turn }) => {
  const reporter = new Reporter(emit);
  reporter.say(`Making ${request.p.toLocaleString('en')} samples of ${request.n} numbers …`);
  await breathe();
  const { samples, atoms } = await generateWithPauses(generateOptionsOf(request), signal);
  const judge = new Judge(atoms, samples, executor.kernels);
  const source = memorySource(shareMatrix(samples));
  const start = (name: ContenderName) =>
    new Runner(name, judge, learnSteps(source, learnOptionsOf(name, request), { executor, signal }));
  let runners = request.contenders.map(start);
  for (let round = 0; runners.length > 0; round++) {
    await turn();
    for (const runner of runners) {
      await breathe();
      signal.throwIfAborted();
      reporter.add(runner, await runner.step());
    }
    runners = runners.filter(({ isRunning }) => isRunning);
    const names = runners.map(({ name }) => CONTENDERS[name].label);
    reporter.soon(`Iteration ${round + 1}: ${names.join(', ')}`);
    if (request.slow) await sleep(pauseAfter(round));
  }
  reporter.now();
  signal.throwIfAborted();
  return { threads: executor.threads, backend: executor.kernels.name };
};
