/** Charts of closed curves. */
import { expect, it } from 'vitest';
import { closedCurves } from '#lab/charts/closed-curves.ts';

interface Layer {
  readonly data: { readonly values: ReadonlyArray<{ x: number; y: number; curve?: string }> };
  readonly encoding: Record<'x' | 'y', { readonly scale: { readonly domain: readonly number[] } }>;
}

it('closes every curve, and has the same units on both axes', () => {
  const triangle = [
    [0, 2],
    [1, -1],
    [-1, -1],
  ] as const;
  const { layer, width, height } = closedCurves({
    title: '',
    subtitle: '',
    x: 'x',
    y: 'y',
    curves: [{ label: 'triangle', points: triangle }],
    marks: [[0, 0]],
  }) as unknown as { layer: readonly Layer[]; width: number; height: number };
  const [curve, marks] = layer;
  expect(curve.data.values).toHaveLength(4);
  expect(curve.data.values.at(-1)).toMatchObject({ x: 0, y: 2 });
  expect(marks.data.values).toEqual([{ x: 0, y: 0 }]);
  expect(width).toBe(height);
  expect(curve.encoding.x.scale.domain).toEqual(curve.encoding.y.scale.domain);
  expect(curve.encoding.x.scale.domain[1]).toBeGreaterThan(2);
});
