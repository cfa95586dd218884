/** Times to a recovery error as bars: a panel per data set, a colour per target, seconds on a logarithmic axis. */
import type { ChartSpec } from 'orthodict/node';
import { formatSeconds, percent } from '../report/numbers.ts';
import { describeSet } from '../tasks/recovery/data-sets.ts';
import type { Recovery } from '../tasks/recovery/recovery.ts';
import { framed, titleOf } from './look.ts';

interface Bar {
  readonly contender: string;
  readonly target: string;
  readonly seconds: number;
  readonly label: string;
}

export function barChart(recovery: readonly Recovery[], subtitle: string): ChartSpec {
  const panels = recovery.map((one) => ({ title: describeSet(one.set), bars: barsOf(one) }));
  const times = panels.flatMap(({ bars }) => bars.map(({ seconds }) => seconds));
  const lowest = Math.min(...times, 1);
  const highest = Math.max(...times, lowest * 10);
  const domain = [10 ** Math.floor(Math.log10(lowest)), 2 * highest]; // room for labels on the right
  return framed({
    title: titleOf('Time to reach a recovery error, median of the rounds', subtitle),
    vconcat: panels.map(({ title, bars }) => panel(title, bars, domain)),
    resolve: { scale: { color: 'shared' } },
  });
}

function barsOf({ results }: Recovery): Bar[] {
  return results.flatMap(({ contender, target, medianSeconds: seconds }) =>
    seconds === null
      ? []
      : [{ contender, target: `to ${percent(target)}`, seconds, label: `${formatSeconds(seconds)} s` }],
  );
}

function panel(title: string, bars: readonly Bar[], domain: readonly number[]): ChartSpec {
  const scale = { type: 'log', domain, nice: false };
  const axis = { tickCount: 5, gridOpacity: 0.5, format: '~g' };
  return {
    title: { text: title, anchor: 'start', frame: 'group', fontSize: 11 },
    width: 480,
    height: { step: 14 },
    data: { values: bars },
    encoding: {
      y: { field: 'contender', type: 'nominal', sort: null, title: null, axis: { labelLimit: 0 } },
      yOffset: { field: 'target', sort: null },
      x: { field: 'seconds', type: 'quantitative', scale, axis, title: 'seconds (logarithmic)' },
    },
    layer: [
      {
        mark: { type: 'bar', cornerRadiusEnd: 2 },
        encoding: {
          x2: { datum: domain[0] },
          color: {
            field: 'target',
            type: 'nominal',
            sort: null,
            title: null,
            scale: { range: ['#4c78a8', '#f58518'] },
          },
        },
      },
      { mark: { type: 'text', align: 'left', dx: 4, fontSize: 9 }, encoding: { text: { field: 'label' } } },
    ],
  };
}
