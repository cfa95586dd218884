/**
 * What a run saves so that it can continue later as if it had never stopped: how each finished loop ended, and where
 * the current one stands. A resumed run starts from the beginning, takes the outcomes of finished loops from the checkpoint,
 * and continues inside the loop that was interrupted.
 *
 * What a store loads is not trusted. Its form is checked when it is loaded, the state of each loop when the solver of that
 * loop is known.
 */
import { InputError, inputError } from '../core/errors.ts';
import { quoted } from '../core/printable.ts';
import { reasonOf } from '../core/warn.ts';
import type { Position } from './iterate.ts';
import type { Solver, SolverState } from './solver.ts';
import { isStateValue, misfit } from './state-shape.ts';
import { STALL_STEPS, type Verdict } from './stop.ts';

/** The state of a run: which data and options, how each finished loop ended, where the current one stands. */
export interface Checkpoint {
  readonly identity: Identity;
  readonly finished: readonly FinishedLoop[];
  /** Where the loop after the finished ones stands; absent if it has not begun. */
  readonly current?: CurrentLoop | undefined;
}

/** Where a run stood when a loop was saved. */
interface Clocks {
  /** Name of the solver of the loop. */
  readonly solver: string;
  /** Samples visited by the whole run. */
  readonly effort: number;
  /** Seconds that the run has spent in loops. */
  readonly looped: number;
}

/** Where a loop stood when it was saved. */
export interface CurrentLoop extends Position<SolverState>, Clocks {}

/** Finite limits of a run by the names of their options; an absent one means no limit. */
export type Budgets = Readonly<Record<string, number>>;

/** Where a loop ended and why; a loop that used up a budget can go on from there. */
export interface FinishedLoop extends CurrentLoop, Verdict {
  /** Budgets of the run when the loop ended: they decided what came next. */
  readonly budgets: Budgets;
}

/** A checkpoint fits only the function, data, options (other than budgets) and kernels it was made with. */
export interface Identity {
  /** Hash of the data. */
  readonly data: string;
  readonly backend: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Where a run saves its state; `fileCheckpoint` of `orthodict/node` is one. */
export interface CheckpointStore {
  /** The name of the file, for messages. */
  readonly name?: string | undefined;
  load(): Promise<Checkpoint | undefined>;
  /** Must leave the previous checkpoint intact until the new one is complete. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Least time between two saves inside a loop, in seconds. The end of a loop is always saved. */
  readonly interval: number;
}

/** A checkpoint of the right form, and its store. Its states are not checked yet. */
export class LoadedCheckpoint {
  /** `who`: the function that was called, for messages. */
  constructor(
    readonly who: string,
    readonly store: CheckpointStore,
    readonly content: Checkpoint,
  ) {}

