/** The missing energy against the number of codes kept as a Vega-Lite chart, a line for each dictionary. */
import type { Evaluation } from '../../metrics/evaluate.ts';
import type { ChartSpec } from '../../node/chart.ts';
import { contestants } from '../commands/evaluation-table.ts';
import { chart, numbersOf } from './chart.ts';

/** Smallest share drawn: anything less is rounding, and would leave no room for the rest. */
const LEAST = 1e-8;

export function evaluationChart(evaluation: Evaluation): ChartSpec {
  const all = contestants(evaluation);
  const values = all.flatMap(([basis, { missing }]) =>
    evaluation.keep.map((k, at) => ({ basis, k, missing: Math.max(LEAST, missing[at]) })),
  );
  return chart({
    title: `Energy missing, ${evaluation.samples} samples`,
    width: 480,
    height: 300,
    data: { values },
    mark: { type: 'line', point: { size: 40 } },
    encoding: {
      x: numbersOf('k', 'codes kept per sample', { scale: { zero: true }, axis: { tickMinStep: 1 } }),
      y: numbersOf('missing', null, { scale: { type: 'log' }, axis: { format: '.3~%', tickCount: 6 } }),
      color: {
        field: 'basis',
        type: 'nominal',
        title: null,
        sort: all.map(([name]) => name),
        legend: { labelLimit: 400 },
      },
    },
  });
}
