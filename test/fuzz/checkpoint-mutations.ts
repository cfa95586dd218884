/** Ways to spoil a checkpoint: wrong shapes, wrong kinds, missing and additional entries. */
import type { Random } from '#src/core/random.ts';
import type { PackedArray } from '#src/node/io/checkpoint-file.ts';
import { pick } from './edits.ts';

/** What is in the file of a checkpoint, without its checksum. */
export interface FileContent {
  readonly arrays: Record<string, PackedArray>;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form, to be spoiled
  readonly meta: any;
}

/** Spoils the content in place; false if there is nothing of the kind it spoils. */
type Mutation = (content: FileContent, random: Random) => unknown;

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
    loop.iteration = pick(random, NOT_A_COUNT);
  }),
  'a clock that is none': onLoop((loop, random) => {
    loop[pick(random, ['effort', 'looped', 'seconds'])] = pick(random, NOT_A_CLOCK);
  }),
  'a status that is none': onLoop((loop, random) => {
    if (!('status' in loop)) return false;
    loop[pick(random, ['status', 'reason'])] = pick(random, [null, 5, [], {}, true]);
  }),
  'budgets that are none': onLoop((loop, random) => {
    if (!('budgets' in loop)) return false;
    loop.budgets = pick(random, [null, 5, [], 'text', true, { maxIterations: null }, { maxIterations: '3' }]);
  }),
  'another status': onLoop((loop) => {
    if (!('status' in loop)) return false;
    loop.status = 'aborted';
  }),
  'a solver that is none': onLoop((loop, random) => {
    loop.solver = pick(random, [null, 5, 'another', '', [], {}]);
  }),
  'recent numbers that are none': onLoop((loop, random) => {
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
