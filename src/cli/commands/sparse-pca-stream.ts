/** `orthodict sparse-pca --stream`: every sample once for the components, once more for the scores; can stop and go on. */
import { InputError } from '../../core/errors.ts';
import { type FloatArray, type Matrix, type Matrix64, zeros } from '../../core/matrix.ts';
import { type Checkpoint, type CheckpointStore, type Identity, requireSameIdentity } from '../../engine/checkpoint.ts';
import { type Fingerprint, rowsFingerprint } from '../../engine/fingerprint.ts';
import { chunkRanges, type Source } from '../../engine/source.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import type { Components } from '../../models/sparse-pca/components.ts';
import { WHO } from '../../models/sparse-pca/options.ts';
import { scoreChunks } from '../../models/sparse-pca/scores.ts';
import type { SketchState } from '../../models/sparse-pca/sketch.ts';
import { SparsePcaStream } from '../../models/sparse-pca/stream.ts';
import { checkWritable } from '../../node/files/atomic-write.ts';
import { fileCheckpoint } from '../../node/files/checkpoint-file.ts';
import { writeArrays } from '../../node/formats/arrays.ts';
import { requireExtension } from '../terminal/arguments.ts';
import { Interrupted } from '../terminal/interrupt.ts';
import { formatNumber } from '../terminal/output.ts';
import type { ProgressLine } from '../terminal/progress-line.ts';
import { lasting, type Summary } from './sparse-pca-summary.ts';

export interface StreamFlags {
  components: number;
  gamma?: number;
  nonzeros?: number;
  reserve?: number;
  center: 'mean' | 'none';
  seed: number;
  checkpoint?: string;
  checkpointEvery: number;
  resume?: boolean;
  after?: string;
  out: string;
}

export async function checkCheckpoint({ checkpoint, checkpointEvery, resume }: StreamFlags): Promise<void> {
  if (!(checkpointEvery >= 0)) {
    throw new InputError(`${WHO}: --checkpoint-every must be a number, 0 or more; got ${checkpointEvery}.`);
  }
  if (resume && !checkpoint) throw new InputError(`${WHO}: --resume must come with --checkpoint; got --resume alone.`);
  if (!checkpoint) return;
  requireExtension(WHO, '--checkpoint', checkpoint, ['.npz']);
  await checkWritable(checkpoint);
}

export async function runStream(
  source: Source,
  flags: StreamFlags,
  line: ProgressLine,
  signal: AbortSignal,
): Promise<Summary> {
  const { components, checkpoint, checkpointEvery, out } = flags;
  const started = performance.now();
  const begun = await begin(source, flags);
  const { stream } = begun;
  const before = stream.seen;
  const store = checkpoint ? fileCheckpoint(checkpoint, checkpointEvery) : undefined;
  try {
    await takeIn(source, begun, store, line, signal);
    const result = await stream.result({ signal });
    signal.throwIfAborted();
    const gram = zeros(components, components);
    const pieces = scorePieces(source, result.mean, result.loadings, gram, signal);
    const scores = { shape: [source.rows, components], precision: 'f64', pieces } as const;
    const meta = { ...result, method: 'stream' };
    await writeArrays(out, { loadings: result.loadings, scores, ...lasting(meta, result.mean) });
    const seconds = (performance.now() - started) / 1000;
    const variances = result.samples === source.rows ? explained(result, gram, source.rows) : {};
    return { ...meta, ...variances, seconds, taken: result.samples - before };
  } catch (error) {
    if (!signal.aborted) throw error;
    const saved = checkpoint ? ` The state is in ${checkpoint}; --resume goes on from there.` : '';
    throw new Interrupted(`${WHO}: interrupted after ${formatNumber(stream.seen)} samples.${saved}`);
  }
}

/** A stream, how many rows of the source it has taken in, and the fingerprint of these. */
interface Progress {
  readonly stream: SparsePcaStream;
  readonly fingerprint: Fingerprint;
  taken: number;
}

/** A new stream, or the one that a checkpoint was made of. */
async function begin(source: Source, flags: StreamFlags): Promise<Progress> {
  const { components, gamma, nonzeros, center, seed, reserve, checkpoint, resume, after } = flags;
  const stream = new SparsePcaStream({ components, gamma, nonzeros, center, seed, reserve });
  const fingerprint = rowsFingerprint();
  const stopped = resume ? await fileCheckpoint(checkpoint!).load() : undefined;
  if (stopped) {
    const taken = stopped.position?.iteration ?? 0;
    for await (const piece of rowsBetween(source, 0, Math.min(taken, source.rows))) fingerprint.add(piece);
    return { stream: restored(stream, stopped, fingerprint.text), fingerprint, taken };
  }
  if (after === undefined) return { stream, fingerprint, taken: 0 };
  const earlier = await fileCheckpoint(after).load();
  if (!earlier) throw new InputError(`${WHO}: --after must be a checkpoint that exists; got "${after}".`);
  return { stream: restored(stream, earlier, earlier.identity.data), fingerprint, taken: 0 };
}

