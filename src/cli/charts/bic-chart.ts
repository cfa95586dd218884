/** BIC over the number of clusters as a Vega-Lite line, the smallest marked. */
import type { TriedClusters } from '../../models/mixtures/choose-clusters.ts';
import type { ChartSpec } from '../../node/chart.ts';
import { CAPTIONED, chart, numbersOf } from './chart.ts';

const COLOUR = '#4c78a8';
const KEPT = '#e45756';

export function bicChart(tried: readonly TriedClusters[]): ChartSpec {
  const values = tried.flatMap(({ clusters, bic }) => (bic === undefined ? [] : [{ clusters, bic }]));
  const least = values.reduce((best, value) => (value.bic < best.bic ? value : best));
  const encoding = {
    x: numbersOf('clusters', 'clusters', {
      axis: { tickMinStep: 1, grid: false, format: 'd' },
      scale: { zero: false },
    }),
    y: numbersOf('bic', 'BIC', { axis: { format: ',~r' }, scale: { zero: false } }),
  };
  const label = { text: { value: `${least.clusters}` } };
  return chart(
    {
      width: 420,
      height: 280,
      title: `The smallest BIC has ${least.clusters} ${least.clusters === 1 ? 'cluster' : 'clusters'}`,
      layer: [
        { data: { values }, mark: { type: 'line', color: COLOUR, point: { size: 36, color: COLOUR } }, encoding },
        { data: { values: [least] }, mark: { type: 'point', color: KEPT, size: 140, strokeWidth: 2 }, encoding },
        {
          data: { values: [least] },
          mark: { type: 'text', dy: -16, color: KEPT, fontSize: 13, fontWeight: 'bold' },
          encoding: { ...encoding, ...label },
        },
      ],
    },
    CAPTIONED,
  );
}
