/** Proposition 15: projected gradient ascent with any fixed step ends at a critical point. */
import { createRandom, norm, randomOrthogonal } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { mostly } from '../framework/claims.ts';
import { trend } from '../framework/curve-claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { PAPER, singleThread } from '../l4/l4-runs.ts';
import { GROUP, pgaStep, quartic, riemannianGradient } from './orthogonal-group.ts';

const STEPS = [0.01, 0.1, 1, 10, 100, Number.POSITIVE_INFINITY];
const MOST = 50_000;
/** A gradient counts as zero below this. */
const CRITICAL = 1e-8;
/** A smaller fall of g is rounding. */
const ROUNDING = 1e-12;

/** Runs until ‖grad g‖ ≤ CRITICAL. */
async function trial({ n, alpha }: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { kernels } = await singleThread();
  let W = randomOrthogonal(n, createRandom(seed, 'theory any step'));
  let [t, fall, value] = [0, 0, quartic(W)];
  const gradient = () => norm(riemannianGradient(W, kernels).data);
  while (t < MOST && gradient() > CRITICAL) {
    signal.throwIfAborted();
    W = pgaStep(W, alpha, kernels);
    const next = quartic(W);
    fall = Math.max(fall, value - next);
    value = next;
    t++;
  }
  return { iterations: t, gradient: gradient(), error: 1 - value / n, fall, rate: 1 / (1 + alpha) };
}

export const anyStep: Experiment = {
  name: `${GROUP}-any-step`,
  group: GROUP,
  title: 'Projected gradient ascent with any step ends at a critical point',
  source: `${PAPER}, proposition 15 and section 4.2`,
  setting: [
    `A ← polar(A + αA∘³) from a random orthogonal A until ‖grad g‖ ≤ ${CRITICAL}, or ${MOST} steps; α = ∞ is MSP. Proposition 15: with any fixed step size it "finds a saddle point", by which the proof means a critical point, because h = (α/4)‖A‖₄⁴ + ½‖A‖² is convex. By convexity no step lowers g. Section 4.2 observes more: every step size finds global maximisers, and larger steps are faster.`,
    'Near a maximiser a step leaves 1/(1 + α) of the distance, so the number of steps goes as 1/ln(1 + α) for small α.',
  ],
  parameters: ['n', 'alpha'],
  measures: [
    { name: 'iterations', label: 'steps' },
    { name: 'gradient', label: '‖grad g‖ at the end' },
    { name: 'error', label: '1 − g/n at the end' },
    { name: 'fall', label: 'largest fall of g in a step' },
    { name: 'rate', label: '1/(1 + α)' },
  ],
  full: { points: pointsOf({ n: [5, 10, 20], alpha: STEPS }), trials: 20, words: 'The paper has α ≥ 1 in table 1.' },
  quick: {
    points: pointsOf({ n: [5, 10], alpha: STEPS }),
    trials: 3,
    words: 'Without n = 20. The paper has α ≥ 1 in table 1.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Steps to a critical point against the step size α',
      spec: lineChart({
        title: 'Proposition 15: steps of projected gradient ascent to a critical point',
        subtitle: 'α = ∞ (MSP) is drawn at 1000; medians and the middle 80 % of the trials',
        along: 'alpha',
        x: 'step size α',
        y: 'steps',
        xLogarithmic: true,
        panels: [
          {
            logarithmic: true,
            lines: [...new Set(summary.points.map(({ n }) => n))].map((n) => ({
              colour: `n = ${n}`,
              cells: cellsOf(summary, 'iterations', { n }).map((cell) => ({
                ...cell,
                point: { ...cell.point, alpha: Math.min(cell.point.alpha, 1000) },
              })),
            })),
          },
        ],
      }),
    },
  ],
  claims: [
    mostly('Every step size, from .01 to ∞, finds a critical point.', 'gradient', CRITICAL, 1),
    mostly('No step lowers g, as the convexity in the proof implies.', 'fall', ROUNDING, 1),
    mostly('"PGA with arbitrary fixed step size find global maximizers": every run ends in one.', 'error', 1e-12, 1),
    trend('"PGA converges faster with larger step size."', 'iterations', 'alpha', 'falls'),
  ],
  references: [],
  referenceWords: 'Table 1 of the paper has other sizes; see table1.',
};
