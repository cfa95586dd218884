/** The times of a benchmark as a Vega-Lite bar chart: a panel per data set, a colour per target, seconds on a logarithmic axis. */
import type { ChartSpec } from '../node/chart.ts';
import type { Bench } from './bench.ts';
import { describeSet } from './data-sets.ts';
import { formatSeconds, percent } from './report.ts';

export function benchChart({ races, machine }: Bench): ChartSpec {
  const values = races.flatMap(({ set, results }) =>
    results
      .filter(({ seconds }) => seconds !== null)
      .map(({ contender, target, seconds }) => ({
        data: describeSet(set),
        contender,
        target: `to ${percent(target)}`,
        seconds,
        label: `${formatSeconds(seconds)} s`,
      })),
  );
  const sets = races.map(({ set }) => describeSet(set));
  const contenders = [...new Set(races.flatMap(({ results }) => results.map(({ contender }) => contender)))];
  const targets = [...new Set(values.map(({ target }) => target))];
  const times = values.map(({ seconds }) => seconds as number);
  const floor = 10 ** Math.floor(Math.log10(Math.min(...times, 1)) - 0.01);
  const y = { field: 'contender', type: 'nominal', sort: contenders, title: null, axis: { labelLimit: 300 } };
  const yOffset = { field: 'target', sort: targets };
  const scale = { type: 'log', domainMin: floor, domainMax: 3 * Math.max(...times, floor * 10) };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: {
      text: 'Time to reach a recovery error',
      subtitle: `${machine.cores} cores, ${machine.cpu}`,
      anchor: 'start',
    },
    background: 'white',
    data: { values },
    facet: {
      row: { field: 'data', type: 'nominal', sort: sets, title: null, header: { labelAngle: 0, labelAlign: 'left' } },
    },
    resolve: { scale: { y: 'independent' } },
    spec: {
      width: 480,
      height: { step: 14 },
      layer: [
        {
          mark: { type: 'bar', cornerRadiusEnd: 2 },
          encoding: {
            x: { datum: floor, type: 'quantitative', scale },
            x2: { field: 'seconds' },
          },
        },
        {
          mark: { type: 'text', align: 'left', dx: 4, fontSize: 9 },
          encoding: { text: { field: 'label' }, color: { value: '#333' } },
        },
      ],
      encoding: {
        y,
        yOffset,
        x: { field: 'seconds', type: 'quantitative', scale, title: 'seconds (logarithmic)' },
        color: {
          field: 'target',
          type: 'nominal',
          sort: targets,
          title: null,
          scale: { range: ['#4c78a8', '#f58518'] },
        },
      },
    },
    config: { view: { stroke: '#ddd' }, font: 'DejaVu Sans, Helvetica, Arial, sans-serif' },
  };
}
