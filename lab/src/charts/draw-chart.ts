/** Draws a chart into a file. SVG files lose what a picture in a page does not need: two thirds of their bytes. */
import { type ChartSpec, chartSvg, renderChart } from 'orthodict/node';
import { writeWhole } from '../files.ts';

export async function drawChart(spec: ChartSpec, path: string): Promise<void> {
  if (!/\.svg$/i.test(path)) return renderChart(spec, path);
  const { optimize } = await import('svgo');
  const attrs = ['aria-.*', 'role', 'class'];
  const plugins = ['preset-default' as const, { name: 'removeAttrs' as const, params: { attrs } }];
  await writeWhole(path, optimize(await chartSvg(spec), { multipass: true, floatPrecision: 1, plugins }).data);
}
