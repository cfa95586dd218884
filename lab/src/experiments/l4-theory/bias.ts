/** After proposition 10: subtracting a part of the bias 12pθ²A from the gradient speeds MSP up. */
import { recoveryError } from 'orthodict';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { atLeast, mostly, near } from '../framework/claims.ts';
import { trend } from '../framework/curve-claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { PAPER } from '../l4/l4-runs.ts';
import { dataStep, randomAtoms, sampled } from './deviations.ts';
import { iterate, lastRate, stepsTo } from './iterates.ts';
import { GROUP } from './orthogonal-group.ts';

const SHARES = [0, 0.25, 0.5, 0.75, 1, 1.25];
const THETAS = [0.3, 0.5];
/** Root mean square distances from the end. */
const NEAR = 0.01;
const NEARER = 1e-6;

/** θ(1 − s)/(1 − θs): the part of the distance that a step leaves near the end, by proposition 10. */
const law = ({ theta, share }: Point): number => Math.abs((theta * (1 - share)) / (1 - theta * share));

async function trial(point: Point, seed: number): Promise<Measured> {
  const { n, p, theta, share } = point;
  const samples = await sampled(point, seed);
  const shift = share * 3 * p * theta ** 2;
  const run = iterate(randomAtoms(n, seed), (A) => dataStep(A, samples, shift));
  return {
    steps: stepsTo(run, NEAR),
    longer: stepsTo(run, NEARER),
    rate: lastRate(run),
    law: law(point),
    error: recoveryError(run.at(-1)!, samples.data.atoms),
  };
}

const withinTheBias = (summary: Summary): Summary => {
  const inside = ({ point }: { readonly point: Point }) => point.share <= 1;
  return {
    ...summary,
    cells: summary.cells.filter(inside),
    points: summary.points.filter((point) => inside({ point })),
  };
};

const full = pointsOf({ n: [50], p: [20_000], theta: THETAS, share: SHARES });
const quick = pointsOf({ n: [20], p: [8000], theta: THETAS, share: SHARES });
const laws = [...full, ...quick]
  .filter(({ share }) => share < 1)
  .map((point) => ({ point, measure: 'rate', value: law(point) }));

const fewerSteps = trend(
  '"This indeed helps further accelerate the convergence": the steps to a distance of .01 fall from α = 0 to α = 12pθ².',
  'steps',
  'share',
  'falls',
);
const fewerLonger = trend('So do the steps to a distance of 1e-6.', 'longer', 'share', 'falls');

export const bias: Experiment = {
  name: `${GROUP}-bias`,
  group: GROUP,
  title: 'MSP with a part of the bias subtracted',
  source: `${PAPER}, remark after proposition 10`,
  setting: [
    'The paper: knowing θ, "we could subtract a bias term αA (α ∈ (0, 12pθ²]) from ∂A_t", the gradient 4(AY)∘³Y*, and "one can verify experimentally that this indeed helps further accelerate the convergence of the algorithm". Here A ← polar(G − βA), G a quarter of the gradient, so β = α/4 = s·3pθ² with s = α/(12pθ²) from 0 to 1.25. This is what orthodict does by default, with 3‖Y‖⁴/(pn²) in place of 3pθ², which needs no θ.',
    'Counted are the steps from a random start until all later ones are within a root mean square distance of .01, or of 1e-6, of the end; a run that has not settled after 120 steps counts as 120. By proposition 10 a step leaves θ(1 − s)/(1 − θs) of a small distance: θ without a shift, nothing but sampling error with the whole bias. What is measured is the slowest direction, whose rate the sampling error raises. With more than the whole bias, G − βA need not be in the direction of ascent any more.',
  ],
  parameters: ['n', 'p', 'theta', 'share'],
  measures: [
    { name: 'steps', label: `steps to ${NEAR}` },
    { name: 'longer', label: `steps to ${formatFigure(NEARER)}` },
    { name: 'rate', label: 'rate' },
    { name: 'law', label: 'θ(1 − s)/(1 − θs)' },
    { name: 'error', label: '|1 − g| at the end' },
  ],
  full: { points: [...full, ...quick], trials: 10, words: 'n = 50 and p = 20,000 as in figure 5, and a smaller size.' },
  quick: { points: quick, trials: 3, words: 'The smaller size only.' },
  trial,
  charts: (summary) => {
    const n = Math.max(...summary.points.map((point) => point.n));
    const lines = (theta: number) => [
      { colour: `θ = ${theta}`, stroke: `to ${NEAR}`, cells: cellsOf(summary, 'steps', { n, theta }) },
      { colour: `θ = ${theta}`, stroke: `to ${formatFigure(NEARER)}`, cells: cellsOf(summary, 'longer', { n, theta }) },
    ];
    return [
      {
        caption: 'Steps of MSP against the share of the bias that is subtracted',
        spec: lineChart({
          title: 'Subtracting αA from the gradient: steps of MSP on data',
          subtitle: `n = ${n}; medians and the middle 80 % of the trials`,
          along: 'share',
          x: 'α/(12pθ²)',
          y: 'steps',
          panels: [{ logarithmic: false, lines: THETAS.flatMap(lines) }],
        }),
      },
    ];
  },
  claims: [
    ...[fewerSteps, fewerLonger].map(({ words, check }) => ({
      words,
      check: (summary: Summary) => check(withinTheBias(summary)),
    })),
    near('The rate is near that of proposition 10, θ(1 − s)/(1 − θs), within .2 in absolute terms.', laws, 0, 0.2),
    mostly(
      'For α up to 12pθ² the end is the same: an error of at most .02.',
      'error',
      0.02,
      1,
      ({ share }) => share <= 1,
    ),
    atLeast(
      'The interval ends where it should: with α = 1.25 · 12pθ² and θ = .5 the run goes astray.',
      'error',
      0.1,
      1,
      ({ theta, share }) => share > 1 && theta === 0.5,
    ),
  ],
  references: [],
  referenceWords: 'The paper states this without numbers.',
};
