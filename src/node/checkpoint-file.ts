/**
 * Checkpoints in an .npz file: matrices and vectors as arrays (`state.candidate`, `explored.atoms`), everything else as JSON in
 * `meta`. Written aside and renamed, so a kill while writing leaves the previous one.
 */
import { existsSync } from 'node:fs';
import type { Checkpoint, CheckpointStore, Explored } from '../checkpoint.ts';
import { InputError } from '../errors.ts';
import type { Matrix64 } from '../matrix.ts';
import type { SolverState } from '../solvers/solver.ts';
import { type ArrayInput, readArrays, writeArrays } from './arrays.ts';
import type { NpyArray } from './npy.ts';

const CHECKPOINT_FORMAT = 1;

/** `interval`: least time between two saves, in seconds. */
export function fileCheckpoint(path: string, interval = 10): CheckpointStore {
  return {
    interval,
    save: (checkpoint) => writeArrays(path, pack(checkpoint)),
    async load() {
      return existsSync(path) ? unpack(path, await readArrays(path)) : undefined;
    },
  };
}

function pack({ position, explored, ...rest }: Checkpoint): Record<string, ArrayInput> {
  const arrays: Record<string, ArrayInput> = {};
  const scalars: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(position?.state ?? {})) {
    if (value instanceof Float64Array) arrays[`state.${name}`] = { shape: [value.length], data: value };
    else if (typeof value === 'object') arrays[`state.${name}`] = value;
    else scalars[name] = typeof value === 'number' ? numberText(value) : value;
  }
  const { atoms, rotations, ...exploredMeta } = explored ?? {};
  if (atoms) arrays['explored.atoms'] = atoms;
  if (rotations) arrays['explored.rotations'] = rotations;
  const meta = {
    checkpoint: CHECKPOINT_FORMAT,
    ...rest,
    explored: explored && { ...exploredMeta, objective: numberText(explored.objective) },
    position: position && {
      iteration: position.iteration,
      recentObjectives: position.recentObjectives.map(numberText),
      scalars,
    },
  };
  return { ...arrays, meta: JSON.stringify(meta) };
}

function unpack(path: string, arrays: Map<string, NpyArray>): Checkpoint {
  const broken = (why: string) => new InputError(`${path}: must be a checkpoint of orthodict; got ${why}.`);
  const text = arrays.get('meta')?.data[0];
  if (typeof text !== 'string') throw broken('a file without meta');
  try {
    const meta = JSON.parse(text);
    if (meta.checkpoint !== CHECKPOINT_FORMAT) throw broken('a file of another kind');
    const { identity, passes, explored, position } = meta;
    return {
      identity,
      passes,
      explored: explored && restoreExplored(explored, arrays),
      position: position && {
        iteration: position.iteration,
        recentObjectives: position.recentObjectives.map(Number),
        state: restoreState(position.scalars, arrays),
      },
    };
  } catch (error) {
    throw error instanceof InputError ? error : broken('one that is damaged');
  }
}

function restoreExplored(meta: Omit<Explored, 'atoms'>, arrays: Map<string, NpyArray>): Explored {
  const rotations = arrays.get('explored.rotations');
  return {
    ...meta,
    objective: Number(meta.objective),
    atoms: matrix(arrays.get('explored.atoms')!),
    ...(rotations && { rotations: matrix(rotations) }),
  };
}

function restoreState(scalars: Record<string, boolean | string>, arrays: Map<string, NpyArray>): SolverState {
  const state: Record<string, SolverState[string]> = {};
  for (const [name, value] of Object.entries(scalars)) state[name] = typeof value === 'string' ? Number(value) : value;
  for (const [name, array] of arrays) {
    if (!name.startsWith('state.')) continue;
    state[name.slice('state.'.length)] = array.shape.length === 2 ? matrix(array) : (array.data as Float64Array);
  }
  return state;
}

const matrix = ({ shape, data }: NpyArray): Matrix64 => ({
  rows: shape[0],
  cols: shape[1],
  data: data as Float64Array,
});

/** JSON has no Infinity and no NaN; text keeps every number, and `Number` reads it back to the last bit. */
const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
