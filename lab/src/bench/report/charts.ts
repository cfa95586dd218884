/** What a benchmark has to draw: times, recovery, real data, models beside their peers, as far as they were measured. */
import type { ChartSpec } from 'orthodict/node';
import type { Bench } from '../bench.ts';
import { modelChart } from '../models/chart.ts';
import { barChart } from './bar-chart.ts';
import { realChart, recoveryChart } from './curve-chart.ts';

/** By name, for the names of files. */
export function benchCharts({ races, real, models, machine }: Pick<Bench, 'races' | 'real' | 'models' | 'machine'>) {
  const words = `${machine.cores} cores, ${machine.cpu}`;
  const charts: Record<string, ChartSpec> = {};
  if (races.length > 0) {
    charts.times = finished(barChart(races, words));
    charts.recovery = finished(recoveryChart(races, words));
  }
  if (real.length > 0) charts.real = finished(realChart(real, words));
  if (models.some(({ verdict }) => verdict)) charts.models = finished(modelChart(models, words));
  return charts;
}

/** What all charts have in common. */
export const finished = (chart: ChartSpec): ChartSpec => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  background: 'white',
  padding: 12,
  ...chart,
  config: { view: { stroke: '#ddd' }, font: 'DejaVu Sans, Helvetica, Arial, sans-serif' },
});