/** Takes in what the stream has not seen of the source. An abort ends it after some rows, with its state saved. */
async function takeIn(
  source: Source,
  progress: Progress,
  store: CheckpointStore | undefined,
  line: ProgressLine,
  signal: AbortSignal,
): Promise<void> {
  const { stream, fingerprint } = progress;
  const started = performance.now();
  const before = progress.taken;
  const say = (now: number) => {
    const rate = Math.round((1000 * (progress.taken - before)) / (now - started));
    const count = `${formatNumber(progress.taken)} of ${formatNumber(source.rows)} samples`;
    line.say(`stream ${count}  ${formatNumber(rate)} samples/s`);
    return new Promise<void>((resolve) => setTimeout(resolve)); // an abort gets through
  };
  const save = async () => store?.save(checkpointOf(progress));
  const sayWhenDue = atMostEvery(SECONDS_BETWEEN_WORDS, say);
  const saveWhenDue = atMostEvery(store?.interval ?? Number.POSITIVE_INFINITY, save);
  for await (const rows of rowsBetween(source, progress.taken, source.rows)) {
    stream.partialFit(rows);
    fingerprint.add(rows);
    progress.taken += rows.rows;
    await saveWhenDue();
    await sayWhenDue();
    if (signal.aborted) break;
  }
  if (stream.seen > 0) await save();
  signal.throwIfAborted();
}

const SECONDS_BETWEEN_WORDS = 0.05;

function atMostEvery(seconds: number, act: (now: number) => Promise<void>): () => Promise<void> {
  let last = performance.now();
  return async () => {
    const now = performance.now();
    if (now - last < 1000 * seconds) return;
    await act(now);
    last = performance.now();
  };
}

/** What `learn` saves too, with rows taken for iterations. */
function checkpointOf({ stream, fingerprint, taken }: Progress): Checkpoint {
  const state = stream.state().sketch!;
  const position = { iteration: taken, recentObjectives: [], recentChanges: [], state };
  return { identity: identityOf(stream, fingerprint.text), effort: stream.seen, position };
}

/** `stream` as the checkpoint left it, if that is of the same options and data. */
function restored(stream: SparsePcaStream, { identity, position }: Checkpoint, data: string): SparsePcaStream {
  requireSameIdentity(WHO, identity, identityOf(stream, data));
  return SparsePcaStream.resume({ ...stream.state(), sketch: position?.state as unknown as SketchState });
}

/** A sketch is computed without kernels, so that it is the same with all of them. */
const identityOf = (stream: SparsePcaStream, data: string): Identity => ({
  data,
  backend: 'none',
  options: { method: `${WHO} --stream`, ...stream.state().options },
});

/** Rows at a time, few enough for progress and for Ctrl-C. */
const PIECE = 64;

async function* rowsBetween(source: Source, first: number, end: number): AsyncGenerator<Matrix> {
  for (const chunk of chunkRanges(source.rows, source.cols)) {
    const [from, to] = [Math.max(chunk.start, first), Math.min(chunk.end, end)];
    if (from >= to) continue;
    const { cols, data } = await source.read(from, to);
    for (let at = 0; at < to - from; at += PIECE) {
      const rows = Math.min(PIECE, to - from - at);
      yield { rows, cols, data: data.subarray(at * cols, (at + rows) * cols) };
    }
  }
}

/** The scores, whose products Tᵀ T are added to `gram` on the way. */
async function* scorePieces(
  source: Source,
  mean: Float64Array,
  loadings: Matrix64,
  gram: Matrix64,
  signal: AbortSignal,
): AsyncGenerator<FloatArray> {
  for await (const { rows, cols, data } of scoreChunks(source, mean, loadings, signal)) {
    for (let j = 0; j < rows; j++) {
      for (let a = 0; a < cols; a++) {
        for (let b = 0; b < cols; b++) gram.data[a * cols + b] += data[j * cols + a] * data[j * cols + b];
      }
    }
    yield data;
  }
}

/** Variances of all scores instead of those the sketch tells: TᵀT = L Lᵀ, L the transpose of the triangle of QR. */
function explained(
  found: Components,
  gram: Matrix64,
  samples: number,
): Pick<Components, 'variance' | 'adjustedVariance'> {
  const { rows: m, data } = gram;
  const triangle = cholesky(gram);
  if (!triangle) return found;
  return {
    variance: found.variance.map((_, i) => data[i * m + i] / samples),
    adjustedVariance: found.variance.map((_, i) => triangle.data[i * m + i] ** 2 / samples),
  };
}
