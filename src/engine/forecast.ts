/**
 * How far a command is, and how long it will still take.
 *
 * A loop ends when one of three levels (the change of the atoms, the gain of the last steps, the gain that is left) has
 * fallen to its threshold, or when a budget is used up, whichever comes first; its rules have the thresholds (`ends`). The
 * levels fall about exponentially, so their logarithms lie near a line in time, and a line fitted to the last steps gives
 * the time at which a level arrives. This estimate is smoothed.
 *
 * A command may run several loops, one after the other. Each fills its share of what is left of the bar; the last expected
 * loop fills most of it. Several starts divide the bar into equal parts; each is expected to take as long as the average of
 * those before it, or as the forecast of the first.
 */
import { formatDuration } from '../core/duration.ts';
import { type Progress, STALL_STEPS } from './stop.ts';

/** What ends a command, besides the thresholds of its loops. */
export interface Goals {
  readonly maxSeconds?: number | undefined;
  /** How many loops the command will probably run; default: 1. */
  readonly loops?: number | undefined;
}

/** The fields of the progress that a forecast needs. */
export type Step = Pick<
  Progress,
  'solver' | 'iteration' | 'change' | 'left' | 'recentObjectives' | 'seconds' | 'spent' | 'start' | 'ends'
>;

/** Number of steps that the line is fitted to. */
const WINDOW = 12;
/** Steps and seconds of a loop before there is an estimate. */
const BASIS = { steps: 4, seconds: 1 };
/** The last expected loop fills only this share of what is left of the bar, because another may follow. */
const FILLED = 0.9;
/** Levels that fall to a threshold, measured in decades above it. */
const LEVELS = ['change', 'gain', 'left'] as const;
type Level = (typeof LEVELS)[number];

/** The levels after a step, and the seconds since the loop began. */
type Mark = Readonly<Record<Level | 'seconds', number>>;

const NO_STAGE = { name: '', started: 0, base: 0, first: 0, at: 0, number: 0 };

/** Estimates the share of a command that is done and the time it will still take from the progress of its loops. */
export class Forecast {
  /** From 0 to 1; never falls. */
  share = 0;
  readonly #goals: Goals;
  readonly #clock: () => number;
  readonly #started: number;
  /** The current loop or count: its name and number, when it began, the share done before it, its first and last count. */
  #stage = NO_STAGE;
  /** The current start: seconds spent before it and up to its last step; average seconds of the starts before it. */
  #start = { number: 1, of: 1, began: 0, spent: 0, each: Number.NaN };
  /** Seconds spent before the first start. */
  #origin = 0;
  #marks: Mark[] = [];
  /** When the stage ends, smoothed, and when that estimate was last corrected. */
  #end: { readonly at: number; readonly seen: number } | undefined;

  /** `clock`: the time in seconds. */
  constructor(goals: Goals, clock: () => number) {
    this.#goals = goals;
    this.#clock = clock;
    this.#started = clock();
  }

