/** `orthodict generate`: generates data together with the truth behind it. */

import { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import { writeArrays } from '../../node/io/arrays.ts';
import { numberOption } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { synchronously } from '../terminal/interrupt.ts';
import { addOptions, optionOf } from '../terminal/option-flags.ts';
import { formatNumber, printJson, printLine } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { COMMON, KIND_NAMES, KINDS, neededBy, ownOptions, requireOptionsOf } from './generate-kinds.ts';

interface Flags {
  readonly kind: string;
  readonly samples: number;
  readonly features: number;
  readonly seed: number;
  readonly out: string;
  readonly json?: boolean;
  readonly [option: string]: unknown;
}

const WHO = 'generate';

export function generateCommand(): Command {
  const command = new Command(WHO).addOption(
    new Option('--kind <NAME>', KIND_NAMES.map((name) => `${name}: ${KINDS[name].about}`).join('; '))
      .choices(KIND_NAMES)
      .default(KIND_NAMES[0]),
  );
  addOptions(command, WHO, COMMON);
  for (const [name, spec] of ownOptions()) {
    if (spec.flag) command.addOption(optionOf(WHO, name, spec));
    else if (name === 'deviations') command.option('--deviations <A,B>', spec.help, twoNumbers);
  }
  return command
    .requiredOption('--out <f.npz>', 'file to write')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
orthodict evaluate compares a result with the truth stored with the data.

Examples:
  orthodict generate --samples 20000 --features 50 --theta 0.3 --noise 0.05 --seed 1 --out data.npz
  orthodict generate --kind householder --reflectors 3 --samples 20 --features 1000 --theta 0.3 --seed 1 --out few.npz
  orthodict generate --kind sparse-components --samples 300 --features 200 --components 3 --nonzeros 8 --out planted.npz
  orthodict generate --kind topics --samples 2000 --features 500 --topics 5 --length 100 --out counts.npz
  orthodict generate --kind mixture --samples 3000 --features 10 --clusters 4 --out clusters.npz`,
    )
    .action((flags: Flags) => run(flags, command));
}

async function run({ out, json, kind, ...flags }: Flags, command: Command): Promise<void> {
  await checkOutputs(WHO, { out });
  const given = Object.keys(flags).filter((name) => command.getOptionValueSource(name) === 'cli');
  requireOptionsOf(kind, given);
  const options = Object.fromEntries(given.map((name) => [name, flags[name]]));
  const line = progressLine();
  line.say('generating …');
  const arrays = synchronously(() => KINDS[kind].make(options));
  line.say(`writing ${out} …`);
  await writeArrays(out, arrays).finally(line.clear);
  const { samples, features, seed } = flags;
  const needed = Object.fromEntries(neededBy(kind).map((name) => [name, flags[name]]));
  if (json) printJson({ kind, samples, features, ...needed, seed, out });
  else printLine(`${out}: ${formatNumber(samples)} samples of ${formatNumber(features)} features`);
}

function twoNumbers(text: string): [number, number] {
  const found = text.split(',').map(numberOption(WHO, '--deviations'));
  if (found.length !== 2)
    throw new InputError(`${WHO}: --deviations must be two numbers, such as 10,6; got "${text}".`);
  return [found[0], found[1]];
}
