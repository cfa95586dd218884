/**
 * Sparse principal components of samples that arrive one after the other. A checkpoint holds the sketch and a hash of
 * the samples seen. A resumed run skips these, checks that they are the same, and continues.
 */
import { breather } from '../../core/breathe.ts';
import { demand } from '../../core/errors.ts';
import { rowsHash } from '../../core/hash.ts';
import { type Matrix, rowRange } from '../../core/matrix.ts';
import { describeForm } from '../../core/require-matrix.ts';
import {
  type Checkpoint,
  CheckpointSaver,
  type LoadedCheckpoint,
  loadCheckpoint,
  requireSameIdentity,
} from '../../engine/checkpoint.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import type { Progress } from '../../engine/stop.ts';
import type { SparsePcaStreamOptions } from './option-types.ts';
import { type SketchState, sketchShape } from './sketch.ts';
import { SparsePcaStream, type StreamComponents, type StreamItem } from './stream.ts';

/** The components of a stream, and the number of samples read. */
export interface SparsePcaStreamResult extends StreamComponents {
  /** Number of samples that this call added. */
  readonly taken: number;
  readonly seconds: number;
}

/** Samples or batches that arrive one after the other. */
export type StreamItems = AsyncIterable<StreamItem> | Iterable<StreamItem>;

/**
 * Reads all samples of an iterable, then returns the components. Pass a stream instead of options to continue it.
 * After an abort the status is `aborted`, with the components of the samples seen. Progress counts samples as
 * iterations.
 *
 * @example
 * ```js
 * import { generateSparseComponents, learnSparsePcaStream } from 'orthodict';
 *
 * const { samples } = generateSparseComponents({ samples: 2000, features: 40, components: 3, nonzeros: 5, seed: 1 });
 * const { loadings, taken } = await learnSparsePcaStream([samples], { components: 3, nonzeros: 5 });
 * console.log(taken, loadings.rows, loadings.cols); // 2000 3 40
 * ```
 */
export async function learnSparsePcaStream(
  samples: StreamItems,
  options: SparsePcaStreamOptions | SparsePcaStream,
  runOptions: RunOptions = {},
): Promise<SparsePcaStreamResult> {
  const who = 'learnSparsePcaStream';
  const fresh = options instanceof SparsePcaStream ? options : new SparsePcaStream(options, who);
  const run = await Run.start(who, runOptions);
  const { stream, taken, aborted } = await takeIn(who, samples, fresh, runOptions);
  if (!aborted) return { ...(await stream.resultIn(run)), taken, seconds: run.seconds };
  if (stream.seen < stream.components) runOptions.signal?.throwIfAborted();
  const unhurried = await Run.start(who, { executor: run.executor });
  const found = await stream.resultIn(unhurried);
  return { ...found, status: 'aborted', reason: 'aborted', taken, seconds: run.seconds };
}

export interface Taken {
  /** `fresh`, or the stream of the checkpoint. */
  readonly stream: SparsePcaStream;
  readonly taken: number;
  readonly aborted: boolean;
}

