/** Every model beside other programs, as a page of Markdown. */
import type { Bench } from '../tasks/bench.ts';
import { describeTask } from '../tasks/models/model-task.ts';
import type { ModelResults } from '../tasks/models/models.ts';
import { modelTables } from './model-tables.ts';
import { markdownTables } from './table.ts';

/** `chart`: the file of the picture, beside the page. */
export function modelPage({ models, machine, contenders, skipped }: Bench, chart: string | undefined): string {
  const judged = models.flatMap(({ verdict }) => (verdict ? [verdict] : []));
  const count = (of: 'score' | 'seconds') => judged.filter(({ met }) => met[of]).length;
  return [
    '# Every model beside its peers',
    '',
    `In ${count('score')} of ${judged.length} tasks the default of orthodict is as good as the best peer or better, and in ${count('seconds')} it meets the target for time.`,
    ...(chart ? ['', `![Ratios of errors and of seconds, ours over the best peer's, for every task](${chart})`] : []),
    '',
    HOW,
    '',
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}. ${contenders.map(({ name, description }) => `${name}: ${description}.`).join(' ')}`,
    ...skipped.map(({ name, reason }) => `\n${name} was skipped: ${reason}.`),
    '',
    '```text',
    'npm run bench -- --models --peers --page peers.md',
    '```',
    '',
    markdownTables(modelTables(models)).trimEnd(),
    '',
    ...reasonsOf(models),
  ].join('\n');
}

const HOW = `Every round has data of its own, of known truth or with a held-out part. All contenders get the same arrays and return arrays; one number for each task scores them all, smaller is better. orthodict
runs as a library call with default options, unless its name says otherwise, on samples in memory, all of it counted, after a first call that compiles; peers run with their BLAS threads, without start-up and reading. Fits below .3 s are repeated, and the one in the middle counts. "As good": a score of at most 1.005 times that of the peer with the best median, 1.1 times for sources. "In time": at most twice
the seconds of that peer on small data, at most as many on large data.`;

function reasonsOf(models: readonly ModelResults[]): string[] {
  const rows = models.filter(({ verdict }) => verdict && !(verdict.met.score && verdict.met.seconds));
  if (rows.length === 0) return [];
  return [
    '## Where a target is not met',
    '',
    ...rows.map((row) => `- ${describeTask(row)}. ${row.verdict!.reason ?? 'The reason is not known.'}`),
    '',
  ];
}
