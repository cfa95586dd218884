/** The files to download, made when the user requests one. */
import {
  arraysBlob,
  csvBlob,
  type Dictionary,
  InputError,
  type Matrix,
  modelBlob,
  type Source,
} from 'orthodict/browser';
import type { JobContext } from '../../context.ts';
import type { JobProgress } from '../../session.svelte.ts';
import { codesOf } from './codes.ts';
import { heldAs } from './held.ts';

export type FileKind = 'model.npz' | 'codes.npz' | 'codes.csv' | 'atoms.csv';

export interface FileRequest {
  /** Number of the result. */
  readonly number: number;
  readonly kind: FileKind;
}

/** Largest number of codes that fit into a tab in addition to the table. */
const MOST_CODES = 1 << 27;
/** Numbers to encode at a time. */
const PIECE = 1 << 18;

type Context = JobContext<{ readonly progress: JobProgress }>;

export async function makeFile({ number, kind }: FileRequest, context: Context): Promise<Blob> {
  const { source, result } = heldAs(number);
  const { dictionary, names } = result;
  if (kind === 'model.npz') return modelBlob(result);
  if (kind === 'atoms.csv')
    return csvBlob(dictionary.atoms, { names: names ?? numbered('feature', dictionary.features) });
  const codes = await allCodes(source, dictionary, context);
  return kind === 'codes.npz'
    ? arraysBlob({ codes })
    : csvBlob(codes, { names: numbered('atom', dictionary.components) });
}

const numbered = (word: string, count: number): string[] => Array.from({ length: count }, (_, k) => `${word}${k + 1}`);

async function allCodes(source: Source, dictionary: Dictionary, { signal, emit }: Context): Promise<Matrix> {
  const { rows } = source;
  const { components } = dictionary;
  if (rows * components > MOST_CODES) {
    throw new InputError(
      `the codes of ${rows} rows are more than a page should hold; the command line writes them (orthodict encode).`,
    );
  }
  const data = new (source.precision === 'f32' ? Float32Array : Float64Array)(rows * components);
  const step = Math.max(1, Math.floor(PIECE / source.cols));
  for (let start = 0; start < rows; start += step) {
    signal.throwIfAborted();
    const piece = await codesOf(source, dictionary, start, start + step);
    data.set(piece.data, start * components);
    emit({ progress: { words: 'Encoding', fraction: start / rows } });
  }
  return { rows, cols: components, data };
}
