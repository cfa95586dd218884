import { chartSvg } from 'orthodict/node';
import { expect, it } from 'vitest';
import { heatMap } from '#lab/charts/heat-map.ts';
import type { Cell } from '#lab/experiments/framework/summary.ts';

const cell = (a: number, b: number, ...values: number[]): Cell => ({
  point: { a, b },
  measure: 'error',
  values: Float64Array.from(values),
  median: Number.NaN, // only the mean counts
  low: Number.NaN,
  high: Number.NaN,
});

const map = heatMap({
  title: 'Errors',
  subtitle: 'of someone',
  across: 'a',
  x: 'the a',
  up: 'b',
  y: 'the b',
  colour: 'mean error',
  dotted: 0.1,
  panels: [
    { title: 'first', cells: [cell(2, 20, 0, 1), cell(2, 3, 1), cell(10, 20, 0.05, 0.1), cell(10, 3, 0.2)] },
    { title: 'second', cells: [cell(2, 20, 0)] },
  ],
});

it('has the mean of every cell, in numerical order, with large b on top', () => {
  const [first, second] = map.hconcat as {
    data: { values: unknown[] };
    encoding: Record<'x' | 'y', { sort: string[] }>;
  }[];
  expect(first.data.values[0]).toEqual({ x: '2', y: '20', mean: 0.5 });
  expect(second.data.values).toEqual([{ x: '2', y: '20', mean: 0 }]);
  expect([first.encoding.x.sort, first.encoding.y.sort]).toEqual([
    ['2', '10'],
    ['20', '3'],
  ]);
});

it('draws large errors red, small ones blue, and a dot where the error is small enough', async () => {
  const svg = await chartSvg(map);
  const fills = [...svg.matchAll(/fill="rgb\((\d+), ?(\d+), ?(\d+)\)"/g)].map(([, r, , b]) => ({
    r: Number(r),
    b: Number(b),
  }));
  expect(fills).toHaveLength(5);
  expect(fills[1].r).toBeGreaterThan(fills[1].b); // the cell with mean 1
  expect(fills[4].b).toBeGreaterThan(fills[4].r); // the one with 0
  expect(svg.match(/fill="white"[^>]*stroke-width="2"|fill="white" opacity="1"/g)?.length).toBe(2);
});

it('draws a line at its height between the centres of the rows', async () => {
  const curves = [{ up: (a: number) => (a === 2 ? 3 : 11.5), dashed: true }];
  const panels = [{ title: 'only', cells: [cell(2, 20, 0), cell(2, 3, 1), cell(10, 20, 0), cell(10, 3, 0)] }];
  const words = { title: 't', subtitle: 's', across: 'a', x: 'a', up: 'b', y: 'b', colour: 'c' };
  const svg = await chartSvg(heatMap({ ...words, dotted: 0.1, panels, curves }));
  const [, path] = svg.match(/d="(M[^"]*)"[^>]*stroke-dasharray="5,3"/) ?? [];
  expect(path).toBe('M22,66L66,44'); // rows of 44 pixels: the centre of the lower one, and the edge between the two
});
