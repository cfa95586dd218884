/** What a benchmark has to draw: times, recovery, real data, models beside their peers, as far as they were measured. */
import type { ChartSpec } from 'orthodict/node';
import type { Bench } from '../tasks/bench.ts';
import { barChart } from './bar-chart.ts';
import { realChart, recoveryChart } from './curve-chart.ts';
import { modelChart } from './ratio-chart.ts';

/** By name, for the names of files. */
export function benchCharts({ races, real, models, machine }: Pick<Bench, 'races' | 'real' | 'models' | 'machine'>) {
  const words = `${machine.cores} cores, ${machine.cpu}`;
  const charts: Record<string, ChartSpec> = {};
  if (races.length > 0) {
    charts.times = barChart(races, words);
    charts.recovery = recoveryChart(races, words);
  }
  if (real.length > 0) charts.real = realChart(real, words);
  if (models.some(({ verdict }) => verdict)) charts.models = modelChart(models, words);
  return charts;
}
