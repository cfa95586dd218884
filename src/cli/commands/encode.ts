/** `orthodict encode`: samples to codes, chunk by chunk. */

import { Command } from 'commander';
import type { FloatArray } from '../../core/matrix.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import { encodeParams, requireColumns } from '../../dictionaries/encoding.ts';
import type { Executor } from '../../engine/executor.ts';
import type { Source } from '../../engine/source.ts';
import { loadModel } from '../../node/files/model-file.ts';
import { writeArray, writeArrays } from '../../node/formats/arrays.ts';
import { openSource } from '../../node/formats/file-source.ts';
import { createNodeExecutor } from '../../node/threads/threads.ts';
import { encodePass } from '../../passes/encode.ts';
import type { Selection } from '../../passes/select-codes.ts';
import { validateSelection } from '../../passes/select-codes.ts';
import { surveyFinite } from '../../passes/survey.ts';
import { numberOption, SAMPLES } from '../terminal/arguments.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printJson, printLine } from '../terminal/output.ts';
import { checkOutputs } from '../terminal/outputs.ts';

interface Flags extends Selection {
  out: string;
  threads?: number;
  json?: boolean;
}

export function encodeCommand(): Command {
  const number = (flag: string) => numberOption('encode', flag);
  return new Command('encode')
    .argument('<model.npz>', 'a learned model')
    .argument('<DATA>', SAMPLES)
    .requiredOption('--out <codes.npz>', 'file to write, .npz or .npy')
    .option('--keep <K>', 'keep the K codes of largest magnitude of every sample', number('--keep'))
    .option('--threshold <Z>', 'keep codes of at least this magnitude', number('--threshold'))
    .option('--threads <T>', 'number of threads, at most 4 per core; default: all cores', number('--threads'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  orthodict encode model.npz data.npz --keep 5 --out codes.npz')
    .action((model: string, data: string, flags: Flags) =>
      interruptible((signal) => runEncode(model, data, flags, signal)),
    );
}

async function runEncode(model: string, data: string, flags: Flags, signal: AbortSignal): Promise<void> {
  const { out, threads, json, ...selection } = flags;
  await checkOutputs('encode', { out }, { out: ['.npz', '.npy'] });
  validateSelection('encode', selection);
  const { dictionary } = await loadModel(model);
  const source = await openSource(data);
  let executor: Executor | undefined;
  try {
    requireColumns('encode', 'samples', source, dictionary.features, 'features');
    executor = await createNodeExecutor({ threads });
    await surveyFinite('encode', source, executor, { signal });
    const count = { kept: 0 };
    const codes = {
      shape: [source.rows, dictionary.components],
      precision: source.precision,
      pieces: encodedPieces(dictionary, source, executor, selection, signal, count),
    };
    await (out.toLowerCase().endsWith('.npy') ? writeArray(out, codes) : writeArrays(out, { codes }));
    const density = count.kept / (source.rows * dictionary.components);
    if (json) printJson({ samples: source.rows, components: dictionary.components, density, out });
    else printLine(`${out}: codes of ${formatNumber(source.rows)} samples, ${formatNumber(100 * density)} % not zero`);
  } finally {
    await executor?.close();
    await source.close?.();
  }
}

async function* encodedPieces(
  dictionary: Dictionary,
  source: Source,
  executor: Executor,
  selection: Selection,
  signal: AbortSignal,
  count: { kept: number },
): AsyncGenerator<FloatArray> {
  for await (const codes of executor.map(encodePass, encodeParams(dictionary, selection), source, signal)) {
    for (const code of codes.data) if (code !== 0) count.kept++;
    yield codes.data;
  }
}
