/** Draws Vega-Lite charts on a canvas. Expressions are interpreted, because the page's policy forbids code from text. */
import { parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';

/** Pauses between two long steps, so that the page stays responsive. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function runtimeOf(spec: object) {
  const { spec: compiled } = compile(spec as TopLevelSpec);
  await pause();
  const runtime = parse(compiled, undefined, { ast: true });
  await pause();
  return runtime;
}

/** Draws a chart; returns undefined if it is no longer wanted when everything is ready. */
export async function draw(spec: object, frame: HTMLElement, isWanted: () => boolean): Promise<View | undefined> {
  await pause();
  const runtime = await runtimeOf(spec);
  if (!isWanted()) return undefined;
  const view = new View(runtime, { expr: expressionInterpreter, renderer: 'canvas', container: frame, hover: false });
  return view.runAsync();
}

/** Draws a chart as an .svg file, dark on white. */
export async function drawSvg(spec: object): Promise<Blob> {
  const runtime = await runtimeOf({ background: 'white', ...spec });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: 'none' });
  const text = await view.toSVG();
  view.finalize();
  return new Blob([text], { type: 'image/svg+xml' });
}
