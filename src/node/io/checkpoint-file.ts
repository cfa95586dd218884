/**
 * Checkpoints in an .npz file: matrices and vectors as arrays (`current.candidate`, `finished.0.atoms`), everything else
 * as JSON in `meta`, and a hash of all of it in `checksum`. Written aside and renamed, so a kill while writing leaves the
 * previous one.
 *
 * This file checks the kinds of values in a checkpoint; engine/checkpoint.ts checks the values themselves.
 */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { InputError } from '../../core/errors.ts';
import type { Checkpoint, CheckpointStore, CurrentLoop, FinishedLoop } from '../../engine/checkpoint.ts';
import type { SolverState } from '../../engine/solver.ts';
import type { ArrayInput } from '../../io/arrays.ts';
import { parseJson } from '../../io/codecs/json.ts';
import type { NpyArray } from '../../io/codecs/npy/npy.ts';
import { arrayNames, readArray, readArrays, writeArrays } from './arrays.ts';

const CHECKPOINT_FORMAT = 6;
/** Advice for a checkpoint that cannot be read. */
const ADVICE = 'Delete it, or run without resuming';

/**
 * Makes a checkpoint store in a file. `interval`: minimum time between two saves, in seconds.
 *
 * @example
 * ```js
 * import { fileCheckpoint, learn } from 'orthodict/node';
 *
 * const run = { checkpoint: fileCheckpoint('run.checkpoint'), resume: true }; // continues if the file is there
 * console.log((await learn('data.npz', { seed: 1 }, run)).status); // converged
 * ```
 */
export function fileCheckpoint(path: string, interval = 10): CheckpointStore {
  return {
    name: path,
    interval,
    save: async (checkpoint) => writeArrays(path, withChecksum(pack(checkpoint))),
    async load() {
      return existsSync(path) ? unpack(path, await readArrays(path)) : undefined;
    },
  };
}

/** Throws if the file exists and is no checkpoint, so that it is not replaced by one. An empty file may be. */
export async function requireOwnCheckpoint(who: string, path: string): Promise<void> {
  if (!existsSync(path) || statSync(path).size === 0) return;
  const meta = await readMeta(path).catch((error) => {
    if (error instanceof InputError) return undefined;
    throw error;
  });
  if (meta !== undefined && 'checkpoint' in meta) return;
  throw new InputError(
    `${who}: --checkpoint must be a new file or a checkpoint of orthodict; got ${path}, which is damaged or something else. Delete it, or choose another name.`,
  );
}

async function readMeta(path: string): Promise<object | undefined> {
  if (!(await arrayNames(path)).includes('meta')) return undefined;
  const { data } = await readArray(`${path}:meta`);
  return typeof data[0] === 'string' ? parseMeta(data[0]) : undefined;
}

