/** Makes files that a page offers for download: models, arrays, tables. The bytes are those that Node writes. */
import { breather } from '../core/breathe.ts';
import { crc32 } from '../core/crc32.ts';
import { inputError } from '../core/errors.ts';
import { type FloatArray, type Matrix, rowRange } from '../core/matrix.ts';
import { quoted } from '../core/printable.ts';
import { requireMatrix } from '../core/require-matrix.ts';
import type { Model } from '../dictionaries/model.ts';
import { type ArrayInput, npyOutput, writeNpz } from '../io/arrays.ts';
import type { Sink } from '../io/bytes/sink.ts';
import { csvChunks } from '../io/codecs/csv/write.ts';
import { modelArrays, readModel, type SaveOptions } from '../io/model.ts';
import { blobOfChunk } from './blob-bytes.ts';
import { type DataOptions, openData, type PageData } from './open-bytes.ts';

/** Collects a file in parts that the browser may put on disk. */
class BlobSink implements Sink {
  readonly crc32 = crc32;
  readonly #parts: Blob[] = [];
  /** Index of each part by its position in the file. */
  readonly #places = new Map<number, number>();
  #length = 0;
  readonly #breathe = breather();

  async write(chunks: Parameters<Sink['write']>[0]): Promise<number> {
    const before = this.#length;
    for await (const chunk of chunks) {
      this.#places.set(this.#length, this.#parts.push(blobOfChunk(chunk)) - 1);
      this.#length += chunk.byteLength;
      await this.#breathe();
    }
    return this.#length - before;
  }

  async rewrite(bytes: Uint8Array, position: number): Promise<void> {
    this.#parts[this.#places.get(position)!] = blobOfChunk(bytes);
  }

  finish(type: string): Blob {
    return new Blob(this.#parts, { type });
  }
}

const NPY = 'application/octet-stream';
const NPZ = 'application/zip';

async function written(type: string, write: (sink: Sink) => Promise<unknown>): Promise<Blob> {
  const sink = new BlobSink();
  await write(sink);
  return sink.finish(type);
}

/**
 * Returns a model as an .npz file: the very bytes that `saveModel` writes in Node, for the command line and for NumPy.
 *
 * @example
 * ```ts
 * import { learn, modelBlob } from 'orthodict/browser';
 *
 * const blob = await modelBlob(await learn(samples));
 * link.href = URL.createObjectURL(blob);
 * link.download = 'model.npz';
 * ```
 */
export const modelBlob = async (model: Model, options: SaveOptions = {}): Promise<Blob> =>
  arraysBlob(modelArrays(model, options, 'modelBlob'));

/** Reads what `modelBlob`, or `saveModel` in Node, wrote. Damaged files are an `InputError`. */
export async function loadModel(data: PageData, options: DataOptions = {}): Promise<Model> {
  const { bytes } = await openData('loadModel', data, options);
  return readModel(bytes);
}

/** Returns an .npz file of arrays, in their order. */
export const arraysBlob = (arrays: Readonly<Record<string, ArrayInput>>): Promise<Blob> =>
  written(NPZ, (sink) => writeNpz(sink, arrays));

/** Returns a .npy file of an array. */
export const arrayBlob = (array: ArrayInput): Promise<Blob> =>
  written(NPY, (sink) => sink.write(npyOutput(array).chunks));

/** Format of a CSV file. */
export interface CsvBlobOptions {
  /** Names of the columns; default: column1, column2, … */
  readonly names?: readonly string[] | undefined;
  /** Separator of fields; default: a comma. */
  readonly delimiter?: (typeof DELIMITERS)[number] | undefined;
}

const DELIMITERS = [',', '\t', ';'] as const;

/** Numbers converted to text at a time. */
const NUMBERS = 1 << 14;

/** Returns a table as text: a line of names, then one line per row. Numbers are read back exactly. */
export async function csvBlob(matrix: Matrix, { names, delimiter = ',' }: CsvBlobOptions = {}): Promise<Blob> {
  requireMatrix('csvBlob', 'matrix', matrix);
  const { rows, cols } = matrix;
  if (names && names.length !== cols) throw inputError('csvBlob', 'names', `${cols} names`, names.length);
  if (!DELIMITERS.includes(delimiter)) {
    throw inputError('csvBlob', 'delimiter', 'a comma, a tab or a semicolon', quoted(`${delimiter}`));
  }
  const height = Math.max(1, Math.floor(NUMBERS / cols));
  function* pieces(): Generator<FloatArray> {
    for (let at = 0; at < rows; at += height) yield rowRange(matrix, at, Math.min(rows, at + height)).data;
  }
  const shown = names ?? Array.from({ length: cols }, (_, k) => `column${k + 1}`);
  const type = delimiter === '\t' ? 'text/tab-separated-values' : 'text/csv';
  return written(type, (sink) => sink.write(csvChunks({ names: shown, pieces: pieces() }, delimiter)));
}
