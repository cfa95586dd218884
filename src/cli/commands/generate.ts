/** `orthodict generate`: data with a known truth beside it. */
import { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import { checkWritable } from '../../node/files/atomic-write.ts';
import { writeArrays } from '../../node/formats/arrays.ts';
import { generateDefaults } from '../../synthetic/bernoulli-gaussian.ts';
import { generateHouseholderDefaults } from '../../synthetic/householder.ts';
import { generateTopicsDefaults } from '../../synthetic/lda.ts';
import { generateMixtureDefaults } from '../../synthetic/mixture.ts';
import { sparseComponentsDefaults } from '../../synthetic/sparse-components.ts';
import { numberOption, requireExtension } from '../terminal/arguments.ts';
import { formatNumber, printJson } from '../terminal/output.ts';
import { KIND_NAMES, KINDS, type KindName, type Options, requireOptionsOf } from './generate-kinds.ts';

type Flags = Options & { kind: KindName; out: string; json?: boolean };

export function generateCommand(): Command {
  const number = (flag: string) => numberOption('generate', flag);
  return new Command('generate')
    .description(
      'Make data with a known truth: arrays samples (PxN), and atoms, reflectors and codes, loadings, topics, or means and labels.',
    )
    .addOption(
      new Option('--kind <NAME>', KIND_NAMES.map((name) => `${name}: ${KINDS[name].about}`).join('; '))
        .choices(KIND_NAMES)
        .default(KIND_NAMES[0]),
    )
    .requiredOption('--samples <P>', 'number of samples', number('--samples'))
    .requiredOption('--features <N>', 'number of features', number('--features'))
    .option('--theta <T>', 'dictionaries need it: probability that a code is not zero', number('--theta'))
    .option(
      '--noise <S>',
      `standard deviation of normal noise on every number; default: ${generateDefaults.noise}, of sparse-components ${sparseComponentsDefaults.noise}`,
      number('--noise'),
    )
    .option(
      '--outliers <F>',
      `of bernoulli-gaussian: share of the samples replaced by dense ones; default: ${generateDefaults.outliers}`,
      number('--outliers'),
    )
    .option(
      '--corruption <F>',
      `of bernoulli-gaussian: share of the numbers that get +1 or -1; default: ${generateDefaults.corruption}`,
      number('--corruption'),
    )
    .option(
      '--condition <C>',
      `of bernoulli-gaussian: condition number of the dictionary; default: ${generateDefaults.condition}, orthogonal`,
      number('--condition'),
    )
    .option('--precision <f32|f64>', `of dictionaries' samples; default: ${generateDefaults.precision}`)
    .option('--reflectors <M>', 'of householder: number of reflectors; default: 1', number('--reflectors'))
    .addOption(
      new Option(
        '--entries <WHICH>',
        `of householder: entries of the reflectors' vectors; default: ${generateHouseholderDefaults.entries}`,
      ).choices(['uniform', 'normal']),
    )
    .option('--atoms', 'of householder: write the NxN atoms too')
    .option('--components <M>', 'sparse-components needs it: number of components', number('--components'))
    .option('--nonzeros <K>', 'sparse-components needs it: non-zeros of every component', number('--nonzeros'))
    .option(
      '--deviations <A,B>',
      `of sparse-components: standard deviations of the first and the last; default: ${sparseComponentsDefaults.deviations}`,
      twoNumbers,
    )
    .option('--topics <K>', 'topics needs it: number of topics', number('--topics'))
    .option('--length <L>', 'topics needs it: words of a document', number('--length'))
    .option(
      '--alpha0 <A>',
      `of topics: how many a document mixes; default: ${generateTopicsDefaults.alpha0}`,
      number('--alpha0'),
    )
    .option(
      '--concentration <B>',
      `of topics: near 0, few words each; default: ${generateTopicsDefaults.concentration}`,
      number('--concentration'),
    )
    .option('--clusters <K>', 'mixture needs it: number of clusters', number('--clusters'))
    .option(
      '--spread <S>',
      `of mixture: standard deviation of the means' entries; default: ${generateMixtureDefaults.spread}`,
      number('--spread'),
    )
    .option(
      '--deviation <S>',
      `of mixture: standard deviation of the samples around their mean; default: ${generateMixtureDefaults.deviation}`,
      number('--deviation'),
    )
    .option('--seed <K>', 'the same seed gives the same bytes', number('--seed'), 0)
    .requiredOption('--out <f.npz>', 'file to write')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
orthodict evaluate compares what was found in the data with the truth beside it.

Examples:
  orthodict generate --samples 20000 --features 50 --theta 0.3 --noise 0.05 --seed 1 --out data.npz
  orthodict generate --kind householder --reflectors 3 --samples 20 --features 1000 --theta 0.3 --seed 1 --out few.npz
  orthodict generate --kind sparse-components --samples 300 --features 200 --components 3 --nonzeros 8 --out planted.npz
  orthodict generate --kind topics --samples 2000 --features 500 --topics 5 --length 100 --out counts.npz
  orthodict generate --kind mixture --samples 3000 --features 10 --clusters 4 --out clusters.npz`,
    )
    .action((flags: Flags, command: Command) => run(flags, command));
}

async function run({ out, json, kind, ...options }: Flags, command: Command): Promise<void> {
  requireExtension('generate', '--out', out, ['.npz']);
  const set = command.options
    .map((option) => [option.attributeName(), option.long!] as const)
    .filter(([name]) => command.getOptionValueSource(name) === 'cli');
  requireOptionsOf(kind, new Map(set));
  await checkWritable(out);
  await writeArrays(out, KINDS[kind].make(options));
  const { samples, features, seed } = options;
  const needed = KINDS[kind].needs.map((name) => [name, options[name]]);
  if (json) printJson({ kind, samples, features, ...Object.fromEntries(needed), seed, out });
  else console.log(`${out}: ${formatNumber(samples)} samples of ${formatNumber(features)} features`);
}

function twoNumbers(text: string): [number, number] {
  const found = text.split(',').map(numberOption('generate', '--deviations'));
  if (found.length !== 2) throw new InputError(`generate: --deviations must be two numbers, as 10,6; got "${text}".`);
  return [found[0], found[1]];
}
