/** `orthodict sparse-pca`: principal components with few non-zeros, of a file in memory or of one that streams by. */
import { Command, Option } from 'commander';
import { InputError } from '../errors.ts';
import { atomGallery } from '../images/gallery.ts';
import { encodePng } from '../images/png.ts';
import { cholesky } from '../linalg/cholesky.ts';
import { type FloatArray, type Matrix, type Matrix64, zeros } from '../matrix.ts';
import { type ArrayInput, writeArrays } from '../node/arrays.ts';
import { checkWritable, writeAtomically } from '../node/atomic-write.ts';
import { openSource } from '../node/file-source.ts';
import { createNodeExecutor } from '../node/threads.ts';
import { chunkRanges, type Source } from '../sources/source.ts';
import type { Components } from '../sparse-pca/components.ts';
import { SPARSE_PCA_METHODS, type SparsePcaMethod, sparsePcaDefaults } from '../sparse-pca/options.ts';
import { scoreChunks } from '../sparse-pca/scores.ts';
import { sparsePca } from '../sparse-pca/sparse-pca.ts';
import { SparsePcaStream, sparsePcaOfStream } from '../sparse-pca/stream.ts';
import { numberOption, parseShape, requireExtension } from './arguments.ts';
import { Interrupted, interruptible } from './interrupt.ts';
import { formatNumber, printFacts, printJson, printTable } from './output.ts';
import { type ProgressLine, progressLine } from './progress-line.ts';

interface Flags {
  components: number;
  gamma?: number;
  nonzeros?: number;
  method: SparsePcaMethod;
  stream?: boolean;
  reserve?: number;
  center: 'mean' | 'none';
  maxIterations: number;
  tolerance: number;
  seed: number;
  threads?: number;
  out: string;
  picture?: string;
  shape?: string;
  json?: boolean;
}

/** What both ways of getting components leave. */
interface Summary extends Components {
  readonly method: string;
  readonly status: string;
  readonly reason: string;
  readonly objective: number;
  readonly samples: number;
  readonly features: number;
  readonly seconds: number;
}

const WHO = 'sparse-pca';
/** Options that have no meaning for a stream. */
const BATCH_ONLY = { method: '--method', maxIterations: '--max-iterations', tolerance: '--tolerance' };

