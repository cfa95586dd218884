/** `orthodict encode`: samples to codes, chunk by chunk. */

import { Command } from 'commander';
import { encode } from '../../node/encode.ts';
import { ROW_ENDINGS } from '../../node/io/write-rows.ts';
import { type Selection, validateSelection } from '../../passes/select-codes.ts';
import { numberOption, requireExtension, SAMPLES } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printJson, printLine } from '../terminal/output.ts';
import { countingRows, progressLine } from '../terminal/progress-line.ts';
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

async function runEncode(model: string, data: string, flags: Flags, signal: AbortSignal): Promise<void> {
  const { out, sparse = false, json, keep, threshold } = flags;
  if (sparse) requireExtension('encode', '--out with --sparse', out, ['.npz']);
  if (!/[\\/]$/.test(out)) await checkOutputs('encode', { out }, { out: [...ROW_ENDINGS, '.wav'] });
  validateSelection('encode', { keep, threshold });
  const place = await placeFrom('encode', flags);
  const line = progressLine();
  line.say('reading …');
  const run = { ...place, ...readingFrom(flags), signal, onProgress: countingRows(line, 'encoded samples') };
  const written = await encode(model, data, { keep, threshold, sparse, out }, run).finally(line.clear);
  const { samples, components, density } = written;
  if (json) printJson({ samples, components, density, out });
  else printLine(`${out}: codes of ${formatNumber(samples)} samples, ${formatNumber(100 * density)} % not zero`);
}
