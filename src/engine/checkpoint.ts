/**
 * What a run saves so that it can continue later as if it had never stopped: how each finished loop ended, and where
 * the current one stands. A resumed run starts from the beginning, takes the outcomes of finished loops from here, and
 * continues inside the loop that was cut off.
 *
 * What a store loads is not trusted. Its form is checked here when it is loaded, the state of each loop when the solver
 * of that loop is known.
 */
import { InputError, inputError } from '../core/errors.ts';
import { quoted } from '../core/printable.ts';
import type { Position } from './iterate.ts';
import type { Budgets } from './limits.ts';
import type { Solver, SolverState } from './solver.ts';
import { isStateValue, misfit } from './state-shape.ts';
import { STALL_STEPS, type Verdict } from './stop.ts';

/** The state of a run: which data and options, how each finished loop ended, where the current one stands. */
export interface Checkpoint {
  readonly identity: Identity;
  readonly finished: readonly FinishedLoop[];
  /** State of the loop after the finished ones; absent if it has not begun. */
  readonly current?: CurrentLoop | undefined;
}

/** Where a run stood when it saved. */
interface Clocks {
  /** Name of the solver of the loop. */
  readonly solver: string;
  /** Samples visited by the whole run when the loop ended. */
  readonly effort: number;
  /** Seconds that the run has spent in loops. */
  readonly looped: number;
}

/** Where a loop stood when it was saved. */
export interface CurrentLoop extends Position<SolverState>, Clocks {}

/** Where a loop ended and why; one that used up a budget can go on from there. */
export interface FinishedLoop extends CurrentLoop, Verdict {
  /** Those of the run that ended it: they decided what came next. */
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
  /** Where it is, for messages: the name of a file. */
  readonly name?: string | undefined;
  load(): Promise<Checkpoint | undefined>;
  /** Must leave the previous checkpoint intact until the new one is complete. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Least time between two saves inside a loop, in seconds. The end of a loop is always saved. */
  readonly interval: number;
}

/** A checkpoint of the right form and where it came from. Its states are not yet checked. */
export class LoadedCheckpoint {
  /** `who`: the function that was called, for messages. */
  constructor(
    readonly who: string,
    readonly store: CheckpointStore,
    readonly content: Checkpoint,
  ) {}

  /** Throws unless the state of the loop `part` is one of the solver's. */
  requireState(part: string, state: SolverState, { name: solver, shape }: Pick<Solver<SolverState>, 'name' | 'shape'>) {
    if (!shape) throw inputError(this.who, `solver ${solver}`, 'one that gives the shape of its state', 'none');
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
  const { status, reason, budgets } = loop as Partial<FinishedLoop>;
  demand(status === 'converged' || status === 'exhausted', `${part}.status`, 'converged or exhausted', status);
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

/** Short, whatever it is. */
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
        `${who}: the checkpoint must be of the same options; got another ${name} (${words}). ${ADVICE}`,
        who,
      );
    }
  }
  // checked last, because the hash is made of sums that kernels and centering change
  if (saved.data !== current.data) {
    throw new InputError(`${who}: the checkpoint must be of the same data; got one of other samples. ${ADVICE}`, who);
  }
}
