/**
 * Checks output files before the work begins: their extensions, and that they can be written and drawn. Writes rows in the
 * format of the extension.
 */
import type { FloatArray, Precision } from '../../core/matrix.ts';
import { csvChunks } from '../../io/codecs/csv/write.ts';
import { parquetChunks } from '../../io/codecs/parquet/write.ts';
import { checkChart } from '../../node/chart.ts';
import { writeArray, writeArrays } from '../../node/io/arrays.ts';
import { checkWritable, writeAtomically } from '../../node/io/atomic-write.ts';
import { writeWav } from '../../node/io/wav-write.ts';
import { requireExtension } from './arguments.ts';

/** The extensions that each flag allows; a command whose `out` is no archive passes its own. */
const ENDINGS = {
  out: ['.npz'],
  picture: ['.png'],
  atoms: ['.png'],
  plot: ['.svg', '.png'],
  page: ['.md'],
} as const;

/** Rows to write while they are computed. */
export interface OutputRows {
  /** Name of the array in an archive. */
  readonly name: string;
  readonly rows: number;
  /** Names of the columns in a table. */
  readonly names: readonly string[];
  readonly precision: Precision;
  /** Rows per second in a sound. */
  readonly rate?: number | undefined;
  readonly pieces: AsyncIterable<FloatArray>;
}

/** Extensions that rows can be written to. */
export const ROW_ENDINGS = ['.npz', '.npy', '.csv', '.tsv', '.parquet'] as const;

/** Writes rows in the format of the extension; codes can also be sound. */
export async function writeRows(path: string, output: OutputRows): Promise<void> {
  const { name, rows, names, precision, rate = SOUND_RATE, pieces } = output;
  if (/\.wav$/i.test(path)) return writeWav(path, { channels: names.length, rate, pieces });
  if (/\.csv$/i.test(path)) return writeAtomically(path, csvChunks({ names, pieces }));
  if (/\.tsv$/i.test(path)) return writeAtomically(path, csvChunks({ names, pieces }, '\t'));
  if (/\.parquet$/i.test(path)) return writeAtomically(path, parquetChunks({ names, precision, pieces }));
  const array = { shape: [rows, names.length], precision, pieces };
  return /\.npy$/i.test(path) ? writeArray(path, array) : writeArrays(path, { [name]: array });
}

/** Sample rate of a sound if the samples have none. */
const SOUND_RATE = 44100;

type Outputs = { readonly [flag in keyof typeof ENDINGS]?: string | undefined };

export async function checkOutputs(
  who: string,
  outputs: Outputs,
  endings: { readonly [flag in keyof Outputs]: readonly string[] } = {},
): Promise<void> {
  for (const flag of Object.keys(ENDINGS) as (keyof Outputs)[]) {
    const path = outputs[flag];
    if (path !== undefined) requireExtension(who, `--${flag}`, path, endings[flag] ?? ENDINGS[flag]);
  }
  if (outputs.plot !== undefined) await checkChart(outputs.plot);
  for (const path of Object.values(outputs)) if (path !== undefined) await checkWritable(path);
}