/** Adds samples to a stream. With a checkpoint, its state is saved periodically, at the end and after an abort. */
export async function takeIn(
  who: string,
  samples: StreamItems,
  fresh: SparsePcaStream,
  { signal, checkpoint, resume, onProgress, onWarning }: RunOptions,
): Promise<Taken> {
  requireIterable(who, samples);
  const saved = resume && checkpoint ? await loadCheckpoint(who, checkpoint) : undefined;
  const saver = new CheckpointSaver(who, checkpoint, onWarning);
  const hash = rowsHash();
  const breathe = breather(signal);
  const started = performance.now();
  let [stream, before, position] = [fresh, fresh.seen, saved?.content.current?.iteration ?? 0];
  let ready = position === 0;
  const restore = () => {
    stream = streamFromCheckpoint(who, fresh, saved!, hash.text);
    before = stream.seen;
    ready = true;
  };
  const save = async (how: 'save' | 'saveOrThrow') => {
    if (checkpoint && ready && stream.seen > 0) await saver[how](checkpointOf(stream, hash.text, position));
  };
  const outcome = (aborted: boolean): Taken => ({ stream, taken: stream.seen - before, aborted });
  try {
    for await (const item of ready ? samples : skipRows(samples, position, hash.add, restore, signal)) {
      signal?.throwIfAborted();
      stream.partialFit(item);
      if (checkpoint) {
        const rows = asMatrix(item);
        hash.add(rows);
        position += rows.rows;
        if (saver.isDue) await save('save');
      }
      onProgress?.(progressOf(stream.seen, stream.seen - before, (performance.now() - started) / 1000));
      await breathe();
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    await save('saveOrThrow');
    return outcome(true);
  }
  await save('saveOrThrow'); // another stream may continue from it
  return outcome(false);
}

/**
 * Yields the items after the first `count` rows, which only go to `hash`. Calls `passed` after these rows, or at the
 * end of the samples.
 */
async function* skipRows(
  samples: StreamItems,
  count: number,
  hash: (rows: Matrix) => void,
  passed: () => void,
  signal?: AbortSignal,
): AsyncGenerator<StreamItem> {
  let left = count;
  for await (const item of samples) {
    signal?.throwIfAborted();
    if (left === 0) {
      yield item;
      continue;
    }
    const rows = asMatrix(item);
    const skipped = Math.min(left, rows.rows);
    hash(rowRange(rows, 0, skipped));
    left -= skipped;
    if (left === 0) passed();
    if (skipped < rows.rows) yield rowRange(rows, skipped, rows.rows);
  }
  if (left > 0) passed();
}

function asMatrix(item: StreamItem): Matrix {
  if ('rows' in item) return item;
  const data = item instanceof Float64Array || item instanceof Float32Array ? item : Float64Array.from(item);
  return { rows: 1, cols: data.length, data };
}

/**
 * Restores `fresh` from a checkpoint, which must have the same options and data. If `data` is not given, any samples are
 * accepted.
 */
export function streamFromCheckpoint(
  who: string,
  fresh: SparsePcaStream,
  saved: LoadedCheckpoint,
  data = saved.content.identity.data,
): SparsePcaStream {
  const { identity, current } = saved.content;
  requireSameIdentity(who, identity, identityOf(fresh, data));
  if (!current) return SparsePcaStream.resume({ options: fresh.options }, who);
  const state: Partial<SketchState> = current.state;
  const shape = sketchShape(fresh.options, state.rows?.cols ?? 0);
  saved.requireState('current', current.state, { name: STREAM, shape });
  return SparsePcaStream.resume({ options: fresh.options, sketch: state as SketchState }, who);
}

function checkpointOf(stream: SparsePcaStream, data: string, position: number): Checkpoint {
  const state = stream.state().sketch!;
  const current = {
    state,
    iteration: position,
    recentObjectives: [],
    recentChanges: [],
    seconds: 0,
    solver: STREAM,
    effort: 0,
    looped: 0,
  };
  return { identity: identityOf(stream, data), finished: [], current };
}

/** Name of the solver in checkpoints and progress. */
const STREAM = 'stream';

/** A sketch is computed without kernels, so it is the same for all of them. */
const identityOf = (stream: SparsePcaStream, data: string): Checkpoint['identity'] => ({
  data,
  backend: 'none',
  options: { model: 'sparse-pca-stream', ...stream.options },
});

function progressOf(seen: number, taken: number, seconds: number): Progress {
  const none = { objective: Number.NaN, change: Number.NaN, recentObjectives: [], recentChanges: [] };
  return { solver: STREAM, iteration: seen, ...none, seconds, samplesPerSecond: taken / seconds };
}

function requireIterable(who: string, samples: StreamItems): void {
  const { [Symbol.iterator]: plain, [Symbol.asyncIterator]: async } = Object(samples);
  const ok = typeof plain === 'function' || typeof async === 'function';
  demand(ok, who, 'samples', 'an iterable of samples', describeForm(samples));
}