  /** Throws unless the state of the loop `part` has the shape of the solver's states. */
  requireState<S extends SolverState>(
    part: string,
    state: SolverState,
    solver: Pick<Solver<S>, 'name' | 'shape'>,
  ): void {
    const { name, shape } = solver;
    if (!shape) throw inputError(this.who, `solver ${name}`, 'one that gives the shape of its state', 'none');
    const found = misfit(shape, state);
    if (found) throw misfitError(this.who, this.store, `${part}.${found.name}`, found.mustBe, found.got);
  }
}

/** Loads a checkpoint, if there is one, and checks its form. */
export async function loadCheckpoint(who: string, store: CheckpointStore): Promise<LoadedCheckpoint | undefined> {
  const content: unknown = await store.load();
  if (content === undefined) return undefined;
  const demand = (ok: boolean, part: string, mustBe: string, got: unknown) => {
    if (!ok) throw misfitError(who, store, part, mustBe, typeof got === 'number' ? `${got}` : describe(got));
  };
  const { identity, finished, current } = content as Partial<Record<keyof Checkpoint, unknown>>;
  requireIdentity(identity, demand);
  demand(Array.isArray(finished), 'finished', 'a list of loops', finished);
  for (const [k, loop] of (finished as unknown[]).entries()) requireFinished(`finished.${k}`, loop, demand);
  if (current !== undefined) requireLoop('current', current, demand);
  return new LoadedCheckpoint(who, store, content as Checkpoint);
}

type Demand = (ok: boolean, part: string, mustBe: string, got: unknown) => void;

function requireIdentity(identity: unknown, demand: Demand): void {
  demand(isRecord(identity), 'identity', 'an object', identity);
  const { data, backend, options } = identity as Partial<Identity>;
  demand(typeof data === 'string', 'identity.data', 'text', data);
  demand(typeof backend === 'string', 'identity.backend', 'text', backend);
  demand(isRecord(options), 'identity.options', 'an object', options);
}

function requireFinished(part: string, loop: unknown, demand: Demand): void {
  requireLoop(part, loop, demand);
  const { status, code, reason, budgets } = loop as Partial<FinishedLoop>;
  demand(status === 'converged' || status === 'exhausted', `${part}.status`, 'converged or exhausted', status);
  demand(typeof code === 'string', `${part}.code`, 'text', code);
  demand(typeof reason === 'string', `${part}.reason`, 'text', reason);
  const areNumbers = isRecord(budgets) && Object.values(budgets!).every(Number.isFinite);
  demand(areNumbers, `${part}.budgets`, 'an object of finite numbers', budgets);
}

function requireLoop(part: string, loop: unknown, demand: Demand): void {
  demand(isRecord(loop), part, 'an object', loop);
  const { solver, iteration, effort, looped, seconds, recentObjectives, recentChanges, state } =
    loop as Partial<CurrentLoop>;
  demand(typeof solver === 'string', `${part}.solver`, 'text', solver);
  demand(isCount(iteration), `${part}.iteration`, 'a whole number from 0', iteration);
  for (const [name, recent] of Object.entries({ recentObjectives, recentChanges })) {
    const ok = Array.isArray(recent) && recent.length <= STALL_STEPS + 1 && recent.every((x) => typeof x === 'number');
    demand(ok, `${part}.${name}`, `at most ${STALL_STEPS + 1} numbers`, recent);
  }
  for (const [name, clock] of Object.entries({ effort, looped, seconds })) {
    demand(Number.isFinite(clock) && clock! >= 0, `${part}.${name}`, 'a finite number from 0', clock);
  }
  demand(isRecord(state), `${part}.state`, 'an object', state);
  for (const [name, value] of Object.entries(state as object)) {
    demand(isStateValue(value), `${part}.${name}`, 'a number, true or false, a vector or a matrix', value);
  }
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** A short description of any value. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function misfitError(who: string, { name }: CheckpointStore, part: string, mustBe: string, got: string): InputError {
  const where = name === undefined ? 'the checkpoint' : `the checkpoint ${name}`;
  return new InputError(`${who}: ${part} in ${where} must be ${mustBe}; got ${got}. ${ADVICE}`, who);
}

const ADVICE = 'Delete the checkpoint, or run without resuming.';

/** Throws if a checkpoint belongs to another run: other options, kernels or data. */
export function requireSameIdentity(who: string, saved: Identity, current: Identity): void {
  const names = new Set([...Object.keys(saved.options), ...Object.keys(current.options)]);
  const pairs: [string, unknown, unknown][] = [...names].map((name) => [
    name,
    saved.options[name],
    current.options[name],
  ]);
  pairs.push(['backend', saved.backend, current.backend]);
  for (const [name, there, here] of pairs) {
    if (JSON.stringify(there) !== JSON.stringify(here)) {
      const words = `${JSON.stringify(there) ?? 'not set'} there, ${JSON.stringify(here) ?? 'not set'} here`;
      throw new InputError(
        `${who}: the checkpoint must have been made with the same options; got another ${name} (${words}). ${ADVICE}`,
        who,
      );
    }
  }
  // checked last, because the hash is made of sums that kernels and centering change
  if (saved.data !== current.data) {
    throw new InputError(
      `${who}: the checkpoint must have been made from the same data; got one from other samples. ${ADVICE}`,
      who,
    );
  }
}

/**
 * Saves checkpoints from time to time. A save that fails does not end the run, because a full disk may be emptied and the
 * result may go elsewhere: it is reported once, and tried again after the next interval.
 */
export class CheckpointSaver {
  readonly #who: string;
  readonly #store: CheckpointStore | undefined;
  readonly #warn: (message: string) => void;
  #last = performance.now();
  #warned = false;

  /** `who`: the function that was called, for the warning. */
  constructor(who: string, store: CheckpointStore | undefined, warn: (message: string) => void = console.warn) {
    this.#who = who;
    this.#store = store;
    this.#warn = warn;
  }

  /** Whether the interval since the last attempt is over. */
  get isDue(): boolean {
    return this.#store !== undefined && performance.now() - this.#last >= this.#store.interval * 1000;
  }

  /** Saves, or warns. */
  async save(checkpoint: Checkpoint): Promise<void> {
    try {
      await this.saveOrThrow(checkpoint);
    } catch (error) {
      if (!this.#warned) this.#warn(this.#warning(error));
      this.#warned = true;
    } finally {
      this.#last = performance.now();
    }
  }

  /** Saves, or throws: for the last save of a run that is aborted, whose work would be lost. */
  async saveOrThrow(checkpoint: Checkpoint): Promise<void> {
    await this.#store?.save(checkpoint);
  }

  #warning(error: unknown): string {
    return `${this.#who}: the checkpoint could not be saved (${reasonOf(error)}). The run continues and will try again.`;
  }
}
