/** What a benchmark has to draw: times, recovery, real data, models beside other programs, as far as they were measured. */
import type { ChartSpec } from 'orthodict/node';
import type { Bench } from '../tasks/bench.ts';
import { barChart } from './bar-chart.ts';
import { realChart, recoveryChart } from './curve-chart.ts';
import { ratioChart } from './ratio-chart.ts';

/** The charts by the name that their file gets. */
export function benchCharts({
  recovery,
  real,
  models,
  machine,
}: Pick<Bench, 'recovery' | 'real' | 'models' | 'machine'>) {
  const words = `${machine.cores} cores, ${machine.cpu}`;
  const charts: Record<string, ChartSpec> = {};
  if (recovery.length > 0) {
    charts.times = barChart(recovery, words);
    charts.recovery = recoveryChart(recovery, words);
  }
  if (real.length > 0) charts.real = realChart(real, words);
  if (models.some(({ verdict }) => verdict)) charts.models = ratioChart(models, words);
  return charts;
}
