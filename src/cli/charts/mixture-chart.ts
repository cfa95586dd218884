/** Samples and means of a mixture as a Vega-Lite scatter plot, in the two directions in which the means differ most. */
import { type Matrix, type Matrix64, row, toFloat64, zeros } from '../../core/matrix.ts';
import { eigh } from '../../linalg/eigh.ts';
import type { MixtureResult } from '../../models/mixtures/learn-mixture.ts';
import type { ChartSpec } from '../../node/chart.ts';
import { chart, numbersOf } from './chart.ts';

/** Largest number of points: more would only cover each other and make the file slow to draw. */
export const MOST_POINTS = 3000;

/** The part of a mixture that is drawn, with the labels of at most {@link MOST_POINTS} samples. */
type Found = Pick<MixtureResult, 'means' | 'weights' | 'labels'>;

export function mixtureChart(samples: Matrix, { means, weights, labels }: Found): ChartSpec {
  const place = projection(means, weights);
  const X = toFloat64(samples);
  const points = Array.from({ length: X.rows }, (_, at) => ({ ...place(row(X, at)), cluster: labels[at] }));
  const centres = Array.from(weights, (_, k) => ({ ...place(row(means, k)), cluster: k }));
  const axis = (field: string, title: string) => numbersOf(field, title, { scale: { zero: false } });
  const position = { x: axis('x', 'first direction of the means'), y: axis('y', 'second direction') };
  const layer = (values: object[], mark: object, encoding: object) => ({
    data: { values },
    mark,
    encoding: { ...position, ...encoding },
  });
  const label = { type: 'text', fontSize: 15, fontWeight: 'bold' };
  return chart({
    width: 520,
    height: 420,
    layer: [
      layer(points, { type: 'circle', size: 14, opacity: 0.6 }, { color: clusterColour(weights.length) }),
      layer(centres, { ...label, stroke: 'white', strokeWidth: 4 }, { text: { field: 'cluster' } }),
      layer(centres, { ...label, color: 'black' }, { text: { field: 'cluster' } }),
    ],
  });
}

const clusterColour = (clusters: number) => ({
  field: 'cluster',
  type: 'nominal',
  title: 'cluster',
  scale: { scheme: clusters <= 10 ? 'tableau10' : 'tableau20' },
});

/** Coordinates along the two first eigenvectors of Σ w_k (μ_k − μ)(μ_k − μ)ᵀ. */
function projection({ rows: k, cols: d, data }: Matrix64, weights: Float64Array) {
  const centre = new Float64Array(d);
  for (let at = 0; at < k * d; at++) centre[at % d] += weights[Math.floor(at / d)] * data[at];
  const scatter = zeros(d, d);
  for (let i = 0; i < k; i++) {
    for (let a = 0; a < d; a++) {
      const left = weights[i] * (data[i * d + a] - centre[a]);
      for (let b = 0; b < d; b++) scatter.data[a * d + b] += left * (data[i * d + b] - centre[b]);
    }
  }
  const { vectors } = eigh(scatter);
  const along = (direction: Float64Array, sample: Float64Array) =>
    direction.reduce((sum, value, c) => sum + value * (sample[c] - centre[c]), 0);
  return (sample: Float64Array) => ({ x: along(row(vectors, 0), sample), y: along(row(vectors, 1), sample) });
}
