/** Draws Vega-Lite charts on a canvas. Expressions are interpreted: the page's policy forbids making code from text. */
import { parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';

export async function draw(spec: object, frame: HTMLElement): Promise<View> {
  const runtime = parse(compile(spec as TopLevelSpec).spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: 'canvas', container: frame, hover: false });
  return view.runAsync();
}
