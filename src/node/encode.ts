/** Provides `encode` and `decode` for Node: models and data by file name, on all cores, with results in memory or in files. */
import type { FloatArray, Matrix } from '../core/matrix.ts';
import { requireObject } from '../core/require-matrix.ts';
import { warnOnce } from '../core/warn.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import {
  type Coding,
  chunksOf,
  type DecodeOptions,
  type EncodeOptions,
  startDecoding,
  startEncoding,
  wholeOf,
} from '../dictionaries/encode.ts';
import { featureNames, MODEL_FORMAT, type Model, requireFitting } from '../dictionaries/model.ts';
import { inlineExecutor } from '../engine/executor.ts';
import type { Source } from '../engine/source/source.ts';
import { selectKernels } from '../kernels/select.ts';
import type { EncodeParams } from '../passes/encode.ts';
import { validateSelection } from '../passes/select-codes.ts';
import { withBytes } from './io/arrays.ts';
import { type FileSourceOptions, fileSource, filesNamed, openTable } from './io/file-source.ts';
import { loadModel } from './io/model-file.ts';
import { ROW_ENDINGS, requireRowFile, writeRows } from './io/write-rows.ts';
import { type NodeRunOptions, type OnShape, type Opened, openSamples, runOnNode } from './run.ts';

/** A dictionary, what `learn` or `loadModel` returned, or the name of a model's file. */
export type ModelInput = Dictionary | Model | string;

/** Options of encoding and decoding runs in Node. */
export type NodeCodingRun = Omit<NodeRunOptions, 'checkpoint' | 'resume'>;

/** Options of `encode` to a file. */
export interface EncodeToFile extends EncodeOptions {
  /** Output file, .npz .npy .csv .tsv .parquet .wav; or a folder for many files, ending in `/`. */
  readonly out: string;
  /** Write only the codes that are not zero, as `scipy.sparse.load_npz` reads them; `out` must end in .npz. */
  readonly sparse?: boolean | undefined;
}

/** Options of `decode` to a file. */
export interface DecodeToFile extends DecodeOptions {
  /** Output file, .npz .npy .csv .tsv .parquet. */
  readonly out: string;
}

/** Report on the codes that `encode` wrote. */
export interface EncodedFile {
  readonly out: string;
  readonly samples: number;
  readonly components: number;
  /** Share of the codes that are not zero. */
  readonly density: number;
}

/** Report on the samples that `decode` wrote. */
export interface DecodedFile {
  readonly out: string;
  readonly samples: number;
  readonly features: number;
}

/** Writes the codes of samples to a file, or to many files of a folder, while they are computed. */
export async function encode(
  model: ModelInput,
  samples: Matrix | Source | string,
  options: EncodeToFile,
  run?: NodeCodingRun,
): Promise<EncodedFile>;
/**
 * Encodes samples on all cores. `model` and `samples` may be the names of files; with `out` the codes are written to a file
 * and need not fit into memory.
 *
 * @example
 * ```js
 * import { encode } from 'orthodict/node';
 *
 * const codes = await encode('model.npz', 'data.npz', { keep: 8 });
 * console.log(codes.rows, codes.cols); // 4000 20
 * const { density } = await encode('model.npz', 'data.npz', { keep: 8, out: 'codes.npz' }, { threads: 2 });
 * console.log(density.toFixed(1)); // 0.4
 * ```
 */
export async function encode(
  model: ModelInput,
  samples: Matrix | Source | string,
  options?: EncodeOptions & { readonly out?: undefined },
  run?: NodeCodingRun,
): Promise<Matrix>;
export async function encode(
  model: ModelInput,
  samples: Matrix | Source | string,
  options: Omit<EncodeToFile, 'out'> & { readonly out?: string | undefined } = {},
  run: NodeCodingRun = {},
): Promise<Matrix | EncodedFile> {
  requireObject('encode', 'options', options, 'an object');
  validateSelection('encode', options);
  const { out, sparse = false } = options;
  if (sparse || (out !== undefined && !isFolder(out))) {
    await requireRowFile('encode', out, sparse ? ['.npz'] : [...ROW_ENDINGS, '.wav']);
  }
  return runOnNode(
    async (onShape, { pictures, ...reading }) => {
      const opened = await modelOf('encode', model);
      const like = pictures?.like ?? opened.meta.patch;
      const { data, close } = await openSamples(samples, onShape, { ...reading, pictures: { ...pictures, like } });
      return { data: { ...opened, data }, close };
    },
    run,
    async ({ dictionary, meta, remark, data }, inner) => {
      requireFitting('encode', meta, (data ?? {}) as Partial<Source>);
      const coding = await startEncoding(dictionary, data, options, inner);
      if (remark) (run.table?.onRemark ?? warnOnce)(`encode: ${model}: ${remark}.`);
      if (out === undefined) return wholeOf(coding);
      const inputs = typeof samples === 'string' ? await filesNamed(samples, run.table?.format) : [];
      const kept = isFolder(out)
        ? await encodeToFolder(out, coding, inputs)
        : await encodeToFile(out, coding, inputs, sparse);
      const { source, cols: components } = coding;
      return { out, samples: source.rows, components, density: kept / (source.rows * components) };
    },
    'encode',
  );
}

