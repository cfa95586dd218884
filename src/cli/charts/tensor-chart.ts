/**
 * A decomposition as Vega-Lite panels: the weights of its factors, and how each sweep moved them, one line per start.
 */
import type { Progress } from '../../engine/stop.ts';
import type { ChartSpec } from '../../node/chart.ts';
import { CAPTIONED, chart, numbersOf } from './chart.ts';

const PANEL = { width: 330, height: 220 };
const COLOUR = '#4c78a8';
const OTHERS = '#bbb';

/** Draws the weights, and the steps if there are any. */
export function tensorChart(weights: Float64Array, steps: readonly Progress[]): ChartSpec {
  const movements = movementsOf(steps);
  return chart(
    {
      hconcat: [weightsPanel(weights), ...(movements.length > 0 ? [movementPanel(movements)] : [])],
    },
    CAPTIONED,
  );
}

function weightsPanel(weights: Float64Array): ChartSpec {
  return {
    ...PANEL,
    title: 'Weights of the factors',
    data: { values: Array.from(weights, (weight, k) => ({ factor: k + 1, weight })) },
    mark: { type: 'line', color: COLOUR, point: { size: 20 }, strokeWidth: 1 },
    encoding: {
      x: numbersOf('factor', 'factor', { axis: { tickMinStep: 1, grid: false } }),
      y: numbersOf('weight', 'weight', { axis: { format: '~g' } }),
    },
  };
}

interface Movement {
  readonly start: number;
  readonly kept: boolean;
  readonly sweep: number;
  readonly change: number;
}

/** Sweeps are numbered from 1 in every start. A logarithmic axis cannot show those that moved nothing. */
function movementsOf(steps: readonly Progress[]): Movement[] {
  const starts: Progress[][] = [];
  for (const step of steps) {
    if (step.iteration === 1) starts.push([]);
    starts.at(-1)!.push(step);
  }
  const ends = starts.map((sweeps) => sweeps.at(-1)!.objective);
  const kept = ends.indexOf(Math.max(...ends));
  return starts.flatMap((sweeps, start) =>
    sweeps
      .filter(({ change }) => Number.isFinite(change) && change > 0)
      .map(({ iteration, change }) => ({ start, kept: start === kept, sweep: iteration, change })),
  );
}

function movementPanel(movements: readonly Movement[]): ChartSpec {
  const several = movements.some(({ kept }) => !kept);
  return {
    ...PANEL,
    title: several ? 'Sweeps of all starts, the kept one blue' : 'Sweeps',
    data: { values: movements },
    mark: { type: 'line', point: { size: 12 } },
    encoding: {
      x: numbersOf('sweep', 'sweep', { axis: { tickMinStep: 1, grid: false } }),
      y: numbersOf('change', 'root mean square movement', {
        scale: { type: 'log' },
        axis: { format: '.0e', tickCount: 8 },
      }),
      detail: { field: 'start' },
      color: { condition: { test: 'datum.kept', value: COLOUR }, value: OTHERS },
      order: { field: 'sweep' },
    },
  };
}
