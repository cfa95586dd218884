/** `orthodict sparse-pca`: principal components with few non-zeros, from a file read into memory or as a stream. */
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Source } from '../../engine/source/source.ts';
import { inPrecision } from '../../io/arrays.ts';
import type { SparsePcaOptions } from '../../models/sparse-pca/option-types.ts';
import { sparsePcaOptions, sparsePcaStreamOptions } from '../../models/sparse-pca/options.ts';
import { SparsePcaStream } from '../../models/sparse-pca/stream.ts';
import { writeArrays } from '../../node/io/arrays.ts';
import { writeAtomically } from '../../node/io/atomic-write.ts';
import { openSource } from '../../node/io/file-source.ts';
import { learnSparsePca } from '../../node/models.ts';
import type { NodeRunOptions } from '../../node/run.ts';
import { atomGallery } from '../../pictures/gallery.ts';
import { encodePng } from '../../pictures/png.ts';
import { parseShape, SAMPLES } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { addOptions, optionsFrom, requireTogether } from '../terminal/option-flags.ts';
import { printJson } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addRunFlags, runFrom, whereSaved } from '../terminal/run-flags.ts';
import { runStream, type StreamFlags } from './sparse-pca-stream.ts';
import { describeComponents, lasting, printComponents, type Summary } from './sparse-pca-summary.ts';

interface Flags extends StreamFlags, DataFlags {
  stream?: boolean;
  tolerance: number;
  picture?: string;
  shape?: string;
  json?: boolean;
}

const WHO = 'sparse-pca';
const { table } = sparsePcaOptions;
/** Options that do not apply to a stream, and options that apply only to a stream. */
const BATCH_ONLY = ['--pairs', '--max-iterations', '--tolerance'];
const STREAM_ONLY = ['--reserve', '--rotations', '--after'];

export function sparsePcaCommand(): Command {
  const command = new Command(WHO).argument('<DATA>', SAMPLES);
  addOptions(command, WHO, table).option(
    '--stream',
    'read every sample once for the components and once for the scores, in constant memory',
  );
  const { reserve, rotations } = sparsePcaStreamOptions.table;
  addOptions(command, WHO, { reserve, rotations })
    .option('--center', 'subtract the mean sample; the default')
    .option('--after <f.npz>', 'continue from the checkpoint of a stream of other samples, with all of DATA')
    .requiredOption('--out <f.npz>', 'file to write')
    .option('--picture <f.png>', 'draw the loadings as tiles: black is negative, white positive')
    .option('--shape <WxH>', 'width and height of a tile; default: a square if possible')
    .option('--json', 'print one JSON object');
  return addRunFlags(addDataFlags(command), WHO)
    .addHelpText(
      'after',
      `
Examples:
  orthodict sparse-pca data.npz --components 5 --nonzeros 10 --out sparse.npz
  orthodict sparse-pca large.npy --components 5 --gamma 0.2 --stream --out sparse.npz
  orthodict sparse-pca large.npy --components 5 --gamma 0.2 --stream --checkpoint run.npz --resume --out sparse.npz`,
    )
    .action((data: string, flags: Flags) => {
      requireFlagsOf(command, flags.stream === true);
      return run(data, flags, command);
    });
}

function requireFlagsOf(command: Command, stream: boolean): void {
  const given = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long!);
  const wrong = given.find((flag) => (stream ? BATCH_ONLY : STREAM_ONLY).includes(flag));
  if (wrong && stream) throw new InputError(`${WHO}: ${wrong} must come without --stream; got both.`);
  if (wrong) throw new InputError(`${WHO}: ${wrong} must come with --stream; got it without.`);
}

async function run(data: string, flags: Flags, command: Command): Promise<void> {
  const { out, picture, json, stream } = flags;
  requireTogether(WHO, flags, { shape: 'picture' });
  const shape = flags.shape === undefined ? {} : parseShape(WHO, flags.shape);
  const sparsity = optionsFrom(command, sparsePcaStreamOptions.table);
  const fresh = new SparsePcaStream(sparsity, WHO); // rejects bad options before the data is read
  if (!stream) sparsePcaOptions.settle(WHO, optionsFrom(command, table));
  await checkOutputs(WHO, { out, picture });
  const running = await runFrom(WHO, flags);
  const line = progressLine();
  line.say('reading …');
  const source = await openSource(data, { memoryLimit: stream ? 0 : running.memoryLimit, ...readingFrom(flags) });
  const compute = (signal: AbortSignal) =>
    stream
      ? runStream(source, fresh, flags, line, { ...running, signal })
      : runBatch(source, optionsFrom(command, table), flags, { ...running, signal, onProgress: line.update });
  try {
    const summary = await interruptible((signal) => compute(signal).finally(line.clear));
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

async function runBatch(
  source: Source,
  options: SparsePcaOptions,
  flags: Flags,
  run: NodeRunOptions,
): Promise<Summary> {
  const result = await learnSparsePca(source, options, run);
  if (result.status === 'aborted') throw new Interrupted(`${WHO}: interrupted.${whereSaved(flags)}`);
  const { loadings, scores, mean } = result;
  await writeArrays(flags.out, inPrecision({ loadings, scores, ...lasting(result, mean) }, result.precision));
  return result;
}
