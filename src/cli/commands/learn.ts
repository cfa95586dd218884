/** `orthodict learn`: from a data file to a model file. */
import { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Progress } from '../../engine/stop.ts';
import type { LearnResult } from '../../learn/learn.ts';
import { type LearnOptions, type LearnSettings, learnDefaults, METHODS } from '../../learn/options.ts';
import { checkWritable } from '../../node/files/atomic-write.ts';
import { renderChart } from '../../node/files/chart.ts';
import { fileCheckpoint } from '../../node/files/checkpoint-file.ts';
import { loadModel, modelMeta, saveModel } from '../../node/files/model-file.ts';
import { learn } from '../../node/learn.ts';
import { NODE_BACKENDS, type NodeBackendChoice } from '../../node/threads/kernels.ts';
import { convergenceChart } from '../charts/convergence-chart.ts';
import { numberOption, numberOrWord, requireExtension } from '../terminal/arguments.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printFacts, printJson } from '../terminal/output.ts';
import { requirePlot } from '../terminal/plot-option.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { type HouseholderFlags, refuseOthers, runHouseholder } from './learn-householder.ts';

interface Flags extends LearnOptions {
  out: string;
  backend: NodeBackendChoice;
  threads?: number;
  init?: string;
  checkpoint?: string;
  checkpointEvery: number;
  resume?: boolean;
  plot?: string;
  json?: boolean;
}

