/** `orthodict generate`: data with a known dictionary. */
import { Command, Option } from 'commander';
import { householderDictionary } from '../dictionaries/householder.ts';
import { InputError } from '../errors.ts';
import { writeArrays } from '../node/arrays.ts';
import { checkWritable } from '../node/atomic-write.ts';
import { type GenerateOptions, generate, generateDefaults } from '../synthetic/bernoulli-gaussian.ts';
import {
  type GenerateHouseholderOptions,
  generateHouseholder,
  generateHouseholderDefaults,
} from '../synthetic/householder.ts';
import { numberOption, requireExtension } from './arguments.ts';
import { formatNumber, printJson } from './output.ts';

type Flags = Omit<GenerateOptions, 'corruption'> &
  Partial<Pick<GenerateHouseholderOptions, 'reflectors' | 'entries'>> & {
    kind: Kind;
    corruption?: number;
    atoms?: boolean;
    out: string;
    json?: boolean;
  };

type Options = Omit<Flags, 'out' | 'json' | 'kind'>;

const KINDS = ['bernoulli-gaussian', 'householder'] as const;
type Kind = (typeof KINDS)[number];
/** Options that only one kind has. */
const OWN: Record<Kind, readonly string[]> = {
  'bernoulli-gaussian': ['outliers', 'corruption', 'condition'],
  householder: ['reflectors', 'entries', 'atoms'],
};

export function generateCommand(): Command {
  const number = (flag: string) => numberOption('generate', flag);
  return new Command('generate')
    .description(
      'Make sparse data with a known dictionary: arrays samples (PxN), atoms (NxN, rows) or reflectors (MxN), codes (PxN).',
    )
    .addOption(
      new Option(
        '--kind <NAME>',
        'bernoulli-gaussian: normal codes, any dictionary; householder: codes from 1 to 2, a product of reflectors',
      )
        .choices(KINDS)
        .default(KINDS[0]),
    )
    .requiredOption('--samples <P>', 'number of samples', number('--samples'))
    .requiredOption('--features <N>', 'number of features, and of atoms', number('--features'))
    .requiredOption('--theta <T>', 'probability that a code is not zero', number('--theta'))
    .option(
      '--noise <S>',
      'standard deviation of normal noise on every number',
      number('--noise'),
      generateDefaults.noise,
    )
    .option(
      '--outliers <F>',
      'share of the samples replaced by dense ones',
      number('--outliers'),
      generateDefaults.outliers,
    )
    .option(
      '--corruption <F>',
      'share of the numbers that get +1 or -1',
      number('--corruption'),
      generateDefaults.corruption,
    )
    .option(
      '--condition <C>',
      'condition number of the dictionary; 1: orthogonal',
      number('--condition'),
      generateDefaults.condition,
    )
    .option('--reflectors <M>', 'of householder: number of reflectors; default: 1', number('--reflectors'))
    .addOption(
      new Option(
        '--entries <WHICH>',
        `of householder: entries of the reflectors' vectors; default: ${generateHouseholderDefaults.entries}`,
      ).choices(['uniform', 'normal']),
    )
    .option('--atoms', 'of householder: write the NxN atoms too')
    .option('--precision <f32|f64>', 'of the samples', generateDefaults.precision)
    .option('--seed <K>', 'the same seed gives the same bytes', number('--seed'), 0)
    .requiredOption('--out <f.npz>', 'file to write')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  orthodict generate --samples 20000 --features 50 --theta 0.3 --noise 0.05 --seed 1 --out data.npz
  orthodict generate --kind householder --reflectors 3 --samples 20 --features 1000 --theta 0.3 --seed 1 --out few.npz`,
    )
    .action(async ({ out, json, kind, ...options }: Flags, command: Command) => {
      requireExtension('generate', '--out', out, ['.npz']);
      for (const [other, names] of Object.entries(OWN)) {
        const wrong = names.find((name) => other !== kind && command.getOptionValueSource(name) === 'cli');
        if (wrong) throw new InputError(`generate: --${wrong} must come with --kind ${other}; got --kind ${kind}.`);
      }
      await checkWritable(out);
      const { samples, ...rest } = kind === 'householder' ? reflected(options) : generate(gaussian(options));
      await writeArrays(out, { samples, ...rest });
      const { rows, cols } = samples;
      if (json) printJson({ kind, samples: rows, features: cols, theta: options.theta, seed: options.seed, out });
      else console.log(`${out}: ${formatNumber(rows)} samples of ${formatNumber(cols)} features`);
    });
}

function reflected({ samples, features, theta, seed, noise, precision, reflectors = 1, entries, atoms }: Options) {
  const data = generateHouseholder({
    samples,
    features,
    reflectors,
    theta,
    seed,
    ...(noise !== undefined && { noise }),
    ...(precision !== undefined && { precision }),
    ...(entries !== undefined && { entries }),
  });
  return atoms ? { ...data, atoms: householderDictionary(data).atoms } : { ...data };
}

function gaussian({ reflectors, entries, atoms, ...options }: Options): GenerateOptions {
  return options as GenerateOptions;
}
