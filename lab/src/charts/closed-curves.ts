/** A Vega-Lite chart of closed curves of the plane, with equal units on both axes. */
import type { ChartSpec } from 'orthodict/node';
import { framed, titleOf } from './look.ts';

export interface ClosedCurve {
  readonly label: string;
  /** Points in the order of drawing; the last one is joined to the first. */
  readonly points: ReadonlyArray<readonly [x: number, y: number]>;
}

export interface ClosedCurves {
  readonly title: string;
  readonly subtitle: string;
  readonly x: string;
  readonly y: string;
  readonly curves: readonly ClosedCurve[];
  /** Marked by dots. */
  readonly marks: ReadonlyArray<readonly [x: number, y: number]>;
}

const COLOURS = ['#4c78a8', '#f58518', '#54a24b'];
const SIZE = 380;
/** Space around the curves, as a share of their size. */
const MARGIN = 0.15;

export function closedCurves({ title, subtitle, x, y, curves, marks }: ClosedCurves): ChartSpec {
  const reach = Math.max(...curves.flatMap(({ points }) => points.flat().map(Math.abs))) * (1 + MARGIN);
  const axis = (field: 'x' | 'y', text: string) => ({
    field,
    type: 'quantitative',
    title: text,
    scale: { domain: [-reach, reach], nice: false },
    axis: { gridOpacity: 0.5, tickCount: 5 },
  });
  const color = { domain: curves.map(({ label }) => label), range: COLOURS };
  return framed({
    title: titleOf(title, subtitle),
    width: SIZE,
    height: SIZE,
    layer: [
      {
        data: { values: curves.flatMap(verticesOf) },
        mark: { type: 'line' },
        encoding: {
          x: axis('x', x),
          y: axis('y', y),
          order: { field: 'order', type: 'quantitative' },
          color: { field: 'curve', type: 'nominal', title: null, scale: color, legend: { orient: 'right' } },
        },
      },
      {
        data: { values: marks.map(([atX, atY]) => ({ x: atX, y: atY })) },
        mark: { type: 'point', filled: true, size: 60, color: '#333', opacity: 1 },
        encoding: { x: axis('x', x), y: axis('y', y) },
      },
    ],
    config: { aria: false }, // the caption describes it
  });
}

function verticesOf({ label, points }: ClosedCurve) {
  return [...points, points[0]].map(([x, y], order) => ({ x, y, order, curve: label }));
}
