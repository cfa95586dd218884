/** Reports the state of a race to the page: every mark, and as many pictures as fit without slowing the race. */
import type { JobProgress } from '../../session.svelte.ts';
import type { ContenderName } from './contenders.ts';
import type { Snapshot } from './judge.ts';
import type { Finish, Mark, Runner, Step } from './runner.ts';

/** News about a contender. */
export interface News {
  readonly name: ContenderName;
  readonly marks: readonly Mark[];
  readonly snapshot?: Snapshot | undefined;
  readonly finish?: Finish | undefined;
  readonly refusal?: string | undefined;
}

export interface RaceEvent {
  readonly progress: JobProgress;
  readonly news: readonly News[];
}

/** Milliseconds between reports. */
const PAUSE = 33;
/** Largest share of the time for reports: matching many atoms takes longer than a step. */
const SHARE = 0.2;

export class Reporter {
  #words = '';
  #steps = new Map<Runner, Step[]>();
  #due = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly emit: (event: RaceEvent) => void) {}

  add(runner: Runner, step: Step): void {
    this.#steps.set(runner, [...(this.#steps.get(runner) ?? []), step]);
  }

  say(words: string): void {
    this.#words = words;
    this.now();
  }

  /** Schedules a report, even if the race is paused before. */
  soon(words: string): void {
    this.#words = words;
    const left = this.#due - performance.now();
    if (left <= 0) this.now();
    else this.#timer ??= setTimeout(() => this.now(), left);
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const started = performance.now();
    const news = Array.from(this.#steps, ([runner, steps]) => newsOf(runner, steps));
    this.#steps.clear();
    this.emit({ progress: { words: this.#words }, news });
    const ended = performance.now();
    this.#due = Math.max(started + PAUSE, ended + (ended - started) / SHARE);
  }
}

function newsOf({ name, atoms, judge }: Runner, steps: readonly Step[]): News {
  const marks = steps.flatMap(({ mark }) => mark ?? []);
  const last = steps.at(-1);
  return {
    name,
    marks,
    ...(atoms && marks.length > 0 && { snapshot: judge.snapshot(atoms) }),
    finish: last?.finish,
    refusal: last?.refusal,
  };
}
