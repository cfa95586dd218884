/** An experiment that adds: a + b + seed. */
import { lineChart } from '#lab/charts/line-chart.ts';
import { below, mostly, near } from '#lab/experiments/framework/claims.ts';
import { trend } from '#lab/experiments/framework/curve-claims.ts';
import { type Experiment, pointsOf } from '#lab/experiments/framework/experiment.ts';
import { cellsOf } from '#lab/experiments/framework/summary.ts';

const references = [{ point: { a: 1 }, measure: 'sum', value: 5 }];

export function sumExperiment(onTrial: () => void = () => {}, onDraw: () => void = () => {}): Experiment {
  return {
    name: 'sums',
    group: 'adding',
    title: 'Sums of | numbers',
    source: 'Anyone, figure 0',
    setting: ['Numbers are added.'],
    parameters: ['a', 'b'],
    measures: [
      { name: 'sum', label: 'the sum' },
      { name: 'absent', label: 'who is not here' },
    ],
    full: { points: pointsOf({ a: [1, 2], b: [3] }), trials: 2, words: 'Everything.' },
    quick: { points: pointsOf({ a: [1], b: [3] }), trials: 1, words: 'Less.' },
    async trial({ a, b }, seed) {
      onTrial();
      return { sum: a + b + seed };
    },
    charts: (summary) => [
      {
        caption: 'Sums',
        spec: lineChart({
          title: 'Sums',
          subtitle: 'of numbers',
          along: 'a',
          x: 'a',
          y: 'sum',
          panels: [{ lines: [{ colour: 'sum', cells: cellsOf(summary, 'sum') }] }],
        }),
      },
    ],
    galleries: [
      {
        suffix: '-seen',
        caption: 'A sum as a grey',
        draw: async ([{ measured }]) => {
          onDraw();
          return { width: 1, height: 1, pixels: Uint8Array.of(measured.sum!) };
        },
      },
    ],
    claims: [
      trend('It grows.', 'sum', 'a', 'rises'),
      trend('It falls.', 'sum', 'a', 'falls'),
      near('It is near.', references, 0.1),
      mostly('It is small.', 'sum', 6, 0.9),
      below('It is below who is not here.', 'sum', ['absent']),
    ],
    references,
    referenceWords: 'Counted by hand.',
    compared: { paper: 'sum', ours: 'sum' },
  };
}
