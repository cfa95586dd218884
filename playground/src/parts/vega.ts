/** Draws Vega-Lite charts on a canvas. Expressions are interpreted: the page's policy forbids making code from text. */
import { parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';

/** A chart as an .svg file, dark on white. */
export async function drawSvg(spec: object): Promise<Blob> {
  const runtime = parse(compile({ background: 'white', ...spec } as TopLevelSpec).spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: 'none' });
  const text = await view.toSVG();
  view.finalize();
  return new Blob([text], { type: 'image/svg+xml' });
}

export async function draw(spec: object, frame: HTMLElement): Promise<View> {
  const runtime = parse(compile(spec as TopLevelSpec).spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: 'canvas', container: frame, hover: false });
  return view.runAsync();
}
