/** The matches of all models as tables: how each ended, then every contender. */

import type { ModelRace, PlayerResult } from '../tasks/models/model-race.ts';
import { formatSeconds } from './numbers.ts';
import type { Table } from './table.ts';

export function modelTables(races: readonly ModelRace[]): Table[] {
  const judged = races.filter(({ verdict }) => verdict !== null);
  const groups = [...new Set(races.map(({ group }) => group))];
  return [
    ...(judged.length > 0 ? [verdictTable(judged)] : []),
    ...groups.map((group) =>
      groupTable(
        group,
        races.filter((race) => race.group === group),
      ),
    ),
  ];
}

const formatScore = (score: number | null): string =>
  score === null ? '–' : Math.abs(score) < 1e-3 && score !== 0 ? score.toExponential(1) : score.toPrecision(3);

const formatRatio = (ratio: number): string => (ratio < 0.01 ? ratio.toExponential(0) : ratio.toFixed(2));

function verdictTable(races: readonly ModelRace[]): Table {
  const rows = races.map(({ group, data, results, verdict, timeBar }) => {
    const { ours, peer, score, seconds, met } = verdict!;
    const of = (name: string) => results.find((result) => result.name === name)!;
    return [
      `${group}: ${data}`,
      formatScore(of(ours).score),
      formatScore(of(peer).score),
      peer,
      formatRatio(score),
      met.score ? 'yes' : 'no',
      formatSeconds(of(ours).seconds),
      formatSeconds(of(peer).seconds),
      formatRatio(seconds),
      `${met.seconds ? 'yes' : 'no'} (≤ ${timeBar})`,
    ];
  });
  return {
    title: 'The default of every model and the peer with the best score; smaller is better, medians over the games',
    header: ['data', 'ours', 'peer', 'which', '/ peer', 'as good', 's', 'peer s', '/ peer', 'in time'],
    rows,
    notes: [],
  };
}

function groupTable(group: string, races: readonly ModelRace[]): Table {
  const range = ({ scores }: PlayerResult) =>
    scores.length < 2 ? '' : `${formatScore(Math.min(...scores))} to ${formatScore(Math.max(...scores))}`;
  const rows = races.flatMap(({ data, objective, results }) =>
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
    header: ['data: score', 'contender', 'median', 'range', 'seconds', 'games'],
    rows,
    notes: races.flatMap(({ data, results }) =>
      results.flatMap(({ name, reason }) => (reason ? [`${data}, ${name}: ${reason}`] : [])),
    ),
  };
}
