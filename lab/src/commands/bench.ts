/** `npm run bench`: how fast orthodict is on this machine, compared with the alternatives. */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import { InputError } from 'orthodict';
import { checkChart } from 'orthodict/node';
import { benchCharts } from '../charts/bench-charts.ts';
import { drawChart } from '../charts/draw-chart.ts';
import { writeWhole } from '../files.ts';
import { reportTables } from '../report/bench-tables.ts';
import { modelPage } from '../report/model-page.ts';
import type { Table } from '../report/table.ts';
import { markdownTables } from '../report/table.ts';
import { type Bench, bench } from '../tasks/bench.ts';
import { benchDefaults, PARTS, type Part } from '../tasks/options.ts';
import { DATA_SETS, type SetName } from '../tasks/recovery/data-sets.ts';
import { flagOf, interruptible, numberOption, printJson, printLine, printTable, progressLine } from '../terminal.ts';

interface Flags extends Partial<Record<Part, boolean>> {
  peers?: boolean;
  set: SetName;
  repeat: number;
  only?: string;
  model?: string;
  features?: string;
  plot?: string;
  page?: string;
  markdown?: boolean;
  json?: boolean;
  cluster?: boolean;
  mpi?: boolean;
}

const PART_NAMES = Object.keys(PARTS) as Part[];
/** The parts in which a flag has an effect; in all of them if it is not listed. */
const PARTS_OF: Readonly<Record<string, readonly Part[]>> = {
  peers: ['recovery', 'processes', 'real', 'models'],
  set: ['recovery', 'processes'],
  repeat: ['recovery', 'processes', 'real', 'models'],
  only: ['recovery', 'processes', 'real', 'models'],
  model: ['models'],
  features: ['recovery', 'processes', 'real'],
  plot: ['recovery', 'real', 'models'],
  page: ['models'],
};

