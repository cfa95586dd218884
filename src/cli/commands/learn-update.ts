/** `orthodict learn --update`: improves a model with samples that arrived since it was learned. */
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { ModelMeta } from '../../dictionaries/model.ts';
import { updateOptions } from '../../learn/stream/update-options.ts';
import { loadModel, saveModel } from '../../node/io/model-file.ts';
import { updateModel } from '../../node/update-model.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { addDataFlags, type DataFlags, readingFrom } from '../terminal/data-flags.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { flagOf, optionsFrom } from '../terminal/option-flags.ts';
import { counted, formatNumber, printFacts, printJson } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { type PlaceFlags, placeFrom } from '../terminal/run-flags.ts';

interface Flags extends PlaceFlags, DataFlags {
  readonly out: string;
  readonly update: string;
  readonly json?: boolean;
}

/** Flags that --update allows: the model decides all other options. */
const TAKEN: readonly string[] = ['out', 'update', 'json', 'backend', ...Object.keys(updateOptions.table)];
const DATA = addDataFlags(new Command()).options.map((option) => option.attributeName());

export async function runUpdate(data: string, flags: Flags, command: Command): Promise<void> {
  const { out, update, json } = flags;
  const useless = command.options
    .map((option) => option.attributeName())
    .find((name) => command.getOptionValueSource(name) === 'cli' && !TAKEN.includes(name) && !DATA.includes(name));
  if (useless) throw new InputError(`learn: --update must come without ${flagOf(useless)}; got both.`);
  await checkOutputs('learn', { out });
  const place = await placeFrom('learn', flags);
  const model = await loadModel(update);
  const options = optionsFrom(command, updateOptions.table);
  const line = progressLine();
  const updated = await interruptible((signal) =>
    updateModel(model, data, options, {
      ...place,
      ...readingFrom(flags, model.meta.patch),
      signal,
      onProgress: line.update,
    }).finally(line.clear),
  );
  const { added, samples, change, refined, seconds, meta } = updated;
  await saveModel(out, updated);
  const { components, features } = updated.dictionary;
  if (json) {
    const { method, updates, seen, window } = meta;
    printJson({ method, added, samples, seen, window, updates, change, refined, seconds, components, features, out });
    return;
  }
  printFacts([
    ['model', `${out}: ${counted(components, 'atom')} of ${counted(features, 'feature')}`],
    ['data', `${counted(added, 'sample')} added, ${formatNumber(Number(meta.seen))} in all${standsFor(meta)}`],
    [
      'atoms',
      `moved by ${change.toExponential(1)} (root mean square), ${refined ? 'by the zeros of the codes' : 'by the l4 norm'}`,
    ],
    ['time', `${seconds.toFixed(2)} s`],
  ]);
}

/** The number of samples that count within the window, if some are forgotten. */
const standsFor = ({ samples, seen }: ModelMeta): string =>
  samples === seen ? '' : `, of which ${formatNumber(Number(samples))} count`;
