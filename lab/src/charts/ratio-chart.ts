/** Ours beside the best other program, a line for every task: the ratio of the scores, and that of the seconds. */
import type { ChartSpec } from 'orthodict/node';
import { describeTask } from '../tasks/models/model-task.ts';
import type { ModelResults } from '../tasks/models/models.ts';
import { framed, titleOf } from './look.ts';

/** Ratios beyond are drawn at the edge: an exact result is infinitely better. */
const LEAST = 0.01;
const MOST = 10;

interface Dot {
  readonly task: string;
  readonly ratio: number;
  readonly met: string;
  readonly label: string;
}

export function ratioChart(models: readonly ModelResults[], subtitle: string): ChartSpec {
  const judged = models.flatMap((model) =>
    model.verdict ? [{ task: describeTask(model), verdict: model.verdict }] : [],
  );
  const dots = (of: 'score' | 'seconds'): Dot[] =>
    judged.map(({ task, verdict }) => ({
      task,
      ratio: Math.min(Math.max(verdict[of], LEAST), MOST),
      met: verdict.met[of] ? 'within the bar' : 'above the bar',
      label: verdict[of] < LEAST ? `< ${LEAST}` : verdict[of].toPrecision(2),
    }));
  return framed({
    title: titleOf('Every model beside its best peer: ours / theirs, left of 1 is better', subtitle),
    hconcat: [panel('error', dots('score'), true), panel('seconds', dots('seconds'), false)],
    resolve: { scale: { color: 'shared', y: 'shared' } },
  });
}

function panel(title: string, dots: readonly Dot[], named: boolean): ChartSpec {
  const scale = { type: 'log', domain: [LEAST / 1.5, MOST * 1.5], nice: false };
  const axis = { values: [0.01, 0.1, 1, 10], format: '~g', gridOpacity: 0.5 };
  const x = { field: 'ratio', type: 'quantitative', scale, axis, title: `${title}, ours / peer` };
  const names = named ? { labelLimit: 0 } : { labels: false, ticks: false };
  const y = {
    field: 'task',
    type: 'nominal',
    sort: null,
    title: null,
    axis: { ...names, grid: true, gridOpacity: 0.3 },
  };
  const colours = { domain: ['within the bar', 'above the bar'], range: ['#4c78a8', '#d62728'] };
  return {
    width: 240,
    height: { step: 17 },
    data: { values: dots },
    layer: [
      { mark: { type: 'rule', color: '#888', strokeDash: [3, 3] }, encoding: { x: { datum: 1 } } },
      {
        mark: { type: 'point', filled: true, size: 60, opacity: 1 },
        encoding: { x, y, color: { field: 'met', type: 'nominal', title: null, scale: colours } },
      },
      {
        mark: { type: 'text', align: 'left', dx: 7, fontSize: 9, color: '#444' },
        encoding: { x, y, text: { field: 'label' } },
      },
    ],
  };
}