/** Parses an object; undefined if the text is none. */
function parseMeta(text: string): Record<string, unknown> | undefined {
  try {
    const meta = parseJson('meta', text);
    return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function pack({ identity, finished, current }: Checkpoint): Record<string, PackedArray> {
  const loops = finished.map((loop, k) => packLoop(`finished.${k}`, loop));
  const last = current && packLoop('current', current);
  const meta = {
    checkpoint: CHECKPOINT_FORMAT,
    identity,
    finished: loops.map(({ loop }) => loop),
    current: last?.loop,
  };
  const arrays = Object.assign({}, ...loops.map((loop) => loop.arrays), last?.arrays);
  return { ...arrays, meta: JSON.stringify(meta) };
}

/** Returns a loop as JSON, without the arrays of its state. */
function packLoop(part: string, loop: CurrentLoop | FinishedLoop) {
  const { arrays, scalars } = divide(part, loop.state);
  const recentObjectives = loop.recentObjectives.map(numberText);
  const recentChanges = loop.recentChanges.map(numberText);
  return { arrays, loop: { ...loop, recentObjectives, recentChanges, state: scalars } };
}

function unpack(path: string, arrays: Map<string, NpyArray>): Checkpoint {
  const refuse = (got: string): never => {
    throw new InputError(`${path}: must be a checkpoint of orthodict; got ${got}.`);
  };
  const damaged = (what: string) => refuse(`one that is damaged: ${what}. ${ADVICE}`);
  const text = arrays.get('meta')?.data[0];
  if (typeof text !== 'string') return refuse('a file without meta');
  const meta = parseMeta(text);
  if (meta?.checkpoint === undefined) return refuse('a file of another kind');
  if (meta.checkpoint !== CHECKPOINT_FORMAT) return refuse(`one of another version of orthodict. ${ADVICE}`);
  if (arrays.get('checksum')?.data[0] !== checksum(unpackedArrays(arrays, damaged))) damaged('its checksum is wrong');
  const states = statesOf(arrays, damaged);
  const unite = (loop: unknown, part: string): unknown => {
    if (typeof loop !== 'object' || loop === null) return loop ?? undefined;
    const { state, ...rest } = loop as Record<string, unknown>;
    const whole = withScalars(states.take(part), state, (name) => damaged(`${part}.${name}`));
    return { ...withNumbers(rest), state: whole };
  };
  const { identity, finished, current } = meta;
  const loops = Array.isArray(finished) ? finished.map((loop, k) => unite(loop, `finished.${k}`)) : finished;
  const last = unite(current, 'current');
  const extra = states.left();
  if (extra !== undefined) damaged(`it has arrays of ${extra}, which is not in it`);
  return { identity, finished: loops, current: last } as unknown as Checkpoint;
}

/** Value stored as an array: a matrix, a vector or text. */
export type PackedArray = Exclude<ArrayInput, { pieces: unknown }>;
type Scalars = Record<string, unknown>;

/** Splits a record into arrays under `prefix.name`, and everything else. */
function divide(prefix: string, record: SolverState): { arrays: Record<string, PackedArray>; scalars: Scalars } {
  const arrays: Record<string, PackedArray> = {};
  const scalars: Scalars = {};
  for (const [name, value] of Object.entries(record)) {
    if (value instanceof Float64Array) arrays[`${prefix}.${name}`] = { shape: [value.length], data: value };
    else if (typeof value === 'object') arrays[`${prefix}.${name}`] = value;
    else scalars[name] = typeof value === 'number' ? { number: numberText(value) } : value;
  }
  return { arrays, scalars };
}

type State = Map<string, unknown>;

/** Groups the arrays by loop: `finished.0.atoms` is `atoms` of the part `finished.0`. */
function statesOf(arrays: Map<string, NpyArray>, damaged: (what: string) => never) {
  const states = new Map<string, State>();
  for (const [path, { dtype, shape, data }] of arrays) {
    if (path === 'meta' || path === 'checksum') continue;
    const dot = path.lastIndexOf('.');
    const [part, name] = [path.slice(0, dot), path.slice(dot + 1)];
    if (dtype !== '<f8' || shape.length < 1 || shape.length > 2) damaged(`${path} is no float64 vector or matrix`);
    const state = states.get(part) ?? new Map<string, unknown>();
    state.set(name, shape.length === 2 ? { rows: shape[0], cols: shape[1], data } : data);
    states.set(part, state);
  }
  return {
    take(part: string): State {
      const state = states.get(part) ?? new Map<string, unknown>();
      states.delete(part);
      return state;
    },
    /** Returns the name of a part that is left over. */
    left: (): string | undefined => states.keys().next().value,
  };
}

/** Merges the arrays and scalars of a state as own properties only, whatever the names. */
function withScalars(state: State, scalars: unknown, twice: (name: string) => never): object {
  if (typeof scalars !== 'object' || scalars === null) return Object.fromEntries(state);
  for (const [name, value] of Object.entries(scalars)) {
    if (state.has(name)) twice(name);
    state.set(name, fromText((value as { number?: unknown } | null)?.number) ?? value);
  }
  return Object.fromEntries(state);
}

/** Restores the lists of numbers of a loop, where they are lists. */
function withNumbers({ recentObjectives, recentChanges, ...rest }: Record<string, unknown>): object {
  const restored = (list: unknown) => (Array.isArray(list) ? list.map((text) => fromText(text) ?? text) : list);
  return { ...rest, recentObjectives: restored(recentObjectives), recentChanges: restored(recentChanges) };
}

/** Formats a number: JSON has no Infinity or NaN, but text keeps every number, and `Number` reads it back bit for bit. */
const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Parses such a text; undefined if it is no number. */
function fromText(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const value = Number(text);
  return numberText(value) === text ? value : undefined;
}

type Content = readonly [name: string, shape: readonly number[], data: Float64Array | string];

/** Adds the checksum that a file of these arrays must have. */
export const withChecksum = (arrays: Record<string, PackedArray>): Record<string, PackedArray> => ({
  ...arrays,
  checksum: checksum(Object.entries(arrays).map(([name, array]) => contentOf(name, array))),
});

function contentOf(name: string, array: PackedArray): Content {
  if (typeof array === 'string') return [name, [], array];
  return [name, 'shape' in array ? array.shape : [array.rows, array.cols], array.data as Float64Array];
}

function unpackedArrays(arrays: Map<string, NpyArray>, damaged: (what: string) => never): Content[] {
  const all = [...arrays].filter(([name]) => name !== 'checksum');
  return all.map(([name, { shape, data }]) => {
    if (data instanceof Float64Array) return [name, shape, data];
    const text = data[0];
    return typeof text === 'string' ? [name, shape, text] : damaged(`${name} is no float64 array`);
  });
}

/** Returns a hash of all arrays, whatever their order. */
function checksum(arrays: readonly Content[]): string {
  const hash = createHash('sha256');
  for (const [name, shape, data] of arrays.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(JSON.stringify([name, shape, typeof data === 'string' ? data : data.length]));
    if (typeof data !== 'string') hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest('hex');
}
