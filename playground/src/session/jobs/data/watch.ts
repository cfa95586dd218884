/** Reports the progress of learning to the page, rarely enough to be drawn. */
import type { Progress } from 'orthodict/browser';
import { Forecast } from 'orthodict/extend';
import type { LearnEvent, LearnTableOptions, Step } from './messages.ts';

/** Milliseconds between two events, and between two that carry the atoms. */
const PACE = { event: 40, atoms: 120 };
/** Largest atoms to draw during learning, in numbers. */
const MOST_DRAWN = 1 << 16;
/** Stages that report the objective of the method; others have their own goals. */
const EXPLORING: readonly string[] = ['msp', 'ica'];

const STAGES: Readonly<Record<string, string>> = {
  scout: 'Scouting on few rows',
  approach: 'Approaching the zeros',
  refine: 'Refining with the zeros',
  'likelihood: explore': 'Looking further: exploring',
  'likelihood: anneal': 'Looking further: narrowing',
  'likelihood: fit': 'Looking further: fitting',
};

export class Watch {
  readonly #forecast: Forecast;
  readonly #starts: number;
  #steps: Step[] = [];
  #start = 0;
  #step = 0;
  #words = '';
  #told = { event: Number.NEGATIVE_INFINITY, atoms: Number.NEGATIVE_INFINITY };

  constructor(
    { starts = 1 }: LearnTableOptions,
    readonly emit: (event: LearnEvent, transfer?: Transferable[]) => void,
  ) {
    this.#starts = starts;
    this.#forecast = new Forecast({}, () => performance.now() / 1000);
  }

  see(progress: Progress): void {
    const { solver, iteration, objective, change, start = { number: 1 } } = progress;
    if (iteration === 0) return;
    if (start.number !== this.#start) [this.#start, this.#step] = [start.number, 0];
    this.#forecast.step(progress);
    const known = EXPLORING.includes(solver) ? objective : Number.NaN;
    this.#steps.push({ start: start.number, step: ++this.#step, objective: known, change });
    const stage = STAGES[solver] ?? `Step ${this.#step}`;
    this.#words = this.#starts > 1 ? `Start ${start.number} of ${this.#starts}: ${stage.toLowerCase()}` : stage;
    const now = performance.now();
    if (now - this.#told.event < PACE.event) return;
    const atoms = now - this.#told.atoms < PACE.atoms ? undefined : drawn(progress);
    this.#told = { event: now, atoms: atoms ? now : this.#told.atoms };
    this.tell(atoms);
  }

  /** Sends the steps that have not been reported yet. */
  tell(atoms?: LearnEvent['atoms']): void {
    const progress = { words: this.#words, fraction: 0.97 * this.#forecast.share };
    this.emit({ progress, steps: this.#steps, ...(atoms && { atoms }) }, atoms ? [atoms.data.buffer] : []);
    this.#steps = [];
  }
}

function drawn({ atoms }: Progress): LearnEvent['atoms'] {
  const now = atoms?.();
  if (!now || now.data.length > MOST_DRAWN) return undefined;
  return { rows: now.rows, cols: now.cols, data: Float32Array.from(now.data) };
}
