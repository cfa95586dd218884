/**
 * How far a command is, and how long it will still take.
 *
 * A loop ends when its change has shrunk to the tolerance, or what is left to gain to what the samples can tell, or when
 * a budget is used up, whichever comes first. Both shrink about exponentially, so their logarithms lie near a line in
 * time: the line through the last steps says when they arrive. The time of arrival is smoothed. A command may run several
 * loops, one after the other. Each fills its share of what is left of the bar; the last that is expected fills most of it.
 */
import { formatDuration } from '../../core/duration.ts';

/** What ends a loop; absent: nothing of that kind. */
export interface Goals {
  readonly tolerance?: number | undefined;
  readonly maxIterations?: number | undefined;
  readonly maxSeconds?: number | undefined;
  /** How many loops the command will run, if that is known; default: 1, though another may follow. */
  readonly loops?: number | undefined;
}

/** A step of a loop: what a forecast needs of the progress. */
export interface Step {
  readonly solver: string;
  readonly iteration: number;
  readonly change: number;
  readonly left?: number | undefined;
}

/** Steps that the line goes through. */
const WINDOW = 12;
/** No time is told before so many steps of a loop, and so many seconds of it. */
const BASIS = { steps: 4, seconds: 1 };
/** The last loop that is expected fills this share of what is left of the bar, because another may follow. */
const FILLED = 0.9;
/** These loops polish what was found: they have an end of their own, and no limit of iterations. */
const REFINING: readonly string[] = ['refine', 'approach'];
const REFINED = 1e-11;
/** Where what is left to gain is too little to go on: a tenth of a standard error, squared. */
const TOLD = 0.1;

/** Where a loop stood: seconds since it began, decades that its change and its gain are from their ends. */
interface Mark {
  readonly seconds: number;
  readonly change: number;
  readonly gain: number;
}

export class Forecast {
  /** From 0 to 1; never falls. */
  share = 0;
  readonly #goals: Goals;
  readonly #clock: () => number;
  readonly #started: number;
  /** The current loop or count: its name and number, when it began, the share it began with, its first and last count. */
  #stage = { name: '', started: 0, base: 0, first: 0, at: 0, number: 0 };
  #marks: Mark[] = [];
  /** When the stage ends, smoothed, and when that was last corrected. */
  #end: { readonly at: number; readonly seen: number } | undefined;

  /** `clock` tells seconds. */
  constructor(goals: Goals, clock: () => number) {
    this.#goals = goals;
    this.#clock = clock;
    this.#started = clock();
  }

  /** After a step of a loop. */
  step({ solver, iteration, change, left = Number.NaN }: Step): void {
    this.#enter(solver, iteration);
    const { tolerance = 0 } = this.#goals;
    const goal = REFINING.includes(solver) ? REFINED : tolerance;
    const seconds = this.#clock() - this.#stage.started;
    const mark = { seconds, change: Math.log10(change / goal), gain: Math.log10(left / TOLD) };
    this.#marks = [...this.#marks, mark].slice(-WINDOW);
    const limits = REFINING.includes(solver) ? [this.#timeLeft()] : [this.#timeLeft(), this.#iterationsLeft(iteration)];
    const arrivals = [this.#arrival(({ change: level }) => level), this.#arrival(({ gain }) => gain)];
    const ahead = (this.#goals.loops ?? 1) - this.#stage.number;
    const rest = this.#correct(Math.min(...limits, ...arrivals));
    if (seconds > 0) this.#fill((ahead > 0 ? 1 / (ahead + 1) : FILLED) * (seconds / (seconds + rest)));
  }

  /** After so many of `total` things of the same kind. */
  count(name: string, done: number, total: number): void {
    this.#enter(name, done);
    const seconds = this.#clock() - this.#stage.started;
    this.#marks = [...this.#marks, { seconds, change: Number.NaN, gain: Number.NaN }].slice(-WINDOW);
    const pace = (done - this.#stage.first) / seconds;
    this.#correct(pace > 0 ? (total - done) / pace : Number.POSITIVE_INFINITY);
    this.#fill(done / total);
  }

  /** `about 12 s left`; nothing until there is a basis for it. */
  get words(): string {
    const steps = this.#marks.length;
    if (!this.#end || steps < BASIS.steps || this.#marks[steps - 1].seconds < BASIS.seconds) return '';
    const left = Math.max(0, this.#end.at - this.#clock());
    return `about ${formatDuration(left > 20 ? 5 * Math.round(left / 5) : left)} left`;
  }

  /** A new stage begins with another name, or when its count falls. */
  #enter(name: string, at: number): void {
    const isSame = name === this.#stage.name && at >= this.#stage.at;
    if (isSame) this.#stage = { ...this.#stage, at };
    else {
      const number = this.#stage.number + 1;
      this.#stage = { name, started: this.#clock(), base: this.share, first: at, at, number };
      this.#marks = [];
      this.#end = undefined;
    }
  }

  /** Seconds until a level is at 0, by the line through the last marks; infinity if it does not fall. */
  #arrival(levelOf: (mark: Mark) => number): number {
    const points = this.#marks.map((mark) => [mark.seconds, levelOf(mark)]).filter(([, y]) => Number.isFinite(y));
    if (points.length < 3) return Number.POSITIVE_INFINITY;
    const mean = (k: 0 | 1) => points.reduce((sum, point) => sum + point[k], 0) / points.length;
    const [x, y] = [mean(0), mean(1)];
    const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
    const variance = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
    const fall = -covariance / variance;
    if (!(fall > 0)) return Number.POSITIVE_INFINITY;
    return Math.max(0, x + y / fall - points[points.length - 1][0]);
  }

  #timeLeft(): number {
    const { maxSeconds = Number.POSITIVE_INFINITY } = this.#goals;
    return Math.max(0, maxSeconds - (this.#clock() - this.#started));
  }

  #iterationsLeft(iteration: number): number {
    const { maxIterations = Number.POSITIVE_INFINITY } = this.#goals;
    const [first, last] = [this.#marks[0], this.#marks[this.#marks.length - 1]];
    const pace = (last.seconds - first.seconds) / (this.#marks.length - 1);
    return pace >= 0 ? Math.max(0, maxIterations - iteration) * pace : Number.POSITIVE_INFINITY;
  }

  /** Takes in that so many seconds are left; returns how many the smoothed end leaves. */
  #correct(left: number): number {
    if (!Number.isFinite(left)) return Number.POSITIVE_INFINITY;
    const now = this.#clock();
    const { at, seen } = this.#end ?? { at: now + left, seen: now };
    const weight = 1 - Math.exp((seen - now) / (1 + 0.2 * left)); // a far end is known less well
    this.#end = { at: at + weight * (now + left - at), seen: now };
    return Math.max(0, this.#end.at - now);
  }

  /** The stage has done this share of what was left of the bar when it began. */
  #fill(share: number): void {
    const { base } = this.#stage;
    this.share = Math.max(this.share, base + (1 - base) * share);
  }
}
