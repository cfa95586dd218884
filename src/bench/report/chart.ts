/** Everything that a benchmark has to draw, in one picture: times, recovery, real data, as far as they were measured. */
import type { ChartSpec } from '../../node/files/chart.ts';
import type { Bench } from '../bench.ts';
import { barChart } from './bar-chart.ts';
import { realChart, recoveryChart } from './curve-chart.ts';

export function benchChart({ races, real, machine }: Pick<Bench, 'races' | 'real' | 'machine'>): ChartSpec {
  const words = `${machine.cores} cores, ${machine.cpu}`;
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'white',
    padding: 12,
    spacing: 40,
    vconcat: [
      ...(races.length > 0 ? [barChart(races, words), recoveryChart(races, words)] : []),
      ...(real.length > 0 ? [realChart(real, words)] : []),
    ],
    resolve: { scale: { color: 'independent', shape: 'independent' } },
    config: { view: { stroke: '#ddd' }, font: 'DejaVu Sans, Helvetica, Arial, sans-serif' },
  };
}
