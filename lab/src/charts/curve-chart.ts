/** How good a contender's dictionaries were at which time: a panel per data set, a line per contender. */
import type { ChartSpec } from 'orthodict/node';
import type { RealResults } from '../tasks/real/real.ts';
import { describeRealSet } from '../tasks/real/real-sets.ts';
import { describeSet } from '../tasks/recovery/data-sets.ts';
import type { Recovery } from '../tasks/recovery/recovery.ts';
import { framed, titleOf } from './look.ts';

interface Point {
  readonly contender: string;
  readonly seconds: number;
  readonly value: number;
}

interface Panel {
  readonly title: string;
  readonly points: readonly Point[];
  /** The axis of the values. */
  readonly y: object;
  /** A horizontal line. */
  readonly rule?: number;
}

interface CurveChart {
  readonly title: string;
  readonly subtitle: readonly string[];
  readonly yTitle: string;
  readonly panels: readonly Panel[];
}

/** Errors below this are exact for the eye, and drawn here. */
const FLOOR = 1e-12;

export function recoveryChart(recovery: readonly Recovery[], machine: string): ChartSpec {
  const scale = { type: 'log', domain: [FLOOR, 1], nice: false, clamp: true };
  const axis = { values: [1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, FLOOR], format: '.0e', gridOpacity: 0.5 };
  return curveChart({
    title: 'Recovery error of a planted dictionary against time',
    subtitle: [
      'The run in the middle of the rounds; orthodict: one to 0.5 % and one to 1e-10.',
      `Errors below ${FLOOR} are drawn there.`,
      machine,
    ],
    yTitle: 'recovery error |1 − g|',
    panels: recovery.map(({ set, curves }) => ({
      title: describeSet(set),
      y: { scale, axis },
      points: curves.flatMap(({ contender, marks }) =>
        thinned(marks).map(({ seconds, score }) => ({ contender, seconds, value: Math.max(score, FLOOR) })),
      ),
    })),
  });
}

/** Marks whose times differ by less than this factor look the same in the chart. */
const APART = 1.1;

/** The first mark, the last one, and what is apart from the one before. */
function thinned<M extends { readonly seconds: number }>(marks: readonly M[]): M[] {
  const kept: M[] = [];
  for (const mark of marks) {
    if (mark === marks.at(-1) || !(mark.seconds < APART * (kept.at(-1)?.seconds ?? 0))) kept.push(mark);
  }
  return kept;
}

/** Residuals up to this multiple of the reference's are shown. */
const HIGHEST = 1.4;

export function realChart(real: readonly RealResults[], machine: string): ChartSpec {
  const kept = [...new Set(real.map(({ set }) => set.kept))].join(' or ');
  return curveChart({
    title: `Energy missing when held-out samples keep ${kept} codes, against time to learn`,
    subtitle: [
      'One random start; a point is a dictionary and the time it took to learn it.',
      'Dashed: plain MSP run to its end.',
      machine,
    ],
    yTitle: 'missing energy, held-out samples',
    panels: real.map(realPanel),
  });
}

function realPanel({ set, references, results }: RealResults): Panel {
  const reference = references[0].residual;
  const all = results.flatMap(({ contender, marks }) =>
    marks.map(({ seconds, score }) => ({ contender, seconds, value: score })),
  );
  const points = all.filter(({ value }) => value <= HIGHEST * reference);
  const values = [reference, ...points.map(({ value }) => value)];
  const margin = 0.03 * reference;
  const scale = { domain: [Math.min(...values) - margin, Math.max(...values) + margin], nice: false, zero: false };
  return {
    title: describeRealSet(set),
    y: { scale, axis: { format: '.1%', tickCount: 6, gridOpacity: 0.5 } },
    points,
    rule: reference,
  };
}

const COLOURS = ['#1f5fa8', '#f58518', '#6fa8dc', '#54a24b', '#9e9e9e', '#b279a2', '#e45756'];
const SHAPES = ['circle', 'square', 'diamond', 'triangle-up', 'cross', 'triangle-down', 'triangle-right'];

function curveChart({ title, subtitle, yTitle, panels }: CurveChart): ChartSpec {
  const names = [...new Set(panels.flatMap(({ points }) => points.map(({ contender }) => contender)))];
  const columns = panels.length > 3 ? 2 : 3;
  const legend = { orient: 'bottom', direction: 'horizontal', columns: 3, labelLimit: 0, symbolSize: 60, title: null };
  const look = { field: 'contender', type: 'nominal', legend };
  return framed({
    title: titleOf(title, subtitle),
    columns,
    concat: panels.map((panel, k) => ({
      title: { text: panel.title, fontSize: 11, anchor: 'middle' },
      width: panels.length > 1 ? 300 : 560,
      height: 280,
      layer: [
        ...(panel.rule === undefined ? [] : [ruleOf(panel.rule, panel.y)]),
        linesOf(panel, k % columns === 0 ? yTitle : null),
      ],
    })),
    resolve: { scale: { color: 'shared', shape: 'shared' } },
  });

  function linesOf({ points, y }: Panel, title: string | null): ChartSpec {
    const x = { scale: { type: 'log', nice: false, padding: 12 }, axis: { tickCount: 4, format: '~g', grid: false } };
    return {
      data: { values: points },
      mark: { type: 'line', point: { size: 34, filled: true }, strokeWidth: 1.8 },
      encoding: {
        x: { field: 'seconds', type: 'quantitative', title: 'seconds (logarithmic)', ...x },
        y: { field: 'value', type: 'quantitative', title, ...y },
        color: { ...look, scale: { domain: names, range: COLOURS } },
        shape: { ...look, scale: { domain: names, range: SHAPES } },
      },
    };
  }
}

const ruleOf = (value: number, y: object): ChartSpec => ({
  data: { values: [{ value }] },
  mark: { type: 'rule', strokeDash: [5, 4], color: '#444' },
  encoding: { y: { field: 'value', type: 'quantitative', ...y } },
});
