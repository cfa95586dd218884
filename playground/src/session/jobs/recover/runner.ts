/** One contender of a race, which takes a step on request. */
import { InputError, type LearnResult, type Matrix64, matchAtoms, modelBlob, type Progress } from 'orthodict/browser';
import type { ContenderName } from './contenders.ts';
import type { Judge } from './judge.ts';

/** The state of a contender after a step. */
export interface Mark {
  /** Number of steps taken. */
  readonly iteration: number;
  readonly error: number;
  /** The objective; NaN in stages that look for zeros, which have another goal and may lower it. */
  readonly objective: number;
  /** Seconds spent in its own steps. */
  readonly seconds: number;
}

/** How a contender ended. */
export interface Finish {
  readonly iterations: number;
  readonly passes: number;
  readonly status: LearnResult['status'];
  readonly reason: string;
  /** What the refinement did. */
  readonly refinement: string;
  readonly model: Blob;
}

export interface Step {
  readonly mark?: Mark;
  readonly finish?: Finish;
  /** Why the library does not learn from these samples. */
  readonly refusal?: string;
}

const looksForZeros = (stage: string): boolean => /^(approach|refine|likelihood: .*)$/.test(stage);

export class Runner {
  isRunning = true;
  /** Atoms as unit rows, which keep their places from step to step. */
  atoms: Matrix64 | undefined;
  #iteration = 0;
  #seconds = 0;

  constructor(
    readonly name: ContenderName,
    readonly judge: Judge,
    readonly steps: AsyncGenerator<Progress, LearnResult>,
  ) {}

  async step(): Promise<Step> {
    try {
      const started = performance.now();
      const { done, value } = await this.steps.next();
      this.#seconds += (performance.now() - started) / 1000;
      return done ? await this.#end(value) : this.#advance(value);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.isRunning = false;
      return { refusal: error.message };
    }
  }

  #advance({ atoms, solver }: Progress): Step {
    this.#iteration++;
    if (!atoms) return {};
    this.atoms = atoms();
    const mark = this.#mark(this.atoms);
    return { mark: looksForZeros(solver) ? { ...mark, objective: Number.NaN } : mark };
  }

  async #end(result: LearnResult): Promise<Step> {
    this.isRunning = false;
    const { dictionary, iterations, passes, status, reason, refinement } = result;
    this.atoms = this.atoms ? inPlacesOf(this.atoms, dictionary.atoms) : dictionary.atoms;
    const model = await modelBlob(result);
    return { mark: this.#mark(this.atoms), finish: { iterations, passes, status, reason, refinement, model } };
  }

  #mark(atoms: Matrix64): Mark {
    return { iteration: this.#iteration, ...this.judge.score(atoms), seconds: this.#seconds };
  }
}

/**
 * Puts every row of `atoms` in the place of the row of `before` that it matches, since a result has its own order. Rows that
 * no step had (they complete the basis where the samples have no energy) come last.
 */
function inPlacesOf(before: Matrix64, { rows, cols, data }: Matrix64): Matrix64 {
  const place = new Map(matchAtoms({ rows, cols, data }, before).pairs.map(({ learned, truth }) => [learned, truth]));
  const ordered = new Float64Array(data.length);
  let last = before.rows;
  for (let i = 0; i < rows; i++) {
    ordered.set(data.subarray(i * cols, (i + 1) * cols), (place.get(i) ?? last++) * cols);
  }
  return { rows, cols, data: ordered };
}