/** Decodes codes into a file while they are computed. */
export async function decode(
  model: ModelInput,
  codes: Matrix | Source | string,
  options: DecodeToFile,
  run?: NodeCodingRun,
): Promise<DecodedFile>;
/**
 * Decodes codes to samples. `model` and `codes` may be the names of files, also of sparse codes; with `out` the
 * samples are written to a file and need not fit into memory. It uses the calling thread and kernels that give the same bytes on
 * every machine, unless the run has `threads`, a `backend` or an executor.
 *
 * @example
 * ```js
 * import { decode, encode } from 'orthodict/node';
 *
 * const codes = await encode('model.npz', 'data.npz', { keep: 8 });
 * const { rows, cols } = await decode('model.npz', codes);
 * console.log(rows, cols); // 4000 20
 * ```
 */
export async function decode(
  model: ModelInput,
  codes: Matrix | Source | string,
  options?: DecodeOptions & { readonly out?: undefined },
  run?: NodeCodingRun,
): Promise<Matrix>;
export async function decode(
  model: ModelInput,
  codes: Matrix | Source | string,
  options: DecodeOptions & { readonly out?: string | undefined } = {},
  run: NodeCodingRun = {},
): Promise<Matrix | DecodedFile> {
  requireObject('decode', 'options', options, 'an object');
  requireObject('decode', 'run', run, 'an object');
  const { out } = options;
  if (out !== undefined) await requireRowFile('decode', out, ROW_ENDINGS);
  const isPlaced = run.threads !== undefined || run.backend !== undefined;
  return runOnNode(
    async (onShape, reading) => {
      const opened = await modelOf('decode', model);
      const { data, close } = await openCodes(codes, onShape, reading);
      return { data: { ...opened, data }, close };
    },
    isPlaced ? run : { createExecutor: inThisThread, ...run },
    async ({ dictionary, meta, data }, inner) => {
      const coding = await startDecoding(dictionary, data, options, inner);
      if (out === undefined) return wholeOf(coding);
      const { source, precision, cols: features } = coding;
      const names = featureNames(dictionary, meta);
      await writeRows(out, { name: 'samples', rows: source.rows, names, precision, pieces: piecesOf(coding) });
      return { out, samples: source.rows, features };
    },
    'decode',
  );
}

const inThisThread = async () => inlineExecutor(await selectKernels('auto'));

const isFolder = (out: unknown): boolean => typeof out === 'string' && /[\\/]$/.test(out);

async function modelOf(who: string, given: ModelInput): Promise<Model> {
  if (typeof given === 'string') return loadModel(given);
  const mustBe = 'a dictionary, a model {dictionary, meta} or the name of its file';
  requireObject(who, 'model', given, mustBe);
  const model = 'dictionary' in given ? given : { dictionary: given, meta: { format: MODEL_FORMAT, options: {} } };
  requireObject(who, 'model', model.dictionary, mustBe, ['transform']);
  requireObject(who, 'model', model.meta, mustBe);
  return model;
}

/** Opens codes; sparse ones are filled with zeros piece by piece. */
async function openCodes(
  codes: Matrix | Source | string,
  onShape: OnShape,
  reading: FileSourceOptions,
): Promise<Opened<Matrix | Source>> {
  if (typeof codes !== 'string') return openSamples(codes, onShape, reading);
  const table = await openTable(codes, reading);
  const source = await fileSource(table, table.isSparse ? { ...reading, memoryLimit: 0 } : reading);
  return { data: source, close: source.close && (() => source.close!()) };
}

async function* piecesOf<P>(coding: Coding<P>): AsyncGenerator<FloatArray, void> {
  for await (const { data } of chunksOf(coding)) yield data;
}

/** Writes codes to a file; returns how many are not zero. */
async function encodeToFile(
  out: string,
  coding: Coding<EncodeParams>,
  inputs: readonly string[],
  sparse: boolean,
): Promise<number> {
  let kept = 0;
  async function* counted(): AsyncGenerator<FloatArray, void> {
    for await (const codes of piecesOf(coding)) {
      for (const code of codes) if (code !== 0) kept++;
      yield codes;
    }
  }
  const { cols, precision } = coding;
  const { rows } = coding.source;
  if (sparse) {
    const { writeSparse } = await import('./io/sparse-write.ts');
    await writeSparse(out, { rows, cols, precision, pieces: counted() });
    return kept;
  }
  const names = Array.from({ length: cols }, (_, k) => `atom${k + 1}`);
  const rate = /\.wav$/i.test(out) ? await rateOf(inputs) : undefined;
  await writeRows(out, { name: 'codes', rows, names, precision, rate, pieces: counted() });
  return kept;
}

/** Returns rows per second if the input is sound. */
async function rateOf([first = '']: readonly string[]): Promise<number | undefined> {
  if (!/\.wav$/i.test(first)) return undefined;
  const { readWavHeader } = await import('../io/codecs/wav/header.ts');
  return (await withBytes(first, {}, readWavHeader)).rate;
}

/** Writes codes to files in a folder; returns how many are not zero. */
async function encodeToFolder(out: string, coding: Coding<EncodeParams>, inputs: readonly string[]): Promise<number> {
  const { finishShards, openShards, shardBlocks, writeShards } = await import('./io/shards.ts');
  const { pass, params, source, cols, precision, run, onRows } = coding;
  const target = await openShards(out, 'codes', inputs);
  const blocks = shardBlocks(source, pass.effort, { cols, precision });
  const work = { executor: run.executor, pass, params, source, target, signal: run.signal };
  let [kept, done] = [0, 0];
  for await (const shard of writeShards(work, blocks)) {
    kept += shard.kept;
    done += shard.rows;
    onRows(done);
  }
  await finishShards(target);
  return kept;
}
