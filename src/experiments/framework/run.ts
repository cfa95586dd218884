/** Runs all trials of an experiment that its file lacks, one or several at a time, and saves each as it ends. */

import { formatDuration } from '../../core/duration.ts';
import { inputError } from '../../core/errors.ts';
import type { Experiment, Grid, Measured, Point, Trial } from './experiment.ts';
import { openTrialsFile } from './trials-file.ts';

export interface RunOptions {
  readonly quick?: boolean | undefined;
  /** Trials at every grid point; default: that of the grid. */
  readonly trials?: number | undefined;
  /** At every point, trial t uses seed + t. */
  readonly seed?: number | undefined;
  /** Discard the trials of an earlier run. */
  readonly fresh?: boolean | undefined;
}

export const runDefaults = Object.freeze({ quick: false, seed: 1, fresh: false } as const satisfies RunOptions);

export interface RunSetup {
  /** The file of raw trials. */
  readonly csv: string;
  readonly signal?: AbortSignal | undefined;
  /** Told what is being done, and the share of the trials that is. */
  readonly say?: ((words: string, share: number) => void) | undefined;
  /** Where trials are measured; default: here, one after another. */
  readonly lanes?: Lanes | undefined;
}

/** Measures up to `count` trials at once. */
export interface Lanes {
  readonly count: number;
  measure(experiment: Experiment, point: Point, seed: number, signal: AbortSignal): Promise<Measured>;
}

const oneLane: Lanes = {
  count: 1,
  measure: (experiment, point, seed, signal) => experiment.trial(point, seed, signal),
};

const NEVER = new AbortController().signal;

export async function runExperiment(experiment: Experiment, options: RunOptions, setup: RunSetup): Promise<Trial[]> {
  const { seed = runDefaults.seed, fresh = runDefaults.fresh } = options;
  const { signal = NEVER, say, lanes: given = oneLane } = setup;
  const lanes = experiment.alone ? oneLane : given;
  const { points, trials: count } = gridOf(experiment, options);
  const file = await openTrialsFile(setup.csv, experiment, { points, trials: count, seed }, fresh);
  const done = new Map(file.trials.map((trial) => [keyOf(experiment, trial.trial, trial.point), trial]));
  const rounds = Array.from({ length: count }, (_, trial) => points.map((point) => ({ trial, point }))).flat();
  const isAhead = ({ trial, point }: (typeof rounds)[number]) => !done.has(keyOf(experiment, trial, point));
  const queue = rounds.filter(isAhead).values();
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  const work = async () => {
    for (const { trial, point } of queue) {
      stop.throwIfAborted();
      const words = progressWords(experiment, [...done.values()], rounds.length, rounds.filter(isAhead), lanes.count);
      say?.(words, done.size / rounds.length);
      const started = performance.now();
      const measured = await lanes.measure(experiment, point, seed + trial, stop);
      stop.throwIfAborted(); // an aborted trial gives no result
      const finished = { trial, seed: seed + trial, point, measured, seconds: (performance.now() - started) / 1000 };
      await file.append(finished);
      done.set(keyOf(experiment, trial, point), finished);
      await new Promise((resolve) => setImmediate(resolve)); // lets signals through if trials never yield
    }
  };
  const stopAll = (error: unknown) => {
    failure.abort(error);
    throw error;
  };
  await Promise.all(Array.from({ length: lanes.count }, () => work().catch(stopAll)));
  return rounds.map(({ trial, point }) => done.get(keyOf(experiment, trial, point))!);
}

/** The grid for these options. */
export function gridOf(experiment: Experiment, { quick, trials, seed }: RunOptions): Grid {
  const grid = quick ? experiment.quick : experiment.full;
  const count = trials ?? grid.trials;
  if (!(Number.isSafeInteger(count) && count >= 1)) {
    throw inputError('reproduce', 'trials', 'a whole number, 1 or more', count);
  }
  if (seed !== undefined && !(Number.isSafeInteger(seed) && Number.isSafeInteger(seed + count))) {
    throw inputError('reproduce', 'seed', 'a whole number', seed);
  }
  return { ...grid, trials: count };
}

const keyOf = ({ parameters }: Experiment, trial: number, point: Point): string =>
  [trial, ...parameters.map((name) => point[name])].join();

/** Expects a trial to take as long as earlier ones at its point, or else the mean of all. */
function progressWords(
  { name, parameters }: Experiment,
  done: readonly Trial[],
  total: number,
  ahead: ReadonlyArray<{ readonly point: Point }>,
  lanes: number,
): string {
  const count = `${name}: ${done.length} of ${total} trials`;
  if (done.length === 0) return `${count} …`;
  const times = new Map<string, number[]>();
  for (const { point, seconds } of done) {
    const key = parameters.map((parameter) => point[parameter]).join();
    times.set(key, [...(times.get(key) ?? []), seconds]);
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const overall = mean(done.map(({ seconds }) => seconds));
  const left = ahead.reduce((sum, { point }) => {
    const known = times.get(parameters.map((parameter) => point[parameter]).join());
    return sum + (known ? mean(known) : overall);
  }, 0);
  return `${count}, about ${formatDuration(left / lanes)} left`;
}
