/** `orthodict encode`: samples to codes, chunk by chunk. */

import { Command } from 'commander';
import type { FloatArray } from '../../core/matrix.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import { encodeParams, requireColumns } from '../../dictionaries/encoding.ts';
import { requireFitting } from '../../dictionaries/model.ts';
import type { Executor } from '../../engine/executor.ts';
import type { Source } from '../../engine/source/source.ts';
import { filesNamed, openSource } from '../../node/io/file-source.ts';
import { loadModel } from '../../node/io/model-file.ts';
import { finishShards, openShards, shardBlocks, writeShards } from '../../node/io/shards.ts';
import { writeSparse } from '../../node/io/sparse-write.ts';
import { wavRate } from '../../node/io/wav-rate.ts';
import { nodeExecutorFor } from '../../node/threads/threads.ts';
import { encodePass } from '../../passes/encode.ts';
import type { Selection } from '../../passes/select-codes.ts';
import { validateSelection } from '../../passes/select-codes.ts';
import { surveyFinite } from '../../passes/survey.ts';
import { numberOption, requireExtension, SAMPLES } from '../terminal/arguments.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printJson, printLine, printRemark } from '../terminal/output.ts';
import { checkOutputs, ROW_ENDINGS, writeRows } from '../terminal/outputs.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addPlaceFlags, type PlaceFlags, placeFrom } from '../terminal/run-flags.ts';

interface Flags extends Selection, PlaceFlags, DataFlags {
  out: string;
  sparse?: boolean;
  json?: boolean;
}

const HELP = `
A folder (--out codes/) gets files codes-00000.npy, codes-00001.npy, … of some 100 MB each; with --redis and --mpi the
machines that compute them write them, so they must see the folder under the same path. A folder is read as one file.

A sound (--out sources.wav) has one channel per atom, as 32-bit floats, each scaled to a peak of 0.99.

Examples:
  orthodict encode model.npz data.npz --keep 5 --out codes.npz
  orthodict encode model.npz data.npz --keep 5 --sparse --out codes.npz
  orthodict encode model.npz 'shards/*.npy' --out codes/ --redis redis://10.0.0.5:6379`;

export function encodeCommand(): Command {
  const number = (flag: string) => numberOption('encode', flag);
  const command = new Command('encode')
    .argument('<model.npz>', 'a learned model')
    .argument('<DATA>', SAMPLES)
    .requiredOption(
      '--out <codes.npz>',
      'file to write, .npz .npy .csv .tsv .parquet .wav, or a folder for many files, ending in /',
    )
    .option('--keep <K>', 'keep the K codes of largest magnitude of every sample', number('--keep'))
    .option('--threshold <Z>', 'keep codes of at least this magnitude', number('--threshold'))
    .option('--sparse', 'write only the codes that are not zero, as scipy.sparse.load_npz reads them (.npz)')
    .option('--json', 'print one JSON object');
  return addPlaceFlags(addDataFlags(command), 'encode')
    .addHelpText('after', HELP)
    .action((model: string, data: string, flags: Flags) =>
      interruptible((signal) => runEncode(model, data, flags, signal)),
    );
}

/** What is encoded, and how. */
interface Work {
  readonly dictionary: Dictionary;
  readonly source: Source;
  readonly executor: Executor;
  readonly selection: Selection;
  readonly signal: AbortSignal;
  /** The files of the samples. */
  readonly inputs: readonly string[];
  /** Told how many samples are done. */
  onRows(rows: number): void;
}

async function runEncode(model: string, data: string, flags: Flags, signal: AbortSignal): Promise<void> {
  const { out, sparse = false, json, keep, threshold } = flags;
  const selection = { keep, threshold };
  const isFolder = /[\\/]$/.test(out);
  if (sparse) requireExtension('encode', '--out with --sparse', out, ['.npz']);
  if (!isFolder) await checkOutputs('encode', { out }, { out: [...ROW_ENDINGS, '.wav'] });
  validateSelection('encode', selection);
  const { createExecutor, memoryLimit, threads, backend } = await placeFrom('encode', flags);
  const place = { threads, backend };
  const executor = await (createExecutor ? createExecutor(place) : nodeExecutorFor('encode', place));
  const line = progressLine();
  let source: Source | undefined;
  line.say('reading …');
  try {
    const { dictionary, meta, remark } = await loadModel(model);
    source = await openSource(data, { memoryLimit, ...readingFrom(flags, meta.patch), signal });
    requireFitting('encode', meta, source);
    const { rows } = source;
    requireColumns('encode', 'samples', source, dictionary.features, 'features');
    line.say('checking the samples …');
    await surveyFinite('encode', source, executor, { signal });
    if (remark) printRemark(`encode: ${model}: ${remark}.`);
    const onRows = (done: number) => line.count('encoded samples', done, rows);
    const inputs = await filesNamed(data, flags.format);
    const work = { dictionary, source, executor, selection, signal, inputs, onRows };
    const kept = await (isFolder ? encodeToFolder(out, work) : encodeToFile(out, work, sparse));
    line.clear();
    const density = kept / (rows * dictionary.components);
    if (json) printJson({ samples: rows, components: dictionary.components, density, out });
    else printLine(`${out}: codes of ${formatNumber(rows)} samples, ${formatNumber(100 * density)} % not zero`);
  } finally {
    line.clear();
    await executor.close();
    await source?.close?.();
  }
}

/** How many codes are not zero. */
async function encodeToFile(out: string, work: Work, sparse: boolean): Promise<number> {
  const { dictionary, source, executor, selection, signal, inputs, onRows } = work;
  let [kept, done] = [0, 0];
  async function* pieces(): AsyncGenerator<FloatArray> {
    for await (const codes of executor.map(encodePass, encodeParams(dictionary, selection), source, signal)) {
      for (const code of codes.data) if (code !== 0) kept++;
      yield codes.data;
      done += codes.rows;
      onRows(done);
    }
  }
  const { components } = dictionary;
  const { rows, precision } = source;
  const names = Array.from({ length: components }, (_, k) => `atom${k + 1}`);
  const rate = /\.wav$/i.test(out) ? await rateOf(inputs) : undefined;
  if (sparse) await writeSparse(out, { rows, cols: components, precision, pieces: pieces() });
  else await writeRows(out, { name: 'codes', rows, names, precision, rate, pieces: pieces() });
  return kept;
}

/** Of the sound that is encoded. */
const rateOf = async ([first]: readonly string[]): Promise<number | undefined> =>
  /\.wav$/i.test(first) ? wavRate(first) : undefined;

async function encodeToFolder(out: string, work: Work): Promise<number> {
  const { dictionary, source, executor, selection, signal, inputs, onRows } = work;
  const target = await openShards(out, 'codes', inputs);
  const blocks = shardBlocks(source, encodePass.effort, { cols: dictionary.components, precision: source.precision });
  const params = encodeParams(dictionary, selection);
  let [kept, done] = [0, 0];
  for await (const shard of writeShards({ executor, pass: encodePass, params, source, target, signal }, blocks)) {
    kept += shard.kept;
    done += shard.rows;
    onRows(done);
  }
  await finishShards(target);
  return kept;
}
