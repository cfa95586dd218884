/** The unit ℓ1, ℓ2 and ℓ4 spheres of the plane. */
import { closedCurves } from '../../charts/closed-curves.ts';
import { formatFigure } from '../../report/numbers.ts';
import { atLeast, mostly, NOT_MEASURED } from '../framework/claims.ts';
import { type Claim, type Experiment, type Point, pointsOf, range } from '../framework/experiment.ts';
import { type Cell, cellsOf } from '../framework/summary.ts';
import { GROUP, PAPER } from './l4-runs.ts';

const NORMS = [1, 2, 4] as const;
const ROUNDING = 1e-12;

const direction = ({ degrees }: Point): [x: number, y: number] => {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
};

/** ‖v‖_q. */
const normOf = ([x, y]: readonly [number, number], q: number) => (Math.abs(x) ** q + Math.abs(y) ** q) ** (1 / q);

/** On an axis: one entry is zero. */
const isSparse = ({ degrees }: Point): boolean => degrees % 90 === 0;

/** Over the circle, the extreme values of a norm are those at the sparsest points, and only there. */
function extremeOnAxes(words: string, measure: string, sign: 1 | -1): Claim {
  return {
    words,
    check(summary) {
      const cells = cellsOf(summary, measure);
      const values = (sparse: boolean) => cells.filter(({ point }) => isSparse(point) === sparse).map(medianOf);
      if (values(true).length === 0 || values(false).length === 0) return NOT_MEASURED;
      const best = Math.min(...values(true).map((value) => sign * value));
      const others = Math.max(...values(false).map((value) => sign * value));
      const measured = `${formatFigure(sign * best)} on the axes, ${formatFigure(sign * others)} at the closest other point`;
      return { holds: best > others, measured };
    },
  };
}

const medianOf = ({ median }: Cell): number => median;

const sphere = (cells: readonly Cell[]) =>
  cells.map(({ point, median }) => direction(point).map((value) => value * median) as [number, number]);

export const figure1: Experiment = {
  name: 'figure1',
  group: GROUP,
  title: 'Unit spheres of three norms in the plane',
  source: `${PAPER}, figure 1`,
  setting: [
    'The radius of a unit sphere in a direction is 1/‖u‖_q, u the unit vector of that direction. The paper draws the spheres to say why ℓ4 is maximised: "the sparsest points on a unit ℓ2-sphere (points (0, 1), (0, −1), (1, 0), and (−1, 0)) have the smallest ℓ1-norm and largest ℓ4-norm".',
  ],
  parameters: ['degrees'],
  measures: [
    ...NORMS.map((q) => ({ name: `radius${q}`, label: `radius of the ℓ${q} sphere` })),
    { name: 'one', label: '‖u‖₁' },
    { name: 'four', label: '‖u‖₄' },
    { name: 'gap', label: 'radius ℓ4 − ℓ2' },
    { name: 'innerGap', label: 'radius ℓ2 − ℓ1' },
    { name: 'wholeGap', label: 'radius ℓ4 − ℓ1' },
  ],
  full: { points: pointsOf({ degrees: range(0, 359, 1) }), trials: 1, words: 'Every degree.' },
  quick: { points: pointsOf({ degrees: range(0, 359, 5) }), trials: 1, words: 'Every fifth degree.' },
  async trial(point) {
    const u = direction(point);
    const [r1, r2, r4] = NORMS.map((q) => 1 / normOf(u, q));
    const gaps = { gap: r4 - r2, innerGap: r2 - r1, wholeGap: r4 - r1 };
    return { radius1: r1, radius2: r2, radius4: r4, one: 1 / r1, four: 1 / r4, ...gaps };
  },
  charts: (summary) => [
    {
      caption: 'The unit spheres of the ℓ1, ℓ2 and ℓ4 norm in the plane: they touch at the four points on the axes',
      spec: closedCurves({
        title: 'Figure 1: unit ℓ1, ℓ2 and ℓ4 spheres',
        subtitle: 'dots: the sparsest points of the ℓ2 sphere',
        x: 'x₁',
        y: 'x₂',
        curves: NORMS.map((q) => ({ label: `ℓ${q}`, points: sphere(cellsOf(summary, `radius${q}`)) })),
        marks: summary.points.filter(isSparse).map(direction),
      }),
    },
  ],
  claims: [
    extremeOnAxes('On the ℓ2 sphere the sparsest points have the smallest ℓ1 norm, and only they.', 'one', -1),
    extremeOnAxes('On the ℓ2 sphere the sparsest points have the largest ℓ4 norm, and only they.', 'four', 1),
    atLeast('The ℓ4 sphere encloses the ℓ2 sphere.', 'gap', -ROUNDING, 1),
    atLeast('The ℓ2 sphere encloses the ℓ1 sphere.', 'innerGap', -ROUNDING, 1),
    mostly('All three touch at the sparsest points.', 'wholeGap', ROUNDING, 1, isSparse),
  ],
  references: [],
  referenceWords: 'The paper draws the curves.',
};
