/**
 * Checkpoints of wrong shapes and kinds: each is refused as bad input, or resumes to the result of a run that was never
 * interrupted. A mutated checkpoint gets a valid checksum again, except where the damage is to the bytes of the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { InputError } from '#src/core/errors.ts';
import type { Random } from '#src/core/random.ts';
import type { Checkpoint } from '#src/engine/checkpoint.ts';
import { fileCheckpoint, type PackedArray, withChecksum } from '#src/node/files/checkpoint-file.ts';
import { readArrays, writeArrays } from '#src/node/formats/arrays.ts';
import { type CheckpointCase, resumed } from './checkpoint-cases.ts';

/** What is in the file of a checkpoint, without its checksum. */
export interface FileContent {
  readonly arrays: Record<string, PackedArray>;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form, to be spoiled
  readonly meta: any;
}

/** Spoils the content in place; false if there is nothing of the kind it spoils. */
type Mutation = (content: FileContent, random: Random) => unknown;

const pick = <T>(random: Random, items: readonly T[]): T => items[random.integer(items.length)];
const arrayNames = ({ arrays }: FileContent): string[] => Object.keys(arrays);

/** Values of a wrong kind for anything. */
const ODD = [null, 'text', [], {}, { number: 'x' }, { number: 5 }, [1, 2], ''] as const;
const NOT_A_COUNT = [-1, 0.5, 1e300, '3', null, [], {}, true] as const;
const NOT_A_CLOCK = [-1, '3', null, [], {}, true] as const;
const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'extra', 'atoms ', ''] as const;

function shapeOf(array: PackedArray): readonly number[] {
  if (typeof array === 'string') return [];
  return 'shape' in array ? array.shape : [array.rows, array.cols];
}

/** Another shape for the numbers of an array. */
function otherShape(random: Random, array: PackedArray): PackedArray {
  const shape = shapeOf(array);
  const rows = shape[0];
  const cols = shape[1] ?? 1;
  const sizes = [
    [rows + 1, cols],
    [rows - 1, cols],
    [rows, cols + 1],
    [2, 2],
    [0, cols],
    [rows, 0],
    [1, rows * cols],
    [rows * cols],
    [rows, cols, 1],
    [],
    [1],
    [rows + 7],
    [3, 3, 3],
  ];
  const others = sizes.filter((size) => size.every((n) => n >= 0) && size.join() !== shape.join());
  const chosen = pick(random, others);
  const length = chosen.reduce((product, n) => product * n, 1);
  return { shape: chosen, data: Float64Array.from({ length }, () => random.normal()) };
}

function otherKind(random: Random, array: PackedArray): PackedArray {
  if (typeof array === 'string') return array;
  const shape = shapeOf(array);
  const data = array.data as Float64Array;
  return pick<PackedArray>(random, [
    { shape, data: Float32Array.from(data) },
    { shape, data: Int32Array.from(data) },
    { shape, data: Uint8Array.from(data) },
    { shape, data: BigInt64Array.from(data, () => 1n) },
    'text',
  ]);
}

