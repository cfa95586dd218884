/** Histogram of the codes, compared with that of numbers without structure. */
import type { CodeHistogram } from '../../session/jobs/data/codes.ts';

/** The density of the normal distribution. */
const normal = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

export function histogramChart({ from, share, width }: CodeHistogram) {
  const bars = from.map((at, k) => ({ from: at, to: at + width, share: share[k] }));
  const line = from.map((at) => ({ middle: at + width / 2, share: width * normal(at + width / 2) }));
  const y = {
    field: 'share',
    type: 'quantitative',
    title: 'share of the codes',
    axis: { format: '.0%', tickCount: 4 },
  };
  return {
    width: 'container',
    height: 200,
    layer: [
      {
        data: { values: bars.map((bar) => ({ ...bar, what: 'codes' })) },
        mark: { type: 'bar', binSpacing: 1 },
        encoding: {
          x: {
            field: 'from',
            type: 'quantitative',
            bin: { binned: true, step: width },
            title: 'size of a code',
            axis: { values: [-3, -2, -1, 0, 1, 2, 3], grid: false, format: 'd' },
          },
          x2: { field: 'to' },
          y,
          color: { field: 'what', type: 'nominal' },
        },
      },
      {
        data: { values: line.map((point) => ({ ...point, what: 'without structure' })) },
        mark: { type: 'line', strokeWidth: 2, strokeDash: [5, 3] },
        encoding: {
          x: { field: 'middle', type: 'quantitative' },
          y,
          color: {
            field: 'what',
            type: 'nominal',
            sort: ['codes', 'without structure'],
            scale: { domain: ['codes', 'without structure'] },
            legend: { title: null, orient: 'top' },
          },
        },
      },
    ],
  };
}