export function benchCommand(): Command {
  const command = new Command('bench');
  for (const part of PART_NAMES)
    command.addOption(new Option(`--${part}`, PARTS[part]).helpGroup('Parts, default all:'));
  return command
    .option('--peers', 'also run NumPy, scikit-learn and ml-matrix, if installed')
    .addOption(
      new Option('--set <NAME>', 'planted dictionaries; small: n=25 and 100; large: also n=200 and 400')
        .choices(Object.keys(DATA_SETS))
        .default(benchDefaults.set),
    )
    .option(
      '--repeat <R>',
      'rounds, of which the median counts; at most 9 (n=200: 3, n=400: 1, real data and models: 5)',
      numberOption('bench', '--repeat'),
      benchDefaults.repeats,
    )
    .option('--only <NAME,...>', 'only contenders whose names contain one of these words')
    .option('--model <WORD,...>', 'only models whose name or data contains one of these words')
    .option('--features <N,...>', 'only data with these numbers of features: digits and patches have 64, MNIST 100')
    .option('--cluster', 'measure what a cluster costs, and nothing else; needs a Redis server, and mpirun for MPI')
    .addOption(new Option('--mpi', 'with --cluster, on the ranks of mpirun: measure these').hideHelp())
    .option(
      '--plot <FILE>',
      'draw charts; f.svg stands for f-times.svg, f-recovery.svg, f-real.svg and f-models.svg, .png likewise',
    )
    .option('--page <FILE.md>', 'write what the models did as a page, with its chart beside it or in its images/')
    .addOption(new Option('--markdown', 'print the tables as Markdown').conflicts('json'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((flags: Flags) => runBench(flags, command));
}

const HELP = `
All contenders get the same data and return what they found with the seconds it took to compute; only the benchmark
scores it. They take turns. What is not installed (NumPy, scikit-learn, a BLAS, MNIST) is skipped, with
the reason.

recovery   Bernoulli-Gaussian samples of a known dictionary: seconds to a recovery error of 0.5 % and of 1e-10. orthodict
           runs as a library call on waiting threads, and the whole call is counted; other programs run with their BLAS
           threads, without start-up and reading.
processes  The same from start to exit of a process, reading a .npy file and writing the atoms. NumPy's script does
           exactly the iterations it needs for 0.5 %, counted beforehand. Start-up is compared with node -e 0.
real       Half of the data to learn from, half to score by: the energy that is missing when a sample keeps 5 codes,
           those of orthogonal matching pursuit where atoms are not orthogonal. Every round has another random start. The
           reference is plain MSP run to its end from the same start.
models     Sources, sparse components, mixtures, topics, overcomplete dictionaries and tensors beside scikit-learn. Every
           round has data of its own, of known truth or with a held-out part, and one number scores all contenders.
micro      Short bursts that take turns with BLAS; encoding by reflectors and rotations; a pass of MSP, a sweep of plane
           rotations, an iteration of K-SVD.

cluster    Starts Redis, workers and ranks of one thread each on this machine, times passes with and without work, and compares
           them with a model, which then predicts how far Redis and MPI scale: to 1,000 threads and 10^10 samples.

Results with a target are listed at the end. With --peers, 7 rounds take about 20 minutes, and the large set 40 more.

Examples:
  npm run bench -- --micro
  npm run bench -- --recovery --processes --peers --features 100
  npm run bench -- --real --peers --repeat 3 --plot real.svg
  npm run bench -- --models --peers --model mixtures,topics
  npm run bench -- --recovery --peers --set large --features 200,400 --only orthodict,numpy
  npm run bench -- --peers --set large --json > bench.json
  npm run bench -- --cluster --plot cluster.svg
  npm run bench -- --peers --set large --markdown --plot bench.png > tables.md`;

/** Refuses a flag that has no effect in any of the parts. */
function requireEffect(parts: readonly Part[], command: Command): void {
  const unused = Object.entries(PARTS_OF).find(
    ([name, own]) => command.getOptionValueSource(name) === 'cli' && !own.some((part) => parts.includes(part)),
  );
  if (!unused) return;
  const without = parts.map(flagOf).join(' and ');
  throw new InputError(`bench: ${flagOf(unused[0])} must come without ${without}; got both.`);
}

async function runBench(flags: Flags, command: Command): Promise<void> {
  if (flags.cluster) return runClusterBench(flags, command);
  if (flags.mpi) throw new InputError('bench: --mpi must come with --cluster; got it alone.');
  const { peers = false, set, repeat, only, model, features, plot, page, json, markdown } = flags;
  const named = PART_NAMES.filter((part) => flags[part]);
  const parts = named.length > 0 ? named : PART_NAMES;
  requireEffect(parts, command);
  if (plot) {
    if (!/\.(svg|png)$/i.test(plot))
      throw new InputError(`bench: --plot must be a file ending in .svg or .png; got "${plot}".`);
    await checkChart(plot);
  }
  if (page && !page.endsWith('.md')) throw new InputError(`bench: --page must be a file ending in .md; got "${page}".`);
  const line = progressLine();
  const options = {
    parts,
    peers,
    set,
    repeats: repeat,
    only: only?.split(',') ?? [],
    model: model?.split(',') ?? [],
    features: features?.split(',').map(numberOption('bench', '--features')) ?? [],
  };
  const result = await interruptible((signal) => bench(options, { signal, say: line.say }).finally(line.clear));
  if (json) printJson(result);
  else printBench(result, markdown === true);
  const drawn = plot ? await drawCharts(result, plot) : [];
  if (page) await writePage(result, page);
  if (json || drawn.length === 0) return;
  printLine();
  printLine(`The results are drawn in ${drawn.join(', ')}.`);
}

const CLUSTER_FLAGS = ['cluster', 'mpi', 'plot', 'markdown', 'json'];

async function runClusterBench({ mpi, plot, json, markdown }: Flags, command: Command): Promise<void> {
  const other = command.options
    .map((option) => option.attributeName())
    .find((name) => command.getOptionValueSource(name) === 'cli' && !CLUSTER_FLAGS.includes(name));
  if (other !== undefined) throw new InputError(`bench: ${flagOf(other)} must come without --cluster; got both.`);
  if (plot) {
    if (!/\.(svg|png)$/i.test(plot))
      throw new InputError(`bench: --plot must be a file ending in .svg or .png; got "${plot}".`);
    await checkChart(plot);
  }
  const { benchCluster, benchRanks } = await import('../tasks/cluster/cluster-bench.ts');
  if (mpi) {
    const times = await interruptible((signal) => benchRanks({ signal }));
    if (times) printJson(times);
    else process.exit(0); // the program is that of rank 0
    return;
  }
  const line = progressLine();
  const result = await interruptible((signal) => benchCluster({ signal, say: line.say }).finally(line.clear));
  const { clusterTables } = await import('../report/cluster-tables.ts');
  if (json) printJson(result);
  else {
    for (const reason of result.skipped) printLine(`skipped: ${reason}`);
    if (markdown) printText(markdownTables(clusterTables(result)));
    else printTables(clusterTables(result));
  }
  if (plot) await drawChart((await import('../charts/cluster-chart.ts')).clusterChart(result), plot);
}

/** Returns the files. */
async function drawCharts(result: Bench, plot: string): Promise<string[]> {
  const files: string[] = [];
  for (const [name, chart] of Object.entries(benchCharts(result))) {
    const file = plot.replace(/\.(svg|png)$/i, `-${name}$&`);
    await drawChart(chart, file);
    files.push(file);
  }
  return files;
}

/** The page, and its chart: in the folder images beside the page if there is one, otherwise beside the page. */
async function writePage(result: Bench, page: string): Promise<void> {
  const { models } = benchCharts(result);
  const folder = dirname(page);
  const chart = join(existsSync(join(folder, 'images')) ? 'images' : '', `${basename(page, '.md')}.svg`);
  if (models) await drawChart(models, join(folder, chart));
  await writeWhole(page, modelPage(result, models && chart));
}

function printBench(result: Bench, markdown: boolean): void {
  const { machine, contenders, skipped } = result;
  const start = markdown ? '- ' : '  ';
  printLine(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`);
  if (markdown) printLine();
  for (const { name, description } of contenders) printLine(`${start}${name}: ${description}`);
  for (const { name, reason } of skipped) printLine(`${start}${name} skipped: ${reason}`);
  const tables = reportTables(result);
  printLine();
  if (markdown) printText(markdownTables(tables));
  else printTables(tables);
}

function printTables(tables: readonly Table[]): void {
  for (const [k, { title, header, rows, notes }] of tables.entries()) {
    if (k > 0) printLine();
    printLine(title);
    printTable(header, rows);
    for (const note of notes) printLine(`  ${note}`);
  }
}

const printText = (text: string): void => {
  for (const line of text.split('\n')) printLine(line);
};
