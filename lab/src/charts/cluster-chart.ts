/** The benchmark of clusters as a chart. */
import type { ChartSpec } from 'orthodict/node';
import { powerOfTen } from '../report/numbers.ts';
import type { ClusterBench } from '../tasks/cluster/cluster-bench.ts';
import { framed, titleOf } from './look.ts';

/** Efficiency against workers, a panel for every number of features. */
export function clusterChart({ predicted, blockSizes }: ClusterBench): ChartSpec {
  const features = [...new Set(predicted.map((pass) => pass.features))];
  const percentAxis = { format: '.0%', gridOpacity: 0.5 };
  const efficiency = { field: 'efficiency', type: 'quantitative', scale: { domain: [0, 1.02] }, axis: percentAxis };
  const logAxis = { gridOpacity: 0.5, format: '~s', tickCount: 4 };
  const panelTitle = (text: string) => ({ text, anchor: 'start', frame: 'group', fontSize: 11 });
  const strokes = { symbolType: 'stroke', symbolSize: 500, symbolStrokeColor: '#444', symbolStrokeWidth: 1.5 };
  const engines = { domain: ['Redis', 'MPI'], range: ['#d62728', '#1f77b4'] };
  const scaling = (n: number) => ({
    title: panelTitle(`n = ${n}`),
    width: 300,
    height: 200,
    data: {
      values: predicted
        .filter((pass) => pass.features === n)
        .map((pass) => ({
          ...pass,
          data: `${powerOfTen(pass.samples)} samples`,
          efficiency: Math.min(1, pass.efficiency),
        })),
    },
    encoding: {
      x: {
        field: 'workers',
        type: 'quantitative',
        scale: { type: 'log' },
        axis: logAxis,
        title: 'threads on the cluster',
      },
      y: { ...efficiency, title: 'part of the ideal speed' },
      color: { field: 'engine', type: 'nominal', scale: engines, title: null },
    },
    layer: [
      {
        mark: { type: 'line' },
        encoding: { strokeDash: { field: 'data', type: 'nominal', sort: null, title: null, legend: strokes } },
      },
      { mark: { type: 'point', filled: true, size: 18 } },
    ],
  });
  const blocks = (n: number) => ({
    title: panelTitle(`n = ${n}: blocks through Redis, ${powerOfTen(blockSizes[0].samples)} samples`),
    width: 300,
    height: 140,
    data: {
      values: blockSizes
        .filter((size) => size.features === n)
        .map((size) => ({ ...size, threads: `${size.workers} threads` })),
    },
    mark: { type: 'line', point: { size: 18 } },
    encoding: {
      x: {
        field: 'blockSeconds',
        type: 'quantitative',
        scale: { type: 'log' },
        axis: logAxis,
        title: 'seconds of a block',
      },
      y: { ...efficiency, title: 'part of the ideal speed' },
      color: { field: 'threads', type: 'nominal', sort: null, title: null, scale: { scheme: 'viridis' } },
    },
  });
  return framed({
    title: titleOf('A pass on a cluster, by the model'),
    vconcat: [
      { hconcat: features.map(scaling), resolve: { scale: { strokeDash: 'shared', color: 'shared' } } },
      { hconcat: features.map(blocks), resolve: { scale: { color: 'shared' } } },
    ],
    resolve: { scale: { color: 'independent', strokeDash: 'independent' } },
  });
}
