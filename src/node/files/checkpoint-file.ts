/**
 * Checkpoints in an .npz file: matrices and vectors are arrays (`state.candidate`, `finished.atoms`), everything else
 * is JSON in `meta`. Written atomically, so a kill while writing leaves the previous checkpoint.
 */
import { existsSync } from 'node:fs';
import { InputError } from '../../core/errors.ts';
import type { Matrix64 } from '../../core/matrix.ts';
import type { Checkpoint, CheckpointStore } from '../../engine/checkpoint.ts';
import type { SolverState } from '../../engine/solver.ts';
import type { Finished } from '../../learn/stages.ts';
import { type ArrayInput, readArrays, writeArrays } from '../formats/arrays.ts';
import type { NpyArray } from '../formats/npy.ts';

const CHECKPOINT_FORMAT = 2;

/** `interval`: minimum time between two saves, in seconds. */
export function fileCheckpoint(path: string, interval = 10): CheckpointStore {
  return {
    interval,
    save: (checkpoint) => writeArrays(path, pack(checkpoint)),
    async load() {
      return existsSync(path) ? unpack(path, await readArrays(path)) : undefined;
    },
  };
}

function pack({ position, finished, ...rest }: Checkpoint): Record<string, ArrayInput> {
  const stage = finished && divide('finished', finished);
  const ended = finished?.state && divide('finished.state', finished.state);
  const state = position && divide('state', position.state);
  const meta = {
    checkpoint: CHECKPOINT_FORMAT,
    ...rest,
    finished: stage && { ...stage.scalars, state: ended?.scalars },
    position: position && {
      iteration: position.iteration,
      recentObjectives: position.recentObjectives.map(numberText),
      recentChanges: position.recentChanges.map(numberText),
      state: state?.scalars,
    },
  };
  return { ...stage?.arrays, ...ended?.arrays, ...state?.arrays, meta: JSON.stringify(meta) };
}

function unpack(path: string, arrays: Map<string, NpyArray>): Checkpoint {
  const broken = (why: string) => new InputError(`${path}: must be a checkpoint of orthodict; got ${why}.`);
  const text = arrays.get('meta')?.data[0];
  if (typeof text !== 'string') throw broken('a file without meta');
  try {
    const meta = JSON.parse(text);
    if (meta.checkpoint !== CHECKPOINT_FORMAT) throw broken('a file of another kind');
    const { identity, effort, finished, position } = meta;
    return {
      identity,
      effort,
      finished: finished && restoreFinished(finished, arrays),
      position: position && {
        iteration: position.iteration,
        recentObjectives: position.recentObjectives.map(Number),
        recentChanges: position.recentChanges.map(Number),
        state: unite('state', position.state, arrays),
      },
    };
  } catch (error) {
    throw error instanceof InputError ? error : broken('one that is damaged');
  }
}

function restoreFinished(
  { state, ...scalars }: Scalars & { state?: Scalars },
  arrays: Map<string, NpyArray>,
): Finished {
  const stage = unite('finished', scalars, arrays);
  if (!('data' in (stage.atoms as object))) throw new Error('no atoms');
  return { ...stage, ...(state && { state: unite('finished.state', state, arrays) }) } as unknown as Finished;
}

type Scalars = Record<string, unknown>;

/** Separates arrays, named `prefix.name`, from everything else; leaves nested records to the caller. */
function divide(prefix: string, record: object): { arrays: Record<string, ArrayInput>; scalars: Scalars } {
  const arrays: Record<string, ArrayInput> = {};
  const scalars: Scalars = {};
  for (const [name, value] of Object.entries(record)) {
    if (value instanceof Float64Array) arrays[`${prefix}.${name}`] = { shape: [value.length], data: value };
    else if (typeof value === 'object' && 'data' in value) arrays[`${prefix}.${name}`] = value;
    else if (typeof value === 'number') scalars[name] = { number: numberText(value) };
    else if (typeof value !== 'object') scalars[name] = value;
  }
  return { arrays, scalars };
}

function unite(prefix: string, scalars: Scalars, arrays: Map<string, NpyArray>): SolverState {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(scalars)) {
    record[name] = typeof value === 'object' ? Number((value as { number: string }).number) : value;
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
