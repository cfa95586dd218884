/** What all charts share: their look, and axes of numbers. */
import type { ChartSpec } from '../../node/chart.ts';

/** Makes a chart of its content. */
export const chart = (content: ChartSpec, config: ChartSpec = {}): ChartSpec => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  background: 'white',
  ...content,
  config: { view: { stroke: '#ddd' }, font: 'DejaVu Sans, Helvetica, Arial, sans-serif', ...config },
});

/** Settings of charts that their caption describes: no aria labels. */
export const CAPTIONED: ChartSpec = { aria: false };

/** Shows a field of numbers along an axis. */
export const numbersOf = (field: string, title: string | null, more: ChartSpec = {}): ChartSpec => ({
  field,
  type: 'quantitative',
  title,
  ...more,
});
