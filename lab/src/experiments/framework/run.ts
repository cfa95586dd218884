/** Runs all trials of an experiment that its file lacks, one or several at a time, and saves each as it ends. */

import { inputError } from 'orthodict/extend';
import { formatDuration } from '../../terminal.ts';
import { usualSeconds } from '../durations.ts';
import { type Experiment, type Grid, type Measured, type Point, range, type Trial } from './experiment.ts';
import { secondsLeft } from './time-left.ts';
import { openTrialsFile, type TrialsFile } from './trials-file.ts';

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
  readonly signal?: AbortSignal | undefined;
  /** Progress callback: a message, and the fraction of the trials that is done. */
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

interface Round {
  readonly trial: number;
  readonly point: Point;
}

/** The trials of one experiment: those in its file, and those to be measured. */
export class Plan {
  readonly experiment: Experiment;
  readonly grid: Grid;
  readonly #seed: number;
  readonly #file: TrialsFile;
  /** Seconds of a trial. */
  readonly #usual: number | undefined;
  /** All trials, the first one at every point first. */
  readonly #rounds: readonly Round[];
  readonly #done: Map<string, Trial>;

  private constructor(experiment: Experiment, options: RunOptions, grid: Grid, file: TrialsFile) {
    this.experiment = experiment;
    this.grid = grid;
    this.#seed = seedOf(options);
    this.#file = file;
    this.#usual = usualSeconds(experiment.name, options.quick);
    this.#rounds = range(0, grid.trials - 1).flatMap((trial) => grid.points.map((point) => ({ trial, point })));
    this.#done = new Map(file.trials.map((trial) => [this.#keyOf(trial), trial]));
  }

  /** Reads the file of raw trials, `csv`; throws if it belongs to another run. */
  static async read(experiment: Experiment, options: RunOptions, csv: string): Promise<Plan> {
    const { fresh = runDefaults.fresh } = options;
    const grid = gridOf(experiment, options);
    const file = await openTrialsFile(csv, experiment, { ...grid, seed: seedOf(options) }, fresh);
    return new Plan(experiment, options, grid, file);
  }

  /** The finished trials, in order. */
  get trials(): Trial[] {
    return this.#rounds.flatMap((round) => this.#done.get(this.#keyOf(round)) ?? []);
  }

  /** Estimate of the seconds that the other trials take on `lanes` lanes; undefined if there is nothing to estimate it from. */
  secondsLeft(lanes: number): number | undefined {
    const ahead = this.#ahead.map(({ point }) => point);
    const left = secondsLeft(this.experiment, [...this.#done.values()], ahead, this.#usual);
    return left === undefined ? undefined : left / (this.experiment.alone ? 1 : lanes);
  }

  /** Measures the others; returns all. */
  async run({ signal = NEVER, say, lanes: given = oneLane }: RunSetup): Promise<Trial[]> {
    const lanes = this.experiment.alone ? oneLane : given;
    const queue = this.#ahead.values();
    const failure = new AbortController();
    const stop = AbortSignal.any([signal, failure.signal]);
    const work = async () => {
      for (const round of queue) {
        stop.throwIfAborted();
        say?.(this.#progressWords(lanes.count), this.#done.size / this.#rounds.length);
        await this.#measure(round, lanes, stop);
        await new Promise((resolve) => setImmediate(resolve)); // lets signals through if trials never yield
      }
    };
    const stopAll = (error: unknown) => {
      failure.abort(error);
      throw error;
    };
    await Promise.all(Array.from({ length: lanes.count }, () => work().catch(stopAll)));
    return this.trials;
  }

  get #ahead(): Round[] {
    return this.#rounds.filter((round) => !this.#done.has(this.#keyOf(round)));
  }

  async #measure({ trial, point }: Round, lanes: Lanes, signal: AbortSignal): Promise<void> {
    const seed = this.#seed + trial;
    const started = performance.now();
    const measured = await lanes.measure(this.experiment, point, seed, signal);
    signal.throwIfAborted(); // an aborted trial gives no result
    const finished = { trial, seed, point, measured, seconds: (performance.now() - started) / 1000 };
    await this.#file.append(finished);
    this.#done.set(this.#keyOf(finished), finished);
  }

  #keyOf({ trial, point }: Round): string {
    return [trial, ...this.experiment.parameters.map((name) => point[name])].join();
  }

  #progressWords(lanes: number): string {
    const left = this.secondsLeft(lanes);
    const words = left === undefined ? ' …' : `, about ${formatDuration(left)} left`;
    return `${this.experiment.name}: ${this.#done.size} of ${this.#rounds.length} trials${words}`;
  }
}

const seedOf = ({ seed = runDefaults.seed }: RunOptions): number => seed;

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
