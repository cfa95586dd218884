/** `orthodict reproduce`: the papers' tables and figures, measured here. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { InputError } from '../errors.ts';
import { formatDuration } from '../experiments/figures.ts';
import { experiments, groups, selectExperiments } from '../experiments/index.ts';
import { type Report, writeIndex, writeReport } from '../experiments/report.ts';
import { gridOf, type RunOptions, runDefaults, runExperiment } from '../experiments/run.ts';
import { checkWritable } from '../node/atomic-write.ts';
import { writeFailure } from '../node/file-errors.ts';
import { numberOption } from './arguments.ts';
import { Interrupted, interruptible } from './interrupt.ts';
import { printJson, printTable } from './output.ts';
import { progressLine } from './progress-line.ts';

interface Flags extends RunOptions {
  seed: number;
  out: string;
  list?: boolean;
  json?: boolean;
}

interface Result {
  readonly out: string;
  readonly reports: readonly Report[];
  readonly index: string | null;
}

export function reproduceCommand(): Command {
  return new Command('reproduce')
    .description(
      "Measure the papers' tables and figures here: raw trials, charts, and a page beside the paper's numbers.",
    )
    .argument('[NAME...]', `experiments (--list), those of a paper (${groups.join(', ')}), or all`)
    .option('--quick', 'smaller sizes and fewer trials: seconds instead of minutes or hours')
    .option('--out <DIR>', 'folder for CSV, SVG, PNG and Markdown; made if need be', 'orthodict-results')
    .option('--trials <T>', 'trials at every grid point', numberOption('reproduce', '--trials'))
    .option(
      '--seed <K>',
      'seed of the first trial; the next has the next',
      numberOption('reproduce', '--seed'),
      runDefaults.seed,
    )
    .option('--fresh', 'forget the trials of an earlier run in the same folder')
    .option('--list', 'print the names of the experiments and end')
    .option('--json', 'print one JSON object: out, index, experiments with their files, claims and verdicts')
    .addHelpText(
      'after',
      `
Every trial is written to NAME.csv as it ends. The same command goes on where an interrupted one ended, and a run with
more trials uses those that are there. NAME.md has the charts, the paper's numbers where it prints some, what was measured
with its spread, and claims with verdicts. Of several experiments there is a page too: index.md, or that of the paper.

Examples:
  orthodict reproduce --list
  orthodict reproduce householder-figure3 --quick
  orthodict reproduce all --quick --out results
  orthodict reproduce householder-figure1 --trials 5 --out results`,
    )
    .action(runReproduce);
}

async function runReproduce(names: string[], flags: Flags): Promise<void> {
  const { out, list, json } = flags;
  if (list) {
    printList(json);
    return;
  }
  const chosen = selectExperiments(names);
  for (const experiment of chosen) gridOf(experiment, flags);
  await makeFolder(out);
  const line = progressLine(1);
  const reports: Report[] = [];
  await interruptible(async (signal) => {
    for (const experiment of chosen) {
      const csv = join(out, `${experiment.name}.csv`);
      const trials = await runExperiment(experiment, flags, { csv, signal, say: line.say });
      line.say(`${experiment.name}: charts …`);
      const setup = { folder: out, grid: gridOf(experiment, flags), command: commandWords([experiment.name], flags) };
      const report = await writeReport(experiment, trials, setup);
      line.clear();
      for (const reason of report.skipped) console.error(`reproduce: ${experiment.name}: ${reason}`);
      if (!json) printReport(report, out);
      reports.push(report);
    }
  })
    .catch((error) => {
      if (error instanceof Interrupted) throw new Interrupted(interruption(flags));
      throw error;
    })
    .finally(line.clear);
  const name = names.length === 1 && groups.includes(names[0]) ? names[0] : 'index';
  const index =
    reports.length > 1 ? await writeIndex(reports, { folder: out, name, command: commandWords(names, flags) }) : null;
  finish({ out, reports, index }, json);
}

function printList(json: boolean | undefined): void {
  if (json) printJson(experiments.map(({ name, group, title, source }) => ({ name, group, title, source })));
  else for (const { name, title } of experiments) console.log(`${name}  ${title}`);
}

async function makeFolder(out: string): Promise<void> {
  if (out === '') throw new InputError('reproduce: --out must be the name of a folder; got "".');
  try {
    await mkdir(out, { recursive: true });
  } catch (error) {
    throw writeFailure(out, error);
  }
  await checkWritable(join(out, 'index.md'));
}

/** What a reader types: whatever is not as it is by default, without the folder. */
function commandWords(names: readonly string[], { quick, trials, seed }: Flags): string {
  return [
    'orthodict reproduce',
    ...names,
    ...(quick ? ['--quick'] : []),
    ...(trials === undefined ? [] : [`--trials ${trials}`]),
    ...(seed === runDefaults.seed ? [] : [`--seed ${seed}`]),
  ].join(' ');
}

function interruption({ out, fresh }: Flags): string {
  const command = `the same command${fresh ? ' without --fresh' : ''}`;
  return `reproduce: interrupted; finished trials are in ${out}, and ${command} goes on from there.`;
}

function printReport({ name, title, trials, points, seconds, claims, gain, page }: Report, out: string): void {
  console.log(`${name}: ${title} (${trials} trials at ${points} points, ${formatDuration(seconds)})`);
  printTable(
    ['claim', 'verdict'],
    claims.map(({ words, verdict }) => [words, verdict]),
  );
  if (gain) console.log(gain);
  console.log(`${join(out, page)}\n`);
}

function finish({ out, reports, index }: Result, json: boolean | undefined): void {
  if (json) printJson({ out, index, experiments: reports });
  else if (index) console.log(`All of them: ${join(out, index)}`);
}
