/** `orthodict generate`: data with a known dictionary. */
import { Command } from 'commander';
import { writeArrays } from '../node/arrays.ts';
import { checkWritable } from '../node/atomic-write.ts';
import { type GenerateOptions, generate, generateDefaults } from '../synthetic/bernoulli-gaussian.ts';
import { numberOption, requireExtension } from './arguments.ts';
import { formatNumber, printJson } from './output.ts';

export function generateCommand(): Command {
  const number = (flag: string) => numberOption('generate', flag);
  return new Command('generate')
    .description(
      'Make Bernoulli-Gaussian data with a known dictionary: arrays samples (PxN), atoms (NxN, rows), codes (PxN).',
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
    .option('--precision <f32|f64>', 'of the samples', generateDefaults.precision)
    .option('--seed <K>', 'the same seed gives the same bytes', number('--seed'), 0)
    .requiredOption('--out <f.npz>', 'file to write')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  orthodict generate --samples 20000 --features 50 --theta 0.3 --noise 0.05 --seed 1 --out data.npz',
    )
    .action(async ({ out, json, ...options }: GenerateOptions & { out: string; json?: boolean }) => {
      requireExtension('generate', '--out', out, ['.npz']);
      await checkWritable(out);
      const { samples, atoms, codes } = generate(options);
      await writeArrays(out, { samples, atoms, codes });
      if (json)
        printJson({ samples: samples.rows, features: samples.cols, theta: options.theta, seed: options.seed, out });
      else console.log(`${out}: ${formatNumber(samples.rows)} samples of ${formatNumber(samples.cols)} features`);
    });
}
