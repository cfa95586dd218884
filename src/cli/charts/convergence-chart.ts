/**
 * The convergence of a run as Vega-Lite panels: the objective while exploring, and how far each step moved the atoms.
 */
import type { Progress } from '../../engine/stop.ts';
import type { ChartSpec } from '../../node/chart.ts';
import { chart, numbersOf } from './chart.ts';

export function convergenceChart(steps: readonly Progress[]): ChartSpec {
  const values = steps.map(({ solver, objective, change }, i) => ({ step: i + 1, stage: solver, objective, change }));
  const exploring = values.filter(({ stage }) => stage === values[0]?.stage);
  const x = numbersOf('step', 'iteration', { axis: { tickMinStep: 1 } });
  const panel = (data: typeof values, title: string, y: object) => ({
    title,
    width: 480,
    height: 180,
    data: { values: data.filter(({ change }) => Number.isFinite(change) && change > 0) },
    mark: { type: 'line', point: { size: 20 } },
    encoding: { x, y, color: { field: 'stage', type: 'nominal', title: 'stage', sort: null } },
  });
  return chart({
    vconcat: [
      panel(exploring, 'Objective', numbersOf('objective', null, { scale: { zero: false }, axis: { format: '.3~s' } })),
      panel(
        values,
        'Movement of the atoms in a step',
        numbersOf('change', null, { scale: { type: 'log' }, axis: { format: '.0e', tickCount: 8 } }),
      ),
    ],
    resolve: { scale: { color: 'shared' } },
  });
}
