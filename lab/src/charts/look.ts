/** What all charts have in common. */
import type { ChartSpec } from 'orthodict/node';

/** The title of a chart, with smaller lines below. */
export const titleOf = (text: string, subtitle?: string | readonly string[]) => ({
  text,
  ...(subtitle !== undefined && { subtitle }),
  anchor: 'start',
  offset: 10,
  subtitleColor: '#555',
});

/** A chart on white, with the fonts of all others. */
export const framed = ({ config, ...chart }: ChartSpec): ChartSpec => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  background: 'white',
  padding: 12,
  ...chart,
  config: { view: { stroke: '#ddd' }, font: 'DejaVu Sans, Helvetica, Arial, sans-serif', ...(config as object) },
});
