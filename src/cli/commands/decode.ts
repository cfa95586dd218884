/** `orthodict decode`: codes back to samples, chunk by chunk. */

import { Command } from 'commander';
import { inputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';
import { describeEntry, firstNotFinite } from '../../core/require-matrix.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import { requireColumns } from '../../dictionaries/encoding.ts';
import { chunkRanges, type Source } from '../../engine/source/source.ts';
import { featureNames } from '../../io/model.ts';
import type { Format } from '../../io/tables/options.ts';
import { openTable, sourceOf } from '../../node/io/file-source.ts';
import { loadModel } from '../../node/io/model-file.ts';
import { formatOption } from '../terminal/data-flags.ts';
import { formatNumber, printJson, printLine } from '../terminal/output.ts';
import { checkOutputs, ROW_ENDINGS, writeRows } from '../terminal/outputs.ts';
import { progressLine } from '../terminal/progress-line.ts';

interface Flags {
  readonly out: string;
  readonly format?: Format;
  readonly json?: boolean;
}

export function decodeCommand(): Command {
  return new Command('decode')
    .argument('<model.npz>', 'a learned model')
    .argument(
      '<codes.npz>',
      'codes as rows, in any format of samples; also sparse, as scipy.sparse.save_npz writes them',
    )
    .requiredOption('--out <y.npy>', 'file to write, .npy .npz (array samples) .csv .tsv .parquet')
    .addOption(formatOption())
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  orthodict decode model.npz codes.npz --out reconstructed.npy')
    .action(async (model: string, data: string, { out, json, format }: Flags) => {
      await checkOutputs('decode', { out }, { out: ROW_ENDINGS });
      const line = progressLine();
      line.say('reading …');
      const { dictionary, meta } = await loadModel(model);
      const source = await openCodes(data, format);
      try {
        requireColumns('decode', 'codes', source, dictionary.components, 'atoms');
        const { rows, precision } = source;
        const names = featureNames(dictionary, meta);
        const pieces = decodedPieces(dictionary, source, (done) => line.count('decoded samples', done, rows));
        await writeRows(out, { name: 'samples', rows, names, precision, pieces });
        line.clear();
        if (json) printJson({ samples: source.rows, features: dictionary.features, out });
        else printLine(`${out}: ${formatNumber(source.rows)} samples of ${formatNumber(dictionary.features)} features`);
      } finally {
        line.clear();
        await source.close?.();
      }
    });
}

/** Sparse codes are filled with zeros piece by piece. */
async function openCodes(data: string, format: Format | undefined): Promise<Source> {
  const table = await openTable(data, { table: { format } });
  return sourceOf(table, table.isSparse ? { memoryLimit: 0 } : {});
}

async function* decodedPieces(
  dictionary: Dictionary,
  source: Source,
  onRows: (done: number) => void,
): AsyncGenerator<FloatArray> {
  for (const { start, end } of chunkRanges(source.rows, source.cols)) {
    const codes = await source.read(start, end);
    const bad = firstNotFinite(codes.data);
    if (bad >= 0) throw inputError('decode', 'codes', 'finite', describeEntry(codes, bad, start));
    yield (await dictionary.decode(codes)).data;
    onRows(end);
  }
}
