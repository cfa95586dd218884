/**
 * Converts samples to codes and back with every kind of dictionary: from memory or a source, on any executor, as a whole or chunk by chunk.
 *
 *     codes = (y − mean) · encoderᵀ, or by a pursuit,   y = codes · atoms + mean
 */
import { inputError } from '../core/errors.ts';
import { type Matrix, newNumbers, type Precision } from '../core/matrix.ts';
import { requireMatrix, requireObject } from '../core/require-matrix.ts';
import type { Pass } from '../engine/pass.ts';
import { Run, type RunOptions } from '../engine/run.ts';
import { memorySource, sourceOf } from '../engine/source/memory.ts';
import type { Source } from '../engine/source/source.ts';
import type { FastTransform } from '../kernels/kernels.ts';
import { inverseReflectors } from '../linalg/reflectors.ts';
import { inverseRotations } from '../linalg/rotations.ts';
import { type DecodeParams, decodePass, type Synthesis } from '../passes/decode.ts';
import { type EncodeParams, encodePass } from '../passes/encode.ts';
import { type Selection, validateSelection } from '../passes/select-codes.ts';
import { surveyFinite } from '../passes/survey.ts';
import type { Dictionary } from './dictionary.ts';
import { requireColumns } from './require-shape.ts';

/** Selection and precision of the codes. */
export interface EncodeOptions extends Selection {
  /** Precision of the codes; default: that of the samples. */
  readonly precision?: Precision | undefined;
}

/** Precision of decoded samples. */
export interface DecodeOptions {
  /** Precision of the samples; default: that of the codes. */
  readonly precision?: Precision | undefined;
}

/** Options of an encoding or decoding run. Their progress counts rows: `iteration` of `ends.iterations` are done. */
export type CodingRun = Omit<RunOptions, 'checkpoint' | 'resume'>;

/** A pass that makes rows from rows, ready to run. */
export interface Coding<P> {
  readonly pass: Pass<P, Matrix>;
  readonly params: P;
  readonly source: Source;
  readonly run: Run;
  /** Columns of the rows that it makes; next: their precision. */
  readonly cols: number;
  readonly precision: Precision;
  /** Reports how many rows are done. */
  onRows(rows: number): void;
}

/**
 * Encodes samples, p×K. Codes that the options do not keep are zero.
 *
 * @example
 * ```js
 * import { encode, generate, learn } from 'orthodict';
 *
 * const { samples } = generate({ samples: 4000, features: 20, theta: 0.3, seed: 1 });
 * const { dictionary } = await learn(samples);
 * const codes = await encode(dictionary, samples, { keep: 8 }); // the 8 largest of every sample
 * console.log(codes.rows, codes.cols); // 4000 20
 * ```
 */
export async function encode(
  dictionary: Dictionary,
  samples: Matrix | Source,
  options: EncodeOptions = {},
  run: CodingRun = {},
): Promise<Matrix> {
  return wholeOf(await startEncoding(dictionary, samples, options, run));
}

/** Encodes samples chunk by chunk, for codes that do not fit into memory. */
export async function* encodeChunks(
  dictionary: Dictionary,
  samples: Matrix | Source,
  options: EncodeOptions = {},
  run: CodingRun = {},
): AsyncGenerator<Matrix, void> {
  yield* chunksOf(await startEncoding(dictionary, samples, options, run));
}

/**
 * Decodes codes to samples, p×n.
 *
 * @example
 * ```js
 * import { decode, denseDictionary, fromRows } from 'orthodict';
 *
 * const dictionary = denseDictionary({ atoms: fromRows([[0.6, 0.8], [-0.8, 0.6]]) });
 * const samples = await decode(dictionary, fromRows([[5, 0]]));
 * console.log([...samples.data]); // [ 3, 4 ]
 * ```
 */
export async function decode(
  dictionary: Dictionary,
  codes: Matrix | Source,
  options: DecodeOptions = {},
  run: CodingRun = {},
): Promise<Matrix> {
  return wholeOf(await startDecoding(dictionary, codes, options, run));
}

/** Decodes codes to samples chunk by chunk. */
export async function* decodeChunks(
  dictionary: Dictionary,
  codes: Matrix | Source,
  options: DecodeOptions = {},
  run: CodingRun = {},
): AsyncGenerator<Matrix, void> {
  yield* chunksOf(await startDecoding(dictionary, codes, options, run));
}

