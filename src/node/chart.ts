/** Draws Vega-Lite charts as SVG or PNG without a browser. The drawing packages are optional and loaded here. */
import { InputError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { requireObject } from '../core/require-matrix.ts';
import { reasonOf } from '../core/warn.ts';
import { writeAtomically } from './io/atomic-write.ts';
import { loadPackages } from './optional-packages.ts';

/** A Vega-Lite specification: https://vega.github.io/vega-lite/docs/spec.html */
export type ChartSpec = Readonly<Record<string, unknown>>;

/** Pixels per chart unit. */
const PNG_SCALE = 2;

/** Draws into a file ending in .svg or .png. */
export async function renderChart(spec: ChartSpec, path: string): Promise<void> {
  requireChartPath(path);
  await writeSvg(path, await chartSvg(spec));
}

/** Writes a drawing to a file ending in .svg, or as a picture to one ending in .png. */
export async function writeSvg(path: string, svg: string, scale = PNG_SCALE): Promise<void> {
  requireChartPath(path);
  await writeAtomically(path, [isPng(path) ? await svgToPng(svg, scale) : new TextEncoder().encode(svg)]);
}

/** Checks the name and the packages for `writeSvg`; call it before a long computation. */
export async function checkSvg(path: string): Promise<void> {
  requireChartPath(path);
  if (isPng(path)) await load(RESVG);
}

/** Checks that the name gives the format and the packages are installed; call it before a long computation. */
export async function checkChart(path: string): Promise<void> {
  requireChartPath(path);
  await load(isPng(path) ? { ...VEGA, ...RESVG } : VEGA);
}

const isPng = (path: string): boolean => /\.png$/i.test(path);

function requireChartPath(path: string): void {
  if (!/\.(svg|png)$/i.test(path)) throw new InputError(`chart: the file must end in .svg or .png; got "${path}".`);
}

/** Returns the chart as the text of an SVG file. */
export async function chartSvg(spec: ChartSpec): Promise<string> {
  requireObject('chartSvg', 'spec', spec, 'a Vega-Lite specification');
  const { vega, 'vega-lite': vegaLite } = await load(VEGA);
  const compile = () => {
    try {
      const input = withPrintableText(spec) as unknown as Parameters<typeof vegaLite.compile>[0];
      return vegaLite.compile(input, { logger: vega.logger(vega.Error) }).spec;
    } catch (error) {
      throw new InputError(`chartSvg: spec must be a Vega-Lite specification; ${reasonOf(error)}.`);
    }
  };
  const compiled = compile();
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logLevel: vega.Error });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Makes texts printable: they may come from outside, such as the words of topics, and an SVG file cannot contain control characters. */
const withPrintableText = (spec: ChartSpec): ChartSpec =>
  JSON.parse(
    JSON.stringify(spec, (_, value) =>
      typeof value === 'string' ? printable(value, Number.POSITIVE_INFINITY) : value,
    ),
  );

async function svgToPng(svg: string, scale: number): Promise<Uint8Array> {
  const { Resvg } = (await load(RESVG))['@resvg/resvg-js'];
  return new Resvg(svg, { fitTo: { mode: 'zoom', value: scale } }).render().asPng();
}

const VEGA = { vega: () => import('vega'), 'vega-lite': () => import('vega-lite') };
const RESVG = { '@resvg/resvg-js': () => import('@resvg/resvg-js') };

const load = <L extends Parameters<typeof loadPackages>[2]>(loaders: L) => loadPackages('chart', 'charts', loaders);
