/** The missing energy against the number of codes kept as a Vega-Lite chart, a line for each dictionary. */
import type { Evaluation } from '../../metrics/evaluate.ts';
import type { ChartSpec } from '../../node/chart.ts';
import { contestants } from '../commands/evaluation-table.ts';

/** Smallest share drawn: anything less is rounding, and would leave no room for the rest. */
const LEAST = 1e-8;

export function evaluationChart(evaluation: Evaluation): ChartSpec {
  const all = contestants(evaluation);
  const values = all.flatMap(([basis, { missing }]) =>
    evaluation.keep.map((k, at) => ({ basis, k, missing: Math.max(LEAST, missing[at]) })),
  );
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'white',
    title: `Energy missing, ${evaluation.samples} samples`,
    width: 480,
    height: 300,
    data: { values },
    mark: { type: 'line', point: { size: 40 } },
    encoding: {
      x: {
        field: 'k',
        type: 'quantitative',
        title: 'codes kept per sample',
        scale: { zero: true },
        axis: { tickMinStep: 1 },
      },
      y: {
        field: 'missing',
        type: 'quantitative',
        title: null,
        scale: { type: 'log' },
        axis: { format: '.3~%', tickCount: 6 },
      },
      color: {
        field: 'basis',
        type: 'nominal',
        title: null,
        sort: all.map(([name]) => name),
        legend: { labelLimit: 400 },
      },
    },
    config: { view: { stroke: '#ddd' }, font: 'DejaVu Sans, Helvetica, Arial, sans-serif' },
  };
}