/** Checks everything, including the samples, before the first code is computed. */
export async function startEncoding(
  dictionary: Dictionary,
  samples: Matrix | Source,
  options: EncodeOptions,
  runOptions: CodingRun,
): Promise<Coding<EncodeParams>> {
  const { keep, threshold } = requireOptions('encode', dictionary, options);
  validateSelection('encode', { keep, threshold });
  const source = sourceOf('encode', samples);
  requireColumns('encode', 'samples', source, dictionary.features, 'features');
  const run = await Run.start('encode', runOptions);
  run.begin('checking the samples');
  await surveyFinite('encode', source, run.executor, { signal: run.signal });
  const { precision = source.precision } = options;
  const params = { ...encodeParams(dictionary, { keep, threshold }), precision };
  const onRows = rowCounter('encode', source, runOptions);
  return { pass: encodePass, params, source, run, cols: dictionary.components, precision, onRows };
}

export async function startDecoding(
  dictionary: Dictionary,
  codes: Matrix | Source,
  options: DecodeOptions,
  runOptions: CodingRun,
): Promise<Coding<DecodeParams>> {
  requireOptions('decode', dictionary, options);
  const isSource = typeof (codes as Partial<Source> | null)?.read === 'function';
  const source = isSource ? sourceOf('decode', codes) : memorySource(requireMatrix('decode', 'codes', codes));
  requireColumns('decode', 'codes', source, dictionary.components, 'atoms');
  const run = await Run.start('decode', runOptions);
  const { precision = source.precision } = options;
  const params = { synthesis: synthesisOf(dictionary), mean: dictionary.mean, precision };
  const onRows = rowCounter('decode', source, runOptions);
  return { pass: decodePass, params, source, run, cols: dictionary.features, precision, onRows };
}

function requireOptions<O extends DecodeOptions>(who: string, dictionary: Dictionary, options: O): O {
  requireObject(who, 'dictionary', dictionary, 'a dictionary', ['transform', 'components', 'features']);
  requireObject(who, 'options', options, 'an object');
  const { precision = 'f64' } = options;
  if (precision !== 'f32' && precision !== 'f64') throw inputError(who, 'precision', 'f32 or f64', precision);
  return options;
}

/** Returns the parameters of the encode pass for this dictionary. */
export function encodeParams({ transform, mean }: Pick<Dictionary, 'transform' | 'mean'>, selection: Selection) {
  return { transform, conditioning: { offset: mean, scale: 1 }, selection };
}

const inverses = new WeakMap<FastTransform, FastTransform>();

function synthesisOf(dictionary: Dictionary): Synthesis {
  const { transform } = dictionary;
  if (transform.kind === 'dense' || transform.kind === 'pursuit') return { kind: 'dense', atoms: dictionary.atoms };
  const inverse =
    inverses.get(transform) ??
    (transform.kind === 'reflectors' ? inverseReflectors(transform) : inverseRotations(transform));
  inverses.set(transform, inverse);
  return inverse;
}

function rowCounter(solver: string, { rows: all }: Source, { onProgress }: CodingRun): (rows: number) => void {
  const started = performance.now();
  return (rows) => {
    const seconds = (performance.now() - started) / 1000;
    onProgress?.({
      solver,
      iteration: rows,
      ends: { iterations: all },
      objective: Number.NaN,
      change: Number.NaN,
      recentObjectives: [],
      recentChanges: [],
      seconds,
      visited: rows,
      samplesPerSecond: rows / seconds,
    });
  };
}

export async function* chunksOf<P>({ pass, params, source, run, onRows }: Coding<P>): AsyncGenerator<Matrix, void> {
  let done = 0;
  for await (const chunk of run.executor.map(pass, params, source, run.signal)) {
    yield chunk;
    done += chunk.rows;
    onRows(done);
  }
}

/** Returns the rows of all chunks. */
export async function wholeOf<P>(coding: Coding<P>): Promise<Matrix> {
  const { rows } = coding.source;
  const { cols, precision, run } = coding;
  const data = allocate(run.who, rows, cols, precision);
  let at = 0;
  for await (const chunk of chunksOf(coding)) {
    data.set(chunk.data, at);
    at += chunk.data.length;
  }
  return { rows, cols, data };
}

function allocate(who: string, rows: number, cols: number, precision: Precision): Matrix['data'] {
  try {
    return newNumbers(precision, rows * cols);
  } catch {
    throw inputError(who, 'the result', 'small enough for memory', `${rows} × ${cols} numbers`);
  }
}

/** Methods of every dictionary. */
export const coding: Pick<Dictionary, 'encode' | 'decode'> & ThisType<Dictionary> = {
  encode(samples, selection) {
    return encode(this, samples, selection);
  },
  decode(codes) {
    return decode(this, codes);
  },
};
