/** Writes rows while they are computed, in the format of the file's name. */
import { inputError } from '../../core/errors.ts';
import type { FloatArray, Precision } from '../../core/matrix.ts';
import { quoted } from '../../core/printable.ts';
import { describeForm } from '../../core/require-matrix.ts';
import { writeArray, writeArrays } from './arrays.ts';
import { checkWritable, writeAtomically } from './atomic-write.ts';
import { writeWav } from './wav-write.ts';

/** Extensions of files that rows can be written to. */
export const ROW_ENDINGS = ['.npz', '.npy', '.csv', '.tsv', '.parquet'] as const;

export interface OutputRows {
  /** Name of the array, in an archive. */
  readonly name: string;
  readonly rows: number;
  /** Names of the columns, in a table. */
  readonly names: readonly string[];
  readonly precision: Precision;
  /** Rows per second, in a sound; default: 44,100. */
  readonly rate?: number | undefined;
  readonly pieces: AsyncIterable<FloatArray>;
}

/** Checks, before the work begins, that the name has one of these endings and that the file can be written. */
export async function requireRowFile(who: string, out: unknown, endings: readonly string[]): Promise<void> {
  if (typeof out !== 'string' || !endings.some((ending) => out.toLowerCase().endsWith(ending))) {
    const got = typeof out === 'string' ? quoted(out) : describeForm(out);
    throw inputError(who, 'out', `a file ending in ${endings.join(' or ')}`, got);
  }
  await checkWritable(out);
}

export async function writeRows(path: string, output: OutputRows): Promise<void> {
  const { name, rows, names, precision, rate = 44100, pieces } = output;
  switch (path.slice(path.lastIndexOf('.')).toLowerCase()) {
    case '.wav':
      return writeWav(path, { channels: names.length, rate, pieces });
    case '.csv':
    case '.tsv': {
      const { csvChunks } = await import('../../io/codecs/csv/write.ts');
      return writeAtomically(path, csvChunks({ names, pieces }, /csv$/i.test(path) ? ',' : '\t'));
    }
    case '.parquet': {
      const { parquetChunks } = await import('../../io/codecs/parquet/write.ts');
      return writeAtomically(path, parquetChunks({ names, precision, pieces }));
    }
  }
  const array = { shape: [rows, names.length], precision, pieces };
  return /\.npy$/i.test(path) ? writeArray(path, array) : writeArrays(path, { [name]: array });
}
