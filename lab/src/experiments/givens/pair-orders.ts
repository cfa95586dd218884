/** Orders in which the planes are visited: sweeps and seconds until the objective is at its maximum. */
import type { Matrix64 } from 'orthodict';
import { createRandom, PAIR_RULES, type PairRule, type RotationObjective, randomOrthogonal } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { below, mostly } from '../framework/claims.ts';
import { type Claim, type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { singleThread } from '../l4/l4-runs.ts';
import { GROUP, PAPER } from './paper.ts';
import { planesOf, visitPlanes } from './plane-by-plane.ts';
import { OBJECTIVES, problemOf, SAMPLES, THETA } from './problems.ts';

/** The objective counts as reached within this share of the maximum. */
const REACHED = 1e-6;
/** A run ends when all planes together would gain less than this share of f. */
const IDLE = 1e-12;
/** It is checked after a sweep that gained less than this share. */
const CALM = 1e-9;
const MOST_SWEEPS = 200;

const ORDERS: Readonly<Record<PairRule, string>> = {
  random: 'random pairs (Algorithm 1)',
  'until-improvement': 'until improvement (Algorithm 4)',
  cyclic: 'cyclic',
  tournament: 'tournament',
};

interface Course {
  /** f after every visited plane. */
  readonly values: readonly number[];
  readonly seconds: number;
}

async function courseOf(objective: RotationObjective, start: Matrix64, rule: PairRule, seed: number): Promise<Course> {
  await objective.restore(start);
  const sweep = planesOf(objective.size);
  const values = [objective.value()];
  let [seconds, began] = [0, performance.now()];
  for (const { rotation, taken } of visitPlanes(objective, rule, seed)) {
    values.push(values.at(-1)! + (taken ? rotation.gain : 0));
    const visits = values.length - 1;
    const isCalm = visits % sweep === 0 && values[visits] - values[visits - sweep] <= CALM * Math.abs(values[visits]);
    if (!isCalm && visits < MOST_SWEEPS * sweep) continue;
    seconds += (performance.now() - began) / 1000; // without the time of the check
    if (!isCalm || leftToGain(objective) <= IDLE * Math.abs(values[visits])) break;
    began = performance.now();
  }
  values[values.length - 1] = objective.value(); // without the rounding of a long sum
  return { values, seconds };
}

/** The sum of what every plane would gain by itself. */
function leftToGain(objective: RotationObjective): number {
  let gain = 0;
  for (let i = 0; i < objective.size; i++)
    for (let j = i + 1; j < objective.size; j++) gain += objective.best(i, j).gain;
  return gain;
}

async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { kernels } = await singleThread();
  const { objective, most: known } = problemOf(point, seed, kernels);
  const start = randomOrthogonal(point.d, createRandom(seed, 'start'));
  const courses: Course[] = [];
  for (const rule of PAIR_RULES) {
    signal.throwIfAborted();
    courses.push(await courseOf(objective, start, rule, seed));
  }
  const most = known ?? Math.max(...courses.map(({ values }) => values.at(-1)!));
  const entries = PAIR_RULES.flatMap((rule, k) => {
    const { values, seconds } = courses[k];
    const reached = values.findIndex((value) => value >= (1 - REACHED) * most);
    const visits = reached < 0 ? Number.POSITIVE_INFINITY : reached;
    return [
      [`${rule} sweeps`, visits / planesOf(point.d)],
      [`${rule} seconds`, (seconds * visits) / (values.length - 1)],
      [`${rule} missing`, Math.max(0, 1 - values.at(-1)! / most)],
    ] as const;
  });
  return Object.fromEntries(entries);
}

const panelsOf = (summary: Summary) =>
  ['sweeps', 'seconds'].flatMap((measure) =>
    [...new Set(summary.points.map(({ degree }) => degree))].map((degree) => ({
      title: OBJECTIVES[degree],
      y: measure,
      lines: PAIR_RULES.map((rule) => ({
        colour: ORDERS[rule],
        cells: cellsOf(summary, `${rule} ${measure}`, { degree }),
      })),
      logarithmic: measure === 'seconds',
    })),
  );

