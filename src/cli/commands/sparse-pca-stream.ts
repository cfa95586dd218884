/**
 * `orthodict sparse-pca --stream`: reads every sample once for the components and once for the scores; can be resumed.
 */
import { InputError } from '../../core/errors.ts';
import { type FloatArray, type Matrix, type Matrix64, rowRange, zeros } from '../../core/matrix.ts';
import { loadCheckpoint } from '../../engine/checkpoint.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { chunkRanges, type Source } from '../../engine/source/source.ts';
import type { Progress } from '../../engine/stop.ts';
import { inPrecision } from '../../io/arrays.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import type { Components } from '../../models/sparse-pca/components.ts';
import { streamFromCheckpoint, takeIn } from '../../models/sparse-pca/learn-sparse-pca-stream.ts';
import { scoreChunks } from '../../models/sparse-pca/scores.ts';
import type { SparsePcaStream } from '../../models/sparse-pca/stream.ts';
import { writeArrays } from '../../node/io/arrays.ts';
import { fileCheckpoint } from '../../node/io/checkpoint-file.ts';
import { Interrupted } from '../terminal/interrupt.ts';
import { formatNumber } from '../terminal/output.ts';
import type { ProgressLine } from '../terminal/progress-line.ts';
import { type RunFlags, whereSaved } from '../terminal/run-flags.ts';
import { lasting, type Summary } from './sparse-pca-summary.ts';

export interface StreamFlags extends RunFlags {
  after?: string;
  out: string;
}

const WHO = 'sparse-pca';

export async function runStream(
  source: Source,
  fresh: SparsePcaStream,
  flags: StreamFlags,
  line: ProgressLine,
  run: RunOptions & { readonly signal: AbortSignal },
): Promise<Summary> {
  const { after } = flags;
  const { signal, checkpoint, resume, onWarning } = run;
  const started = performance.now();
  const first = after === undefined ? fresh : await continued(fresh, after);
  const before = first.seen;
  const onProgress = ({ iteration }: Progress) => line.count('stream', iteration - before, source.rows);
  const { stream, taken } = await takeIn(WHO, rowsOf(source), first, {
    checkpoint,
    resume,
    signal,
    onProgress,
    onWarning,
  });
  try {
    signal.throwIfAborted();
    const summary = await write(source, stream, flags.out, signal);
    return { ...summary, seconds: (performance.now() - started) / 1000, taken };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Interrupted(`${WHO}: interrupted after ${formatNumber(stream.seen)} samples.${whereSaved(flags)}`);
  }
}

/** Restores a stream from a checkpoint. */
async function continued(fresh: SparsePcaStream, after: string): Promise<SparsePcaStream> {
  const earlier = await loadCheckpoint(WHO, fileCheckpoint(after));
  if (!earlier) throw new InputError(`${WHO}: --after must be a checkpoint that exists; got "${after}".`);
  return streamFromCheckpoint(WHO, fresh, earlier);
}

async function write(source: Source, stream: SparsePcaStream, out: string, signal: AbortSignal) {
  const result = await stream.resultIn(await Run.start(WHO, { signal }));
  signal.throwIfAborted();
  const gram = zeros(stream.components, stream.components);
  const pieces = scoresOf(source, result.mean, result.loadings, gram, signal);
  const scores = { shape: [source.rows, stream.components], precision: source.precision, pieces };
  const summary = { ...result, method: 'stream' };
  const arrays = { loadings: result.loadings, scores, ...lasting(summary, result.mean) };
  await writeArrays(out, inPrecision(arrays, source.precision));
  return { ...summary, ...(result.samples === source.rows ? explained(result, gram, source.rows) : {}) };
}

/** Rows to process at a time: few enough for frequent progress and a quick Ctrl-C. */
const BATCH = 64;

async function* rowsOf(source: Source): AsyncGenerator<Matrix> {
  for (const { start, end } of chunkRanges(source.rows, source.cols)) {
    const chunk = await source.read(start, end);
    for (let at = 0; at < chunk.rows; at += BATCH) yield rowRange(chunk, at, Math.min(at + BATCH, chunk.rows));
  }
}

/** Yields the scores T in chunks, in the precision of the samples, and adds Tᵀ T to `gram` on the way. */
async function* scoresOf(
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
    yield source.precision === 'f32' ? Float32Array.from(data) : data;
  }
}

/** Computes the variances from the scores of all samples rather than the sketch: TᵀT = L Lᵀ, where Lᵀ is the triangle of QR. */
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