  /** Takes a step of a loop into account. */
  step(step: Step): void {
    this.#enterStart(step);
    this.#enter(step.solver, step.iteration, step.seconds);
    const seconds = this.#clock() - this.#stage.started;
    this.#marks = [...this.#marks, this.#markOf(step, seconds)].slice(-WINDOW);
    const { number, of } = this.#start;
    const timeLeft = this.#timeLeft(number / of);
    const limits = [timeLeft, this.#iterationsLeft(step)];
    const arrivals = LEVELS.map((level) => this.#arrival(level));
    const ahead = (this.#goals.loops ?? 1) - this.#stage.number;
    const rest = this.#correct(Math.min(...limits, ...arrivals));
    if (seconds > 0) this.#fill((ahead > 0 ? 1 / (ahead + 1) : FILLED) * (seconds / (seconds + rest)));
  }

  /** Takes into account that `done` of `total` things of the same kind are done. */
  count(name: string, done: number, total: number): void {
    this.#enter(name, done);
    const seconds = this.#clock() - this.#stage.started;
    const none = { change: Number.NaN, gain: Number.NaN, left: Number.NaN };
    this.#marks = [...this.#marks, { seconds, ...none }].slice(-WINDOW);
    const pace = (done - this.#stage.first) / seconds;
    this.#correct(pace > 0 ? (total - done) / pace : Number.POSITIVE_INFINITY);
    this.#fill(done / total);
  }

  /** `about 12 s left`; empty until there is an estimate. */
  get words(): string {
    const left = this.#secondsLeft();
    if (left === undefined) return '';
    return `about ${formatDuration(left > 20 ? 5 * Math.round(left / 5) : left)} left`;
  }

  /** Seconds left of the stage and of the starts that follow; undefined until there is an estimate. */
  #secondsLeft(): number | undefined {
    const steps = this.#marks.length;
    const hasBasis = this.#end && steps >= BASIS.steps && this.#marks[steps - 1].seconds >= BASIS.seconds;
    const own = hasBasis ? Math.max(0, this.#end!.at - this.#clock()) : undefined;
    const { number, of, began, spent, each } = this.#start;
    if (of === 1) return own;
    const isFirst = !(each > 0);
    if (isFirst ? own === undefined : spent - this.#origin < BASIS.seconds) return undefined;
    const ofStart = isFirst ? own! : Math.max(own ?? 0, each - (spent - began));
    const later = (of - number) * (isFirst ? spent - began + ofStart : each);
    return Math.min(ofStart + later, this.#timeLeft());
  }

  /** A new start begins when the loop of its first step began. */
  #enterStart({ start = { number: 1, of: 1 }, seconds, spent = this.#clock() - this.#started }: Step): void {
    const { number, of } = start;
    if (number === this.#start.number && of === this.#start.of) {
      this.#start = { ...this.#start, spent };
      return;
    }
    const began = spent - seconds;
    if (number === 1) this.#origin = began;
    this.#start = { number, of, began, spent, each: (began - this.#origin) / (number - 1) };
    this.#stage = NO_STAGE;
  }

  /** The levels after a step; a level without a threshold is infinitely far from it. */
  #markOf({ change, left = Number.NaN, recentObjectives: recent, ends = {} }: Step, seconds: number): Mark {
    const mayStall = recent.length > STALL_STEPS;
    const gain = mayStall ? (Math.max(...recent) - recent[0]) / Math.abs(recent[0]) : Number.NaN;
    const decades = (value: number, end = 0) => Math.log10(value / end);
    return {
      seconds,
      change: decades(change, ends.change),
      gain: decades(gain, ends.gain),
      left: decades(left, ends.left),
    };
  }

  /** Begins a new stage if the name is another one or the count has fallen. `seconds`: how long ago, including before a resume. */
  #enter(name: string, at: number, seconds = 0): void {
    const isSame = name === this.#stage.name && at >= this.#stage.at;
    if (isSame) this.#stage = { ...this.#stage, at };
    else {
      const number = this.#stage.number + 1;
      const { number: start, of } = this.#start;
      const base = Math.max(0, this.share * of - (start - 1));
      this.#stage = { name, started: this.#clock() - seconds, base, first: at, at, number };
      this.#marks = [];
      this.#end = undefined;
    }
  }

  /** Seconds until a level reaches 0, by the line through the last marks; infinity if it does not fall. */
  #arrival(level: Level): number {
    const points = this.#marks.map((mark) => [mark.seconds, mark[level]]).filter(([, y]) => Number.isFinite(y));
    if (points.length < 3) return Number.POSITIVE_INFINITY;
    const mean = (k: 0 | 1) => points.reduce((sum, point) => sum + point[k], 0) / points.length;
    const [x, y] = [mean(0), mean(1)];
    const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
    const variance = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
    const fall = -covariance / variance;
    if (!(fall > 0)) return Number.POSITIVE_INFINITY;
    return Math.max(0, x + y / fall - points[points.length - 1][0]);
  }

  /** Seconds left of this share of the time limit. */
  #timeLeft(share = 1): number {
    const { maxSeconds = Number.POSITIVE_INFINITY } = this.#goals;
    return Math.max(0, maxSeconds * share - this.#start.spent);
  }

  #iterationsLeft({ iteration, ends }: Step): number {
    const { iterations = Number.POSITIVE_INFINITY } = ends ?? {};
    const [first, last] = [this.#marks[0], this.#marks[this.#marks.length - 1]];
    const pace = (last.seconds - first.seconds) / (this.#marks.length - 1);
    return pace >= 0 ? Math.max(0, iterations - iteration) * pace : Number.POSITIVE_INFINITY;
  }

  /** Folds a new estimate of the seconds left into the smoothed end; returns the seconds that the smoothed end leaves. */
  #correct(left: number): number {
    if (!Number.isFinite(left)) return Number.POSITIVE_INFINITY;
    const now = this.#clock();
    const { at, seen } = this.#end ?? { at: now + left, seen: now };
    const memory = Math.min(1 + 0.2 * left, 0.3 * (now - this.#stage.started)); // a far end is known less well
    const weight = memory > 0 ? 1 - Math.exp((seen - now) / memory) : 1;
    this.#end = { at: at + weight * (now + left - at), seen: now };
    return Math.max(0, this.#end.at - now);
  }

  /** Records that the stage has filled this share of what was left, when it began, of the start's part of the bar. */
  #fill(share: number): void {
    const { base } = this.#stage;
    const { number, of } = this.#start;
    this.share = Math.max(this.share, (number - 1 + base + (1 - base) * share) / of);
  }
}
