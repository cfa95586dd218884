/** "Much faster than any gradient descent": one step of MSP and of gradient methods near a signed permutation. */

import type { Matrix64 } from 'orthodict';
import { addScaled, identity, type Kernels, polar } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { below } from '../framework/claims.ts';
import { powerLaw } from '../framework/curve-claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { PAPER, singleThread } from '../l4/l4-runs.ts';
import { distance, GROUP, mspStep, pgaStep, planeSkew, riemannianGradient, rotationAt } from './orthogonal-group.ts';

/** Step of PGA. */
const STEPS = [1, 10, 100];
/** Along the manifold: minus one over the curvature at a signed permutation. */
const QUARTER = 0.25;
/** Below this ε even the smallest linear term is larger than the cubic one. */
const TINY = 1e-3;
const isTiny = ({ epsilon }: Point) => epsilon <= TINY;

const CONTENDERS = [
  ...STEPS.map((alpha) => ({ name: `pga${alpha}`, label: `PGA, α = ${alpha}` })),
  { name: 'riemannian', label: 'Riemannian, step 1/4' },
  { name: 'msp', label: 'MSP' },
];

/** Gradient ascent along the manifold: polar(W + τ grad g). */
const riemannianStep = (W: Matrix64, step: number, kernels: Kernels): Matrix64 =>
  polar(addScaled(W, step, riemannianGradient(W, kernels)), kernels);

async function trial({ n, epsilon }: Point): Promise<Measured> {
  const { kernels } = await singleThread();
  const start = rotationAt(planeSkew(n), epsilon, kernels);
  const far = (W: Matrix64) => distance(W, identity(n)) ** 2;
  return {
    ...Object.fromEntries(STEPS.map((alpha) => [`pga${alpha}`, far(pgaStep(start, alpha, kernels))])),
    riemannian: far(riemannianStep(start, QUARTER, kernels)),
    msp: far(mspStep(start, kernels)),
  };
}

const grid = {
  points: pointsOf({ n: [2, 10], epsilon: [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 0.578, 1] }),
  trials: 1,
  words: 'Nothing here is random. The paper has no such experiment.',
};

export const rates: Experiment = {
  name: `${GROUP}-rates`,
  group: GROUP,
  title: 'MSP and gradient methods near signed permutations',
  source: `${PAPER}, theorem 16 and sections 3.1 and 4.3`,
  setting: [
    'The paper calls the cubic rate of MSP "much faster than any gradient descent methods", and says that Riemannian or projected gradient methods "converge at best with a linear rate". Measured is ε = ‖A − I‖² after one step from a rotation in one plane at distance ε, the worst direction for MSP.',
    "PGA, A ← polar(A + αA∘³), leaves 1/(1 + α)² of a small ε: linear for every finite α. But gradient ascent along the manifold, A ← polar(A + τ grad g), has the Hessian −4 in all directions at a signed permutation, so τ = 1/4 is Newton's step: it is cubic too, with a constant nine times as large as that of MSP.",
  ],
  parameters: ['n', 'epsilon'],
  measures: CONTENDERS,
  full: grid,
  quick: grid,
  trial,
  charts: (summary) => [
    {
      caption: 'ε after one step of MSP and of gradient methods against ε before it',
      spec: lineChart({
        title: 'ε = ‖A − I‖² after one step from a rotation in a plane',
        subtitle: 'n = 10',
        along: 'epsilon',
        x: 'ε before',
        y: 'ε after',
        xLogarithmic: true,
        panels: [
          {
            logarithmic: true,
            lines: CONTENDERS.map(({ name, label }) => ({ colour: label, cells: cellsOf(summary, name, { n: 10 }) })),
          },
        ],
      }),
    },
  ],
  claims: [
    below(
      'A step of MSP is better than every gradient step, for ε < .579.',
      'msp',
      CONTENDERS.slice(0, -1).map(({ name }) => name),
      ({ epsilon }) => epsilon < 0.579,
    ),
    powerLaw('The rate of MSP is cubic, that is, superlinear.', 'msp', 'epsilon', [2.95, 3.05], isTiny),
    ...STEPS.map((alpha) =>
      powerLaw(`PGA with α = ${alpha} converges with a linear rate.`, `pga${alpha}`, 'epsilon', [0.95, 1.05], isTiny),
    ),
    powerLaw(
      'Riemannian gradient ascent converges at best with a linear rate, also with step 1/4.',
      'riemannian',
      'epsilon',
      [0.95, 1.05],
      isTiny,
    ),
  ],
  references: [],
  referenceWords: 'The paper states this without numbers.',
};