function notFinite(random: Random, array: PackedArray): PackedArray {
  if (typeof array === 'string' || array.data.length === 0) return array;
  const data = Float64Array.from(array.data as Float64Array);
  data[random.integer(data.length)] = pick(random, [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  return { ...array, data };
}

const onArray =
  (change: (random: Random, array: PackedArray) => PackedArray): Mutation =>
  (content, random) => {
    const names = arrayNames(content);
    if (names.length === 0) return false;
    const name = pick(random, names);
    const before = content.arrays[name];
    content.arrays[name] = change(random, before);
    return content.arrays[name] !== before;
  };

/** The loops in the meta, the current one included. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any form
const loopsOf = ({ meta }: FileContent): any[] => [...meta.finished, ...(meta.current ? [meta.current] : [])];

const onLoop =
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form
    (change: (loop: any, random: Random) => unknown): Mutation =>
    (content, random) => {
      const loops = loopsOf(content);
      return loops.length > 0 && change(pick(random, loops), random);
    };

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'an array of another shape': onArray(otherShape),
  'an array of another kind': onArray(otherKind),
  'a number that is not finite': onArray(notFinite),
  'an array less': (content, random) => {
    const names = arrayNames(content);
    if (names.length === 0) return false;
    delete content.arrays[pick(random, names)];
  },
  'an array more': ({ arrays }, random) => {
    const part = pick(random, ['current', 'finished.0', 'finished.7', 'finished.-1', 'finished', 'loops.0', '']);
    arrays[`${part}.${pick(random, ODD_NAMES)}`] = { shape: [2], data: new Float64Array(2) };
  },
  'a name that is twice there': (content, random) => {
    const names = arrayNames(content).filter((name) => name.startsWith('current.'));
    if (names.length === 0) return false;
    content.meta.current.state[pick(random, names).slice('current.'.length)] = { number: '1' };
  },
  'a state entry of another kind': onLoop(({ state }, random) => {
    const names = Object.keys(state);
    if (names.length === 0) return false;
    state[pick(random, names)] = pick(random, ODD);
  }),
  'a state entry less': onLoop(({ state }, random) => {
    const names = Object.keys(state);
    if (names.length === 0) return false;
    delete state[pick(random, names)];
  }),
  'a state entry more': onLoop(({ state }, random) => {
    Object.defineProperty(state, pick(random, ODD_NAMES), {
      value: pick(random, [1, true, { number: '1' }]),
      enumerable: true,
      configurable: true,
    });
  }),
  'a state that is none': onLoop((loop, random) => {
    loop.state = pick(random, [null, 'text', [], 5, {}]);
  }),
  'a count that is none': onLoop((loop, random) => {
    loop['iterations' in loop ? 'iterations' : 'iteration'] = pick(random, NOT_A_COUNT);
  }),
  'a clock that is none': onLoop((loop, random) => {
    loop[pick(random, ['effort', 'looped'])] = pick(random, NOT_A_CLOCK);
  }),
  'a status that is none': onLoop((loop, random) => {
    if (!('status' in loop)) return false;
    loop[pick(random, ['status', 'reason'])] = pick(random, [null, 5, [], {}, true]);
  }),
  'another status': onLoop((loop) => {
    if (!('status' in loop)) return false;
    loop.status = 'aborted';
  }),
  'a solver that is none': onLoop((loop, random) => {
    loop.solver = pick(random, [null, 5, 'another', '', [], {}]);
  }),
  'recent numbers that are none': onLoop((loop, random) => {
    if (!('recentChanges' in loop)) return false;
    const wrong = [null, 'text', 5, {}, [null], ['x'], [[1]], Array(9).fill('1'), Array(10_000).fill('1')];
    loop[pick(random, ['recentObjectives', 'recentChanges'])] = pick(random, wrong);
  }),
  'a loop that is none': ({ meta }, random) => {
    const wrong = pick(random, [null, 5, 'text', [], true]);
    if (meta.current && random.uniform() < 0.5) meta.current = wrong ?? 5;
    else if (meta.finished.length > 0) meta.finished[random.integer(meta.finished.length)] = wrong;
    else return false;
  },
  'a journal that is none': ({ meta }, random) => {
    meta.finished = pick(random, [null, 5, 'text', {}, true]);
  },
  'a journal of many loops': ({ meta }) => {
    if (meta.finished.length === 0) return false;
    const last = meta.finished.at(-1);
    for (let k = 0; k < 5000; k++) meta.finished.push({ ...last, solver: 'another' });
  },
  'an identity that is none': ({ meta }, random) => {
    const where = pick(random, ['identity', 'data', 'backend', 'options']);
    const wrong = pick(random, [null, 5, [], true, 'text']);
    if (where === 'identity') meta.identity = wrong;
    else meta.identity[where] = wrong;
  },
  'options too deep': ({ meta }) => {
    meta.identity.options.deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`);
  },
};

/** Spoils a checkpoint in one way, whose name it returns; undefined if that way has nothing to spoil. */
export function mutateCheckpoint(random: Random, content: FileContent): string | undefined {
  const name = pick(random, Object.keys(MUTATIONS));
  return MUTATIONS[name](content, random) === false ? undefined : name;
}

/** A checkpoint as it is in a file. */
interface Saved {
  readonly bytes: Buffer;
  readonly arrays: Record<string, PackedArray>;
  readonly meta: string;
}

const known = new Map<Checkpoint, Saved>();

async function savedAs(checkpoint: Checkpoint, path: string): Promise<Saved> {
  const before = known.get(checkpoint);
  if (before) return before;
  await fileCheckpoint(path).save(checkpoint);
  const read = await readArrays(path);
  const arrays: Record<string, PackedArray> = {};
  for (const [name, { shape, data }] of read) if (data instanceof Float64Array) arrays[name] = { shape, data };
  const saved = { bytes: readFileSync(path), arrays, meta: read.get('meta')!.data[0] as string };
  known.set(checkpoint, saved);
  return saved;
}

/** Writes a spoiled checkpoint to the file; what was done to it. */
async function spoil(random: Random, { saved }: CheckpointCase, path: string): Promise<string> {
  const { bytes, arrays, meta } = await savedAs(pick(random, saved), path);
  if (random.uniform() < 0.1) {
    const flipped = Buffer.from(bytes); // nothing is signed again
    for (let k = 1 + random.integer(4); k > 0; k--) flipped[random.integer(flipped.length)] ^= 1 << random.integer(8);
    writeFileSync(path, flipped);
    return 'flipped bits';
  }
  const content: FileContent = { arrays: structuredClone(arrays), meta: JSON.parse(meta) };
  let name: string | undefined;
  while (name === undefined) name = mutateCheckpoint(random, content);
  await writeArrays(path, withChecksum({ ...content.arrays, meta: JSON.stringify(content.meta) }));
  return name;
}

/** Spoils a checkpoint and resumes from it; throws if what comes of it is neither a refusal nor the right result. */
export async function tryCheckpoint(random: Random, given: CheckpointCase, path: string): Promise<'refused' | 'same'> {
  const { learner, whole } = given;
  const mutation = await spoil(random, given, path);
  const outcome = await resumed(learner, { ...fileCheckpoint(path), save: async () => {} }).catch(
    (error: unknown) => error,
  );
  if (outcome instanceof InputError) return 'refused';
  if (outcome === whole) return 'same';
  const words = outcome instanceof Error ? outcome.stack : 'another result';
  throw new Error(`${learner.name}, ${mutation}: ${words}`);
}
