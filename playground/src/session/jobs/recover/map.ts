/**
 * The job "recoverMap": where a contender recovers the dictionary, as sparsity θ and the number of samples p vary. A few
 * cells come first, then those between them, then further trials of all.
 */
import { learn, type Matrix64, recoveryError } from 'orthodict/browser';
import { generateWithPauses } from 'orthodict/extend';
import { breathe } from '../../breathe.ts';
import type { Job } from '../../context.ts';
import type { JobProgress } from '../../session.svelte.ts';
import { type ContenderName, generateOptionsOf, learnOptionsOf, type Recipe } from './contenders.ts';
import { COLUMNS, type MapRecipe, ROWS, recipeOf, STRIDES } from './map-cells.ts';

export interface MapRequest extends MapRecipe {
  readonly contender: ContenderName;
  /** Number of trials per cell. The first has the seed of the recipe. */
  readonly trials: number;
}

/** One more trial of a cell. */
export interface Trial {
  readonly column: number;
  readonly row: number;
  readonly error: number;
}

export interface MapEvent {
  readonly progress: JobProgress;
  readonly trials: readonly Trial[];
}

/** Milliseconds between reports. */
const PAUSE = 50;
/** Fixed cost of a trial, in samples. */
const FIXED_COST = 500;

interface Task {
  readonly column: number;
  readonly row: number;
  readonly recipe: Recipe;
  readonly cost: number;
}

export const map: Job<MapRequest, MapEvent, void> = async (request, { executor, signal, emit }) => {
  const tasks = tasksOf(request);
  const whole = tasks.reduce((sum, { cost }) => sum + cost, 0);
  let spent = 0;
  let trials: Trial[] = [];
  let last = 0;
  const report = () => {
    const words = `${tasks.length - left} of ${tasks.length} trials`;
    emit({ progress: { words, fraction: spent / whole }, trials });
    [trials, last] = [[], performance.now()];
  };
  let left = tasks.length;
  for (const { column, row, recipe, cost } of tasks) {
    await breathe();
    signal.throwIfAborted();
    const { samples, atoms } = await generateWithPauses(generateOptionsOf(recipe), signal);
    const { dictionary } = await learn(samples, learnOptionsOf(request.contender, recipe), { executor, signal });
    signal.throwIfAborted();
    trials.push({ column, row, error: errorOf(dictionary.atoms, atoms) });
    spent += cost;
    left--;
    if (performance.now() - last > PAUSE) report();
  }
  report();
};

/** The recovery error; an atom that is in no sample, and therefore not learned, counts as error 1. */
function errorOf(learned: Matrix64, truth: Matrix64): number {
  const share = learned.rows / truth.rows;
  return share * recoveryError(learned, truth) + 1 - share;
}

function tasksOf(request: MapRequest): Task[] {
  const tasks: Task[] = [];
  for (let trial = 0; trial < request.trials; trial++) {
    for (const [column, row] of trial === 0 ? coarseToFine() : inOrder()) {
      const recipe = recipeOf(request, column, row);
      const seeded = { ...recipe, seed: recipe.seed + trial };
      tasks.push({ column, row, recipe: seeded, cost: recipe.p + FIXED_COST });
    }
  }
  return tasks;
}

const inOrder = (): [column: number, row: number][] =>
  Array.from({ length: ROWS * COLUMNS }, (_, at) => [at % COLUMNS, Math.floor(at / COLUMNS)]);

/** Every fourth column and row, then every second, then all; each cell once. */
function coarseToFine(): [column: number, row: number][] {
  const level = (column: number, row: number) =>
    STRIDES.findIndex((stride) => column % stride === 0 && row % stride === 0);
  return inOrder().sort(([a, b], [c, d]) => level(a, b) - level(c, d));
}
