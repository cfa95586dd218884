/** `orthodict bench`: how fast orthodict is on this machine, compared with the alternatives. */

import { Command, Option } from 'commander';
import { type Bench, bench, benchDefaults } from '../../bench/bench.ts';
import { DATA_SETS, type SetName } from '../../bench/data-sets.ts';
import { benchChart } from '../../bench/plot.ts';
import { reportTables } from '../../bench/report.ts';
import { InputError } from '../../core/errors.ts';
import { renderChart } from '../../node/files/chart.ts';
import { numberOption } from '../terminal/arguments.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { flagOf } from '../terminal/option-flags.ts';
import { printJson, printLine, printTable } from '../terminal/output.ts';
import { checkOutputs } from '../terminal/outputs.ts';
import { progressLine } from '../terminal/progress-line.ts';

interface Flags {
  peers?: boolean;
  set: SetName;
  repeat: number;
  micro?: boolean;
  races?: boolean;
  only?: string;
  features?: string;
  plot?: string;
  json?: boolean;
}

export function benchCommand(): Command {
  return new Command('bench')
    .option('--peers', 'also run NumPy, scikit-learn and ml-matrix, if installed')
    .addOption(
      new Option(
        '--set <NAME>',
        'small: n=25 and 100, one minute, with --peers three; large: also n=200 and 400, 20 minutes',
      )
        .choices(Object.keys(DATA_SETS))
        .default(benchDefaults.set),
    )
    .option(
      '--repeat <R>',
      'rounds; each contender runs once per round (n=200: at most 2, n=400: 1)',
      numberOption('bench', '--repeat'),
      benchDefaults.repeats,
    )
    .addOption(new Option('--micro', 'only the speed of the kernels').conflicts('races'))
    .option('--races', 'only the times to recover a dictionary')
    .option('--only <NAME,...>', 'only contenders whose names contain one of these words')
    .option('--features <N,...>', 'only data sets with these numbers of features')
    .option('--plot <FILE>', 'draw the times as .svg or .png')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
All contenders get the same samples and return dictionaries with the seconds it took to compute them; only the benchmark
judges how good they are. Times exclude start-up and reading, except those of the whole command. Contenders take turns and
are compared by best and median time. orthodict runs as a library call on waiting threads, and the whole call is counted.
Peers run as their users run them, with BLAS threads enabled; a peer that is not installed is skipped, with the reason.

Examples:
  orthodict bench
  orthodict bench --peers --plot times.svg
  orthodict bench --peers --races --set large --features 200,400 --only orthodict,numpy
  orthodict bench --peers --set large --json > bench.json
  orthodict bench --micro`,
    )
    .action((flags: Flags, command: Command) => {
      requireEffect(flags, command);
      return runBench(flags);
    });
}

/** Flags of the races only. */
const OF_RACES = ['peers', 'set', 'repeat', 'only', 'features', 'plot'];

function requireEffect({ micro }: Flags, command: Command): void {
  const vain = OF_RACES.find((name) => command.getOptionValueSource(name) === 'cli');
  if (micro && vain) throw new InputError(`bench: ${flagOf(vain)} must come without --micro; got both.`);
}

async function runBench({
  peers = false,
  set,
  repeat,
  micro,
  races,
  only,
  features,
  plot,
  json,
}: Flags): Promise<void> {
  await checkOutputs('bench', { plot });
  const line = progressLine(1);
  const options = {
    peers,
    set,
    repeats: repeat,
    races: !micro,
    micro: !races,
    only: only?.split(',') ?? [],
    features: features?.split(',').map(numberOption('bench', '--features')) ?? [],
  };
  const result = await interruptible((signal) => bench(options, { signal, say: line.say }).finally(line.clear));
  if (plot) await renderChart(benchChart(result), plot);
  if (json) printJson(result);
  else printBench(result, plot);
}

function printBench(result: Bench, plot: string | undefined): void {
  const { machine, contenders, skipped } = result;
  printLine(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`);
  for (const { name, description } of contenders) printLine(`  ${name}: ${description}`);
  for (const { name, reason } of skipped) printLine(`  ${name} skipped: ${reason}`);
  for (const { title, header, rows, notes } of reportTables(result)) {
    printLine();
    printLine(title);
    printTable(header, rows);
    for (const note of notes) printLine(`  ${note}`);
  }
  if (plot) {
    printLine();
    printLine(`The times are drawn in ${plot}.`);
  }
}