export function learnCommand(): Command {
  const number = (flag: string) => numberOption('learn', flag);
  const choice = (flags: string, text: string, choices: readonly string[]) => new Option(flags, text).choices(choices);
  return new Command('learn')
    .description('Learn a dictionary in which the samples of DATA are sparse, and save it.')
    .argument('<DATA>', 'samples as rows: .npy .npz .csv .tsv .idx, also gzipped; file.npz:name picks an array')
    .requiredOption('--out <model.npz>', 'model to write')
    .addOption(
      choice(
        '--method <NAME>',
        'msp: matching, stretching, projection; pga: gradient ascent with --step; givens: plane rotations, all codes in memory; procrustes: largest codes and best atoms in turns; gtransform: the same for a product of --rotations; for comparison fastica, pca, dct, subgradient, online, ksvd; householder: a product of --reflectors, for codes with a mean',
        [...METHODS, 'householder'],
      ).default(learnDefaults.method),
    )
    .option(
      '--norm <Q>',
      'maximise the l_q norm of the codes; 3 or an even number',
      number('--norm'),
      learnDefaults.norm,
    )
    .option(
      '--shift <BETA>',
      'auto, none, or the shift itself: fewer iterations on white data',
      numberOrWord('learn', '--shift', ['auto', 'none']),
      learnDefaults.shift,
    )
    .option('--momentum', 'momentum between steps where there is no shift: far fewer passes on data that is not white')
    .addOption(
      choice('--scout <WHEN>', 'on white data, explore only as far, and on as many samples, as the refinement needs', [
        'auto',
        'none',
      ]).default(learnDefaults.scout),
    )
    .option(
      '--step <ALPHA>',
      'step of pga: A + ALPHA (X^3)^T Y is projected; default: infinite, which is msp',
      number('--step'),
    )
    .option('--rotations <G>', 'gtransform: how many; default: n log2 n', number('--rotations'))
    .option(
      '--keep <S>',
      'procrustes, gtransform: keep the S codes of largest magnitude of every sample; ksvd: the most atoms a sample uses, default sqrt of n',
      number('--keep'),
    )
    .option(
      '--threshold <Z>',
      'procrustes, gtransform: keep codes of at least this magnitude; default: their root mean square',
      number('--threshold'),
    )
    .addOption(choice('--nonlinearity <G>', 'of fastica', ['cube', 'logcosh']).default(learnDefaults.nonlinearity))
    .option('--dct-shape <RxC>', 'of dct: samples are pictures of R rows and C columns, as in 8x8; default: signals')
    .addOption(
      choice('--search <HOW>', 'of subgradient: atoms one by one, or the whole dictionary at once', [
        'atoms',
        'whole',
      ]).default(learnDefaults.search),
    )
    .option(
      '--lambda <L>',
      'of online: weight of the l1 norm, for samples of norm 1; default: 0.3 / sqrt of n',
      number('--lambda'),
    )
    .option('--batch <B>', 'of online: samples in a batch of the first epoch', number('--batch'), learnDefaults.batch)
    .option(
      '--residual <E>',
      'of ksvd: end the pursuit of a sample at this residual, relatively, instead of --keep',
      number('--residual'),
    )
    .option('--reflectors <M>', 'of householder: number of reflectors; default: 1', number('--reflectors'))
    .option('--theta <T>', 'of householder: share of codes that are not zero; default: estimated', number('--theta'))
    .option('--mean <MU>', 'of householder: mean of the codes that are not zero, with --theta', number('--mean'))
    .addOption(
      choice(
        '--refine <WHEN>',
        'use the zeros of the codes to get from 0.3 % to exact; off for the methods of comparison',
        ['auto', 'none'],
      ).default(learnDefaults.refine),
    )
    .addOption(
      choice(
        '--whiten <HOW>',
        'none: orthogonal dictionary of the data as it is; zca: complete, not necessarily orthogonal, the only one for fastica',
        ['none', 'zca'],
      ).default(learnDefaults.whiten),
    )
    .option('--center', 'subtract the mean sample first; the model remembers it')
    .option(
      '--components <K>',
      'number of atoms; default: as many as features; online, ksvd: also more',
      number('--components'),
    )
    .addOption(
      choice('--precision <P>', 'mixed: float32 to explore, float64 to refine', ['mixed', 'f32', 'f64']).default(
        learnDefaults.precision,
      ),
    )
    .option(
      '--max-iterations <I>',
      'stop exploring after so many iterations; online: 50, ksvd: 100',
      number('--max-iterations'),
      learnDefaults.maxIterations,
    )
    .option('--max-seconds <S>', 'stop exploring after so many seconds', number('--max-seconds'))
    .option(
      '--tolerance <E>',
      'stop when a step moves the atoms by no more',
      number('--tolerance'),
      learnDefaults.tolerance,
    )
    .option(
      '--objective-tolerance <E>',
      'stop when three steps raise the objective by no more',
      number('--objective-tolerance'),
      learnDefaults.objectiveTolerance,
    )
    .option('--seed <K>', 'of the random start', number('--seed'), learnDefaults.seed)
    .addOption(choice('--backend <NAME>', 'auto: the fastest there is', NODE_BACKENDS).default('auto'))
    .option('--threads <T>', 'default: all cores; the result does not depend on it', number('--threads'))
    .option('--init <model.npz>', 'start from the atoms of a model')
    .option('--checkpoint <f.npz>', 'save the state of the run here from time to time, and when interrupted')
    .option('--checkpoint-every <S>', 'seconds between checkpoints', number('--checkpoint-every'), 10)
    .option('--resume', 'go on from the checkpoint, if there is one')
    .option('--plot <FILE>', 'draw the convergence as .svg or .png')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  orthodict learn data.npz --out model.npz
  orthodict learn signals.csv --whiten zca --out model.npz --json
  orthodict learn images.npy --components 100 --out model.npz --checkpoint run.npz --resume
  orthodict learn few.npy --method householder --reflectors 5 --out model.npz`,
    )
    .action((data: string, flags: Flags & HouseholderFlags, command: Command) => {
      const set = Object.keys(flags).filter((name) => command.getOptionValueSource(name) === 'cli');
      const householder = (flags.method as string) === 'householder';
      refuseOthers(set, householder);
      return householder ? runHouseholder(data, flags) : runLearn(data, withoutDefaults(flags, set));
    });
}

/** Options that were not set are left to the library, whose defaults depend on the method. */
function withoutDefaults(flags: Flags, set: readonly string[]): Flags {
  const own = ['backend', 'checkpointEvery'];
  return Object.fromEntries(
    Object.entries(flags).filter(([name]) => set.includes(name) || own.includes(name)),
  ) as unknown as Flags;
}

async function runLearn(data: string, flags: Flags): Promise<void> {
  const { out, json, backend, threads, init, checkpoint, checkpointEvery, resume, plot, ...options } = flags;
  requireExtension('learn', '--out', out, ['.npz']);
  if (!(checkpointEvery >= 0)) {
    throw new InputError(`learn: --checkpoint-every must be a number, 0 or more; got ${checkpointEvery}.`);
  }
  if (resume && !checkpoint) throw new InputError('learn: --resume must come with --checkpoint; got --resume alone.');
  await checkWritable(out);
  if (checkpoint) {
    requireExtension('learn', '--checkpoint', checkpoint, ['.npz']);
    await checkWritable(checkpoint);
  }
  await requirePlot('learn', plot);
  const start = init ? (await loadModel(init)).dictionary.atoms : undefined;
  const steps: Progress[] = [];
  const line = progressLine(options.tolerance ?? learnDefaults.tolerance);
  line.say('reading …');
  const result = await interruptible((signal) =>
    learn(
      data,
      { ...options, start },
      {
        backend,
        threads,
        signal,
        resume,
        checkpoint: checkpoint ? fileCheckpoint(checkpoint, checkpointEvery) : undefined,
        onProgress(progress) {
          steps.push(progress);
          line.update(progress);
        },
      },
    ).finally(line.clear),
  );
  if (result.status === 'aborted') {
    const saved = checkpoint ? ` The state is in ${checkpoint}; --resume goes on from there.` : '';
    throw new Interrupted(`learn: interrupted after ${result.iterations} iterations.${saved}`);
  }
  await saveModel(
    out,
    { dictionary: result.dictionary, meta: modelMeta(result) },
    { precision: options.precision === 'f32' ? 'f32' : 'f64' },
  );
  if (plot) await renderChart(convergenceChart(steps), plot);
  if (json) printJson(summary(result, out));
  else printSummary(result, out);
}

function summary(result: LearnResult, out: string) {
  const { settings, status, reason, iterations, passes, objective, seconds, backend, threads, refined } = result;
  return {
    method: settings.method,
    status,
    reason,
    iterations,
    passes,
    objective,
    seconds,
    backend,
    threads,
    precision: settings.precision,
    refined,
    refinement: result.refinement,
    components: result.dictionary.components,
    features: result.features,
    samples: result.samples,
    out,
  };
}

function printSummary(result: LearnResult, out: string): void {
  const { settings, status, reason, iterations, passes, dictionary, samples, features, refined, refinement } = result;
  printFacts([
    ['model', `${out}: ${dictionary.components} atoms of ${features} features`],
    ['data', `${formatNumber(samples)} samples`],
    ['method', `${describeMethod(settings)}, whiten ${settings.whiten}`],
    ['status', `${status} (${reason}) after ${iterations} iterations, ${passes} passes`],
    ['refined', refined ? `yes (${refinement})` : `no: ${refinement}`],
    [
      'time',
      `${result.seconds.toFixed(2)} s on ${result.backend}, ${result.threads} thread${result.threads > 1 ? 's' : ''}`,
    ],
  ]);
}

function describeMethod(settings: LearnSettings): string {
  const { method, norm, keep, threshold } = settings;
  if (method === 'msp' || method === 'pga' || method === 'givens') return `${method}, l${norm} norm`;
  if (method === 'fastica') return `${method}, ${settings.nonlinearity}`;
  if (method === 'subgradient') return `${method}, ${settings.search}`;
  if (method === 'online') return `${method}, lambda ${settings.lambda ?? 'auto'}`;
  if (method === 'ksvd' && settings.residual !== undefined) return `${method}, residual ${settings.residual}`;
  if (method === 'ksvd') return `${method}, ${keep ?? 'sqrt n'} codes a sample`;
  if (method === 'dct') return `${method}, ${settings.dctShape ?? 'one dimension'}`;
  if (method === 'pca') return method;
  return keep === undefined ? `${method}, threshold ${threshold ?? 'auto'}` : `${method}, ${keep} codes a sample`;
}