const ends: Claim[] = PAIR_RULES.map((rule) =>
  mostly(
    `Theorem 3: on tensors, ${ORDERS[rule]} ends at the maximum Σλ, within 1e-9, in every trial.`,
    `${rule} missing`,
    1e-9,
    1,
    ({ degree }) => degree === 3,
  ),
);

export const givensPairs: Experiment = {
  name: 'givens-pairs',
  group: GROUP,
  title: 'Orders of the planes',
  source: `${PAPER}, algorithms 1 and 4`,
  setting: [
    `The four orders from the same random start: pairs uniformly at random with replacement (Algorithm 1); without replacement until one improves f, then again from all (Algorithm 4); every pair once per sweep, row by row
(cyclic); every pair once per sweep, in rounds of groups without a common row (tournament, what orthodict does by default, because threads can share a round). The objectives are those of givens-rate: degree 3 is a tensor with orthogonal
factors, degree 4 the ℓ4 norm of codes, θ = ${THETA}, p = ${SAMPLES} d.`,
    `A sweep is d(d−1)/2 visited planes, turned or not; drawn with replacement, these miss more than a third (1/e) of all planes. Counted are the sweeps until f is within 1e-6 of its maximum, relatively: Σλ for the tensor, the best end of the four orders for the ℓ4 norm. Seconds are of one thread and plain loops, plane
by plane, for all orders; threads and vector instructions, which only the tournament can use, are left out. Times of a few milliseconds are mostly compilation of the code. A run ends when all planes together would gain less than ${IDLE} of f. "Missing" is how far the end is below the maximum, relatively.`,
  ],
  parameters: ['degree', 'd'],
  measures: PAIR_RULES.flatMap((rule) => [
    { name: `${rule} sweeps`, label: `${ORDERS[rule]}: sweeps`, method: ORDERS[rule], column: 'sweeps' },
    { name: `${rule} seconds`, label: `${ORDERS[rule]}: seconds`, method: ORDERS[rule], column: 'seconds' },
    {
      name: `${rule} missing`,
      label: `${ORDERS[rule]}: missing`,
      method: ORDERS[rule],
      column: 'missing at the end',
    },
  ]),
  full: {
    points: [...pointsOf({ degree: [3], d: [5, 10, 20, 40, 80] }), ...pointsOf({ degree: [4], d: [10, 20, 50, 100] })],
    trials: 10,
    words: 'The paper has no experiment on this.',
  },
  quick: {
    points: [...pointsOf({ degree: [3], d: [10, 20, 40] }), ...pointsOf({ degree: [4], d: [10, 20, 50] })],
    trials: 2,
    words: 'The paper has no experiment on this; smaller d only.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Sweeps and seconds until the objective is within 1e-6 of its maximum, for four orders of the planes',
      spec: lineChart({
        title: 'Sweeps and seconds to the maximum, by the order of the planes',
        subtitle: `until f is within 1e-6 of its maximum; medians and the middle 80 % of the trials`,
        along: 'd',
        x: 'dimension d',
        y: '',
        panels: panelsOf(summary),
      }),
    },
  ],
  claims: [
    ...ends,
    below(
      'The difference between Algorithms 1 and 4 is "essentially a technical difference": Algorithm 4 takes at most 1.5 times as many sweeps.',
      'until-improvement sweeps',
      ['random sweeps'],
      undefined,
      1.5,
    ),
    below(
      'And Algorithm 1 takes at most 1.5 times as many as Algorithm 4.',
      'random sweeps',
      ['until-improvement sweeps'],
      undefined,
      1.5,
    ),
    below('Every plane once per sweep, row by row, takes fewer sweeps than Algorithm 1.', 'cyclic sweeps', [
      'random sweeps',
    ]),
    below('So does every plane once per sweep in disjoint groups.', 'tournament sweeps', ['random sweeps']),
  ],
  references: [],
  referenceWords: 'The paper prints no numbers.',
};
