/** `orthodict decode`: codes back to samples, chunk by chunk. */
import { Command } from 'commander';
import type { Format } from '../../io/tables/options.ts';
import { decode } from '../../node/encode.ts';
import { ROW_ENDINGS } from '../../node/io/write-rows.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { formatOption } from '../terminal/data-flags.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printJson, printLine } from '../terminal/output.ts';
import { countingRows, progressLine } from '../terminal/progress-line.ts';

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
    .action((model: string, codes: string, flags: Flags) =>
      interruptible((signal) => runDecode(model, codes, flags, signal)),
    );
}

async function runDecode(model: string, codes: string, flags: Flags, signal: AbortSignal): Promise<void> {
  const { out, json, format } = flags;
  await checkOutputs('decode', { out }, { out: ROW_ENDINGS });
  const line = progressLine();
  line.say('reading …');
  const run = { signal, table: { format }, onProgress: countingRows(line, 'decoded samples') };
  const { samples, features } = await decode(model, codes, { out }, run).finally(line.clear);
  if (json) printJson({ samples, features, out });
  else printLine(`${out}: ${formatNumber(samples)} samples of ${formatNumber(features)} features`);
}
