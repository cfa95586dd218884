/** `orthodict sparse-pca`: principal components with few non-zeros, of a file in memory or of one that streams by. */
import { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Source } from '../../engine/source.ts';
import { atomGallery } from '../../images/gallery.ts';
import { encodePng } from '../../images/png.ts';
import { SPARSE_PCA_METHODS, type SparsePcaMethod, sparsePcaDefaults, WHO } from '../../models/sparse-pca/options.ts';
import { sparsePca } from '../../models/sparse-pca/sparse-pca.ts';
import { SparsePcaStream } from '../../models/sparse-pca/stream.ts';
import { checkWritable, writeAtomically } from '../../node/files/atomic-write.ts';
import { writeArrays } from '../../node/formats/arrays.ts';
import { openSource } from '../../node/formats/file-source.ts';
import { createNodeExecutor } from '../../node/threads/threads.ts';
import { numberOption, parseShape, requireExtension } from '../terminal/arguments.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { printJson } from '../terminal/output.ts';
import { type ProgressLine, progressLine } from '../terminal/progress-line.ts';
import { checkCheckpoint, runStream, type StreamFlags } from './sparse-pca-stream.ts';
import { describeComponents, lasting, printComponents, type Summary } from './sparse-pca-summary.ts';

interface Flags extends StreamFlags {
  method: SparsePcaMethod;
  stream?: boolean;
  maxIterations: number;
  tolerance: number;
  threads?: number;
  picture?: string;
  shape?: string;
  json?: boolean;
}

/** Options that have no meaning for a stream. */
const BATCH_ONLY = ['--method', '--max-iterations', '--tolerance'];
const STREAM_ONLY = ['--reserve', '--checkpoint', '--checkpoint-every', '--resume', '--after'];

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
    .option(
      '--checkpoint <f.npz>',
      'save the state of the stream here from time to time, when interrupted, and at its end',
    )
    .option('--checkpoint-every <S>', 'seconds between checkpoints', number('--checkpoint-every'), 10)
    .option('--resume', 'go on from the checkpoint, if there is one, after the samples it has seen of DATA')
    .option('--after <f.npz>', 'go on from the checkpoint of a stream of other samples, with all of DATA')
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
  orthodict sparse-pca large.npy --components 5 --gamma 0.2 --stream --out sparse.npz
  orthodict sparse-pca large.npy --components 5 --gamma 0.2 --stream --checkpoint run.npz --resume --out sparse.npz`,
    )
    .action((data: string, flags: Flags, command: Command) => {
      const set = command.options
        .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
        .map(({ long }) => long!);
      const wrong = set.find((flag) => (flags.stream ? BATCH_ONLY : STREAM_ONLY).includes(flag));
      if (wrong && flags.stream) throw new InputError(`${WHO}: ${wrong} must come without --stream; got both.`);
      if (wrong) throw new InputError(`${WHO}: ${wrong} must come with --stream; got it without.`);
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
  await checkCheckpoint(flags);
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
    if (json) printJson({ ...describeComponents(summary), out, ...(picture && { picture }) });
    else printComponents(summary, out);
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
