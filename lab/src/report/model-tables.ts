/** Every model beside other programs, as tables: the verdicts, then every contender. */

import { describeTask } from '../tasks/models/model-task.ts';
import type { ModelResult, ModelResults } from '../tasks/models/models.ts';
import { formatSeconds } from './numbers.ts';
import type { Table } from './table.ts';

export function modelTables(models: readonly ModelResults[]): Table[] {
  const judged = models.filter(({ verdict }) => verdict !== null);
  const groups = [...new Set(models.map(({ group }) => group))];
  return [
    ...(judged.length > 0 ? [verdictTable(judged)] : []),
    ...groups.map((group) =>
      groupTable(
        group,
        models.filter((model) => model.group === group),
      ),
    ),
  ];
}

const formatScore = (score: number | null): string =>
  score === null ? '–' : Math.abs(score) < 1e-3 && score !== 0 ? score.toExponential(1) : score.toPrecision(3);

const formatRatio = (ratio: number): string => (ratio < 0.01 ? ratio.toExponential(0) : ratio.toFixed(2));

function verdictTable(models: readonly ModelResults[]): Table {
  const rows = models.map((model) => {
    const { ours, other, score, seconds, met } = model.verdict!;
    const of = (name: string) => model.results.find((result) => result.name === name)!;
    return [
      describeTask(model),
      formatScore(of(ours).score),
      formatScore(of(other).score),
      other,
      formatRatio(score),
      met.score ? 'yes' : 'no',
      formatSeconds(of(ours).seconds),
      formatSeconds(of(other).seconds),
      formatRatio(seconds),
      `${met.seconds ? 'yes' : 'no'} (≤ ${model.timeBar})`,
    ];
  });
  return {
    title: 'The default of every model and the peer with the best score; smaller is better, medians over the rounds',
    header: ['data', 'ours', 'peer', 'which', '/ peer', 'as good', 's', 'peer s', '/ peer', 'in time'],
    rows,
    notes: [],
  };
}

function groupTable(group: string, models: readonly ModelResults[]): Table {
  const range = ({ scores }: ModelResult) =>
    scores.length < 2 ? '' : `${formatScore(Math.min(...scores))} to ${formatScore(Math.max(...scores))}`;
  const rows = models.flatMap(({ data, objective, results }) =>
    results.map((result, k) => [
      k === 0 ? `${data}: ${objective}` : '',
      result.name,
      formatScore(result.score),
      range(result),
      formatSeconds(result.seconds),
      String(result.scores.length),
    ]),
  );
  return {
    title: group,
    header: ['data: score', 'contender', 'median', 'range', 'seconds', 'rounds'],
    rows,
    notes: models.flatMap(({ data, results }) =>
      results.flatMap(({ name, reason }) => (reason ? [`${data}, ${name}: ${reason}`] : [])),
    ),
  };
}
