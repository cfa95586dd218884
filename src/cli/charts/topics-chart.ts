/** Topics as Vega-Lite bars: a panel per topic with its own axis, a bar per word. */
import type { ChartSpec } from '../../node/chart.ts';
import { CAPTIONED, chart, numbersOf } from './chart.ts';

export interface ShownTopic {
  /** Share of all words that belong to the topic. */
  readonly weight: number;
  /** The words to show, most probable first. */
  readonly words: readonly { readonly word: string; readonly probability: number }[];
}

const COLUMNS = 4;
/** Space in pixels for the words next to the bars, and for axis and title between rows. */
const SPACING = { column: 100, row: 62 };
/** Longest word shown in full; letter widths are overestimated. */
const WIDEST_WORD = 120;

export function topicsChart(topics: readonly ShownTopic[]): ChartSpec {
  return chart(
    {
      title: {
        text: 'The most probable words of every topic',
        subtitle: 'above the bars: the share of all words that belong to the topic',
        anchor: 'start',
        offset: 12,
      },
      columns: COLUMNS,
      bounds: 'flush',
      spacing: SPACING,
      concat: topics.map(panel),
    },
    { ...CAPTIONED, view: { stroke: null } },
  );
}

function panel({ weight, words }: ShownTopic): ChartSpec {
  return {
    title: { text: `${(100 * weight).toFixed(1)} %`, fontSize: 11, anchor: 'start', frame: 'group' },
    width: 106,
    height: { step: 13 },
    data: { values: words.map(({ word, probability }, rank) => ({ rank, word, probability })) },
    mark: { type: 'bar', color: '#4c78a8' },
    encoding: {
      y: {
        field: 'word',
        type: 'nominal',
        sort: { field: 'rank' },
        title: null,
        axis: { labelLimit: WIDEST_WORD, ticks: false, domain: false },
      },
      x: numbersOf('probability', 'probability', {
        scale: { nice: false },
        axis: { format: '~%', tickCount: 2, titleFontWeight: 'normal', grid: false, labelFlush: false },
      }),
    },
  };
}