export function sparsePcaCommand(): Command {
  const number = (flag: string) => numberOption(WHO, flag);
  return new Command(WHO)
    .description('Principal components with few non-zeros: arrays loadings (KxN), scores (PxK).')
    .argument('<DATA>', 'samples as rows: .npy .npz .csv .tsv .idx, also gzipped; file.npz:name picks an array')
    .requiredOption('--components <M>', 'number of components', number('--components'))
    .option('--gamma <G>', 'threshold, in the units of the features: larger is sparser', number('--gamma'))
    .option('--nonzeros <K>', 'choose thresholds for K non-zeros in every component', number('--nonzeros'))
    .addOption(
      new Option(
        '--method <NAME>',
        'givens: rotations by the best angle; gpower: power method for all components; gpower-deflation: for one after the other',
      )
        .choices(SPARSE_PCA_METHODS)
        .default(sparsePcaDefaults.method),
    )
    .option('--stream', 'see every sample once for the components, once more for the scores; memory is constant')
    .option(
      '--reserve <R>',
      'rows a stream keeps beside the components; default: 2 M, at least 16',
      number('--reserve'),
    )
    .addOption(
      new Option('--center <HOW>', 'mean: subtract the mean sample; none: samples as they are')
        .choices(['mean', 'none'])
        .default(sparsePcaDefaults.center),
    )
    .option(
      '--max-iterations <I>',
      'sweeps or steps for one threshold, at most',
      number('--max-iterations'),
      sparsePcaDefaults.maxIterations,
    )
    .option(
      '--tolerance <E>',
      'stop when three iterations raise the objective by no more, relatively',
      number('--tolerance'),
      sparsePcaDefaults.tolerance,
    )
    .option('--seed <K>', 'of random choices', number('--seed'), sparsePcaDefaults.seed)
    .option('--threads <T>', 'default: all cores; the result does not depend on it', number('--threads'))
    .requiredOption('--out <f.npz>', 'file to write')
    .option('--picture <f.png>', 'draw the loadings as tiles: black is negative, white positive')
    .option('--shape <WxH>', 'width and height of a tile; default: a square if it can be')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  orthodict sparse-pca data.npz --components 5 --nonzeros 10 --out sparse.npz
  orthodict sparse-pca large.npy --components 5 --gamma 0.2 --stream --out sparse.npz`,
    )
    .action((data: string, flags: Flags, command: Command) => {
      const wrong = Object.entries(BATCH_ONLY).find(([name]) => command.getOptionValueSource(name) === 'cli');
      if (flags.stream && wrong) throw new InputError(`${WHO}: ${wrong[1]} must come without --stream; got both.`);
      if (!flags.stream && flags.reserve !== undefined) {
        throw new InputError(`${WHO}: --reserve must come with --stream; got it without.`);
      }
      return run(data, flags);
    });
}

async function run(data: string, flags: Flags): Promise<void> {
  const { out, picture, json, stream, components, gamma, nonzeros, center, seed } = flags;
  requireExtension(WHO, '--out', out, ['.npz']);
  if (picture) requireExtension(WHO, '--picture', picture, ['.png']);
  const shape = flags.shape === undefined ? {} : parseShape(WHO, flags.shape);
  new SparsePcaStream({ components, gamma, nonzeros, center, seed, reserve: flags.reserve }); // checks before any file is read
  await checkWritable(out);
  if (picture) await checkWritable(picture);
  const line = progressLine(flags.tolerance);
  line.say('reading …');
  const source = await openSource(data, stream ? { memoryLimit: 0 } : {});
  try {
    const summary = await interruptible((signal) =>
      (stream ? runStream(source, flags, line, signal) : runBatch(source, flags, line, signal)).finally(line.clear),
    );
    if (picture) {
      const scale = Math.max(1, Math.ceil(80 / Math.sqrt(summary.features)));
      await writeAtomically(picture, [encodePng(atomGallery(summary.loadings, { ...shape, scale, gap: 2 }))]);
    }
    if (json) printJson({ ...describe(summary), out, ...(picture && { picture }) });
    else print(summary, out);
  } finally {
    await source.close?.();
  }
}

async function runBatch(source: Source, flags: Flags, line: ProgressLine, signal: AbortSignal): Promise<Summary> {
  const { components, gamma, nonzeros, method, center, maxIterations, tolerance, seed, threads, out } = flags;
  const executor = await createNodeExecutor({ threads });
  try {
    const options = { components, gamma, nonzeros, method, center, maxIterations, tolerance, seed };
    const result = await sparsePca(source, options, { executor, signal, onProgress: line.update });
    if (result.status === 'aborted') throw new Interrupted(`${WHO}: interrupted.`);
    await writeArrays(out, { loadings: result.loadings, scores: result.scores, ...lasting(result, result.mean) });
    return result;
  } finally {
    await executor.close();
  }
}

async function runStream(source: Source, flags: Flags, line: ProgressLine, signal: AbortSignal): Promise<Summary> {
  const { components, gamma, nonzeros, center, seed, reserve, out } = flags;
  const started = performance.now();
  const say = sayNowAndThen(line);
  const options = { components, gamma, nonzeros, center, seed, reserve };
  const result = await sparsePcaOfStream(chunks(source), options, {
    signal,
    onProgress: ({ samples, seconds }) =>
      say(
        () =>
          `stream ${formatNumber(samples)} of ${formatNumber(source.rows)} samples  ${formatNumber(Math.round(samples / seconds))} samples/s`,
      ),
  });
  if (result.status === 'aborted') {
    throw new Interrupted(`${WHO}: interrupted after ${formatNumber(result.samples)} samples.`);
  }
  const gram = zeros(components, components);
  const pieces = scorePieces(source, result.mean, result.loadings, gram, signal);
  const scores = { shape: [source.rows, components], precision: 'f64', pieces } as const;
  const meta = { ...result, method: 'stream' };
  await writeArrays(out, { loadings: result.loadings, scores, ...lasting(meta, result.mean) });
  const seconds = (performance.now() - started) / 1000;
  return { ...meta, ...explained(result, gram, source.rows), seconds };
}

const MILLISECONDS_BETWEEN = 100;

function sayNowAndThen(line: ProgressLine): (words: () => string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (words) => {
    if (performance.now() - last < MILLISECONDS_BETWEEN) return;
    last = performance.now();
    line.say(words());
  };
}

/** Small enough for progress and for Ctrl-C. */
async function* chunks(source: Source): AsyncGenerator<Matrix> {
  for (const { start, end } of chunkRanges(source.rows, source.cols)) {
    const { cols, data } = await source.read(start, end);
    for (let first = 0; first < end - start; first += 64) {
      const rows = Math.min(64, end - start - first);
      yield { rows, cols, data: data.subarray(first * cols, (first + rows) * cols) };
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

/** Arrays of the file beside loadings and scores. */
function lasting(summary: Omit<Summary, 'seconds'>, mean: Float64Array): Record<string, ArrayInput> {
  const { method, status, reason, objective, samples, features } = summary;
  const meta = { format: 1, kind: WHO, method, status, reason, objective, samples, features };
  return {
    mean: { shape: [mean.length], data: mean },
    gammas: { shape: [summary.gammas.length], data: summary.gammas },
    meta: JSON.stringify(meta),
  };
}

function describe(summary: Summary) {
  const { method, status, reason, objective, gammas, support, variance, adjustedVariance, totalVariance } = summary;
  return {
    method,
    status,
    reason,
    objective,
    components: support.map((features, i) => ({
      nonzeros: features.length,
      gamma: gammas[i],
      variance: variance[i],
      adjustedVariance: adjustedVariance[i],
      support: features,
    })),
    totalVariance,
    explained: adjustedVariance.reduce((sum, v) => sum + v, 0) / totalVariance,
    samples: summary.samples,
    features: summary.features,
    seconds: summary.seconds,
  };
}

function print(summary: Summary, out: string): void {
  const { samples, features, method, status, reason, adjustedVariance, totalVariance, support, gammas, seconds } =
    summary;
  printFacts([
    ['components', `${out}: ${support.length} of ${formatNumber(features)} features`],
    ['data', `${formatNumber(samples)} samples`],
    ['method', `${method}, ${status} (${reason})`],
    ['time', `${seconds.toFixed(2)} s, ${formatNumber(Math.round(samples / seconds))} samples/s`],
  ]);
  let sum = 0;
  const percent = (variance: number) => `${((100 * variance) / totalVariance).toFixed(2)} %`;
  const rows = support.map((places, i) => {
    sum += adjustedVariance[i];
    return [
      String(i + 1),
      formatNumber(places.length),
      formatNumber(gammas[i]),
      formatNumber(adjustedVariance[i]),
      percent(adjustedVariance[i]),
      percent(sum),
    ];
  });
  process.stdout.write('\n');
  printTable(['component', 'non-zeros', 'gamma', 'adjusted variance', 'share', 'together'], rows);
}
