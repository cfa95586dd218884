/**
 * Checkpoints in an .npz file: matrices and vectors as arrays (`current.candidate`, `finished.0.atoms`), everything else as JSON in `meta`.
 * Written aside and renamed, so a kill while writing leaves the previous one.
 */
import { existsSync } from 'node:fs';
import { InputError } from '../../core/errors.ts';
import type { Matrix64 } from '../../core/matrix.ts';
import type { Checkpoint, CheckpointStore, CurrentLoop, FinishedLoop } from '../../engine/checkpoint.ts';
import type { SolverState } from '../../engine/solver.ts';
import { type ArrayInput, readArrays, writeArrays } from '../formats/arrays.ts';
import type { NpyArray } from '../formats/npy.ts';

const CHECKPOINT_FORMAT = 3;

/**
 * A checkpoint in a file. `interval`: minimum time between two saves, in seconds.
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
    interval,
    save: (checkpoint) => writeArrays(path, pack(checkpoint)),
    async load() {
      return existsSync(path) ? unpack(path, await readArrays(path)) : undefined;
    },
  };
}

function pack({ identity, finished, current }: Checkpoint): Record<string, ArrayInput> {
  const loops = finished.map(({ state, ...rest }, k) => ({ ...divide(`finished.${k}`, state), rest }));
  const last = current && divide('current', current.state);
  const meta = {
    checkpoint: CHECKPOINT_FORMAT,
    identity,
    finished: loops.map(({ scalars, rest }) => ({ ...rest, state: scalars })),
    current: current && {
      solver: current.solver,
      iteration: current.iteration,
      effort: current.effort,
      looped: current.looped,
      recentObjectives: current.recentObjectives.map(numberText),
      recentChanges: current.recentChanges.map(numberText),
      state: last?.scalars,
    },
  };
  const arrays = Object.assign({}, ...loops.map((loop) => loop.arrays), last?.arrays);
  return { ...arrays, meta: JSON.stringify(meta) };
}

function unpack(path: string, arrays: Map<string, NpyArray>): Checkpoint {
  const broken = (why: string) => new InputError(`${path}: must be a checkpoint of orthodict; got ${why}.`);
  const text = arrays.get('meta')?.data[0];
  if (typeof text !== 'string') throw broken('a file without meta');
  try {
    const meta = JSON.parse(text);
    if (meta.checkpoint !== CHECKPOINT_FORMAT) throw broken('a file of another kind or version');
    const { identity, finished, current } = meta;
    return {
      identity,
      finished: finished.map((loop: FinishedLoop & { state: Scalars }, k: number) => ({
        ...loop,
        state: unite(`finished.${k}`, loop.state, arrays),
      })),
      current: current && restoreCurrent(current, arrays),
    };
  } catch (error) {
    throw error instanceof InputError ? error : broken('one that is damaged');
  }
}

interface PackedLoop {
  readonly solver: string;
  readonly looped: number;
  readonly iteration: number;
  readonly effort: number;
  readonly recentObjectives: readonly string[];
  readonly recentChanges: readonly string[];
  readonly state: Scalars;
}

const restoreCurrent = (packed: PackedLoop, arrays: Map<string, NpyArray>): CurrentLoop => ({
  solver: packed.solver,
  iteration: packed.iteration,
  effort: packed.effort,
  looped: packed.looped,
  recentObjectives: packed.recentObjectives.map(Number),
  recentChanges: packed.recentChanges.map(Number),
  state: unite('current', packed.state, arrays),
});

type Scalars = Record<string, unknown>;

/** Arrays under `prefix.name`, and everything else. */
function divide(prefix: string, record: SolverState): { arrays: Record<string, ArrayInput>; scalars: Scalars } {
  const arrays: Record<string, ArrayInput> = {};
  const scalars: Scalars = {};
  for (const [name, value] of Object.entries(record)) {
    if (value instanceof Float64Array) arrays[`${prefix}.${name}`] = { shape: [value.length], data: value };
    else if (typeof value === 'object') arrays[`${prefix}.${name}`] = value;
    else scalars[name] = typeof value === 'number' ? { number: numberText(value) } : value;
  }
  return { arrays, scalars };
}

function unite(prefix: string, scalars: Scalars, arrays: Map<string, NpyArray>): SolverState {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(scalars)) {
    const packed = value as { number?: string } | boolean;
    record[name] = typeof packed === 'object' && packed.number !== undefined ? Number(packed.number) : value;
  }
  for (const [path, array] of arrays) {
    const name = path.slice(prefix.length + 1);
    if (!path.startsWith(`${prefix}.`) || name.includes('.')) continue;
    record[name] = array.shape.length === 2 ? matrix(array) : (array.data as Float64Array);
  }
  return record as SolverState;
}

const matrix = ({ shape, data }: NpyArray): Matrix64 => ({
  rows: shape[0],
  cols: shape[1],
  data: data as Float64Array,
});

/** JSON has no Infinity or NaN; text keeps every number, and `Number` reads it back bit for bit. */
const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
