/**
 * Protocol of a driver and its workers. A job is one block of one pass: which pass (by name), where its parameters and
 * its samples are, and the key of the result. Jobs are small; parameters, lists of files and results are binary values under
 * keys of their own, which expire.
 *
 *     PREFIX:value:HASH       parameters of a pass, or its source, by their SHA-256: stored once, fetched once by every worker
 *     PREFIX:result:JOB       the sum of a block
 *     PREFIX:run:RUN          exists while the driver is alive
 *     PREFIX:members          drivers and workers present: a hash of {@link Member}s
 *     bull:PREFIX-…           jobs, until they have ended, and the lists of BullMQ
 *
 * Bits depend on version and kernels, so both are part of the name of the queue: a worker of another kind never gets a
 * job. A queue is a trust boundary: its content is checked here, and only passes of this package run.
 */
import * as v from 'valibot';
import type {
  FileLocator,
  FilesLocator,
  SliceLocator,
  SplitLocator,
  SubsampleLocator,
  ViewLocator,
} from '../engine/source/source.ts';
import { MARK } from '../node/io/many-files.ts';
import { MODES } from './compute-block.ts';

export const DEFAULT_QUEUE = 'orthodict';

/**
 * Limits: bytes of a value and of the result of a job, which Redis limits to 512 MB; chunks and files of a source; characters of a
 * name.
 */
export const MOST = { value: 2 ** 28, result: 2 ** 29 - 2 ** 20, chunks: 2 ** 24, name: 4096, files: 4096 } as const;

/** Seconds until keys expire after their last use. */
export const LIFE = { value: 3600, result: 600, run: 30, member: 15 } as const;

/** Returns the name of a queue for one version and one kind of kernels. */
export const queueOf = (name: string, version: string, backend: string): string => `${name}-${version}-${backend}`;

export const keysOf = (name: string) => ({
  value: (hash: string) => `${name}:value:${hash}`,
  result: (job: string) => `${name}:result:${job}`,
  run: (run: string) => `${name}:run:${run}`,
  members: `${name}:members`,
});

/** Keys of a queue that BullMQ lets expire soon. */
const BRIEF_KEYS = ['stalled-check', 'limiter'];

/** Returns the keys that exist while a queue has members: their list, and those of BullMQ (`keys` of its queue). */
export const lastingKeys = (name: string, queue: Readonly<Record<string, string>>): string[] => {
  const lasting = Object.entries(queue).filter(([what]) => !BRIEF_KEYS.includes(what));
  return [keysOf(name).members, ...lasting.map(([, key]) => key)];
};

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(MOST.name));
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/));
const limits = v.record(name, v.number());

/** Schema of every field of T: the compiler reports one that is missing. */
type FieldsOf<T> = Record<keyof T, v.GenericSchema>;

const file = v.strictObject({
  kind: v.literal('file'),
  spec: name,
  size: count,
  stamp: v.pipe(v.string(), v.maxLength(MOST.name)),
  limits: v.optional(limits),
  format: v.optional(name),
} satisfies FieldsOf<FileLocator>);

/** Samples that a worker can open: files, and views of them. */
const locator: v.GenericSchema<FileLocator | FilesLocator | ViewLocator> = v.lazy(() =>
  v.variant('kind', [
    file,
    v.strictObject({
      kind: v.literal('files'),
      of: v.pipe(v.array(file), v.minLength(1), v.maxLength(MOST.files)),
    } satisfies FieldsOf<FilesLocator>),
    v.strictObject({
      kind: v.literal('slice'),
      of: locator,
      start: count,
      end: count,
    } satisfies FieldsOf<SliceLocator>),
    v.strictObject({
      kind: v.literal('subsample'),
      of: locator,
      rows: count,
      turn: count,
    } satisfies FieldsOf<SubsampleLocator>),
    v.strictObject({
      kind: v.literal('split'),
      of: locator,
      held: v.pipe(count, v.minValue(1)),
      side: v.picklist(['learned', 'held']),
    } satisfies FieldsOf<SplitLocator>),
  ]),
);

/** Schema of the samples of a job. */
export const remoteSource = v.strictObject({
  locator,
  rows: count,
  cols: count,
  precision: v.picklist(['f32', 'f64']),
  /** Start and end of every chunk, if they do not follow from the shape. */
  ranges: v.optional(v.pipe(v.array(count), v.maxLength(MOST.chunks))),
});

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

export const blockJob = v.strictObject({
  run: id,
  pass: name,
  /** Hash of the parameters; next: of the {@link remoteSource}. */
  params: hash,
  source: hash,
  mode: v.picklist(MODES),
  /** Destination of the files, with `write`. */
  target: v.optional(v.strictObject({ folder: name, mark: v.pipe(v.string(), v.regex(MARK)), name: id })),
  block: v.strictObject({ first: count, count, level: count }),
  /** Key of the result. */
  result: id,
});
export type BlockJob = v.InferOutput<typeof blockJob>;

/** Return value of a finished job. */
export const blockDone = v.strictObject({ bytes: count, seconds: v.number() });
export type BlockDone = v.InferOutput<typeof blockDone>;

/** Reply of the worker that wrote a file. */
export const shardWritten = v.strictObject({ rows: count, kept: count });

/** A driver or worker at a queue. */
export const member = v.strictObject({
  role: v.picklist(['driver', 'worker']),
  version: v.pipe(v.string(), v.maxLength(64)),
  backend: v.pipe(v.string(), v.maxLength(64)),
  threads: count,
  host: v.pipe(v.string(), v.maxLength(256)),
  pid: count,
  /** Milliseconds since 1970 of its last heartbeat. */
  seen: v.number(),
});
export type Member = v.InferOutput<typeof member>;

export const describeMember = ({ role, host, pid, version, backend, threads }: Member): string =>
  `${role} ${host}:${pid} (version ${version}, ${backend}, ${threads === 1 ? '1 thread' : `${threads} threads`})`;
