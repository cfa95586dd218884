/** Propositions 12 to 14: critical points of g = ‖W‖₄⁴ on the orthogonal group, their curvature, and fixed points of MSP. */
import { createRandom, norm } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { NOT_MEASURED } from '../framework/claims.ts';
import {
  type Claim,
  describePoint,
  type Experiment,
  type Measured,
  type Point,
  pointsOf,
} from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { PAPER, singleThread } from '../l4/l4-runs.ts';
import { KINDS, type Kind } from './critical-points.ts';
import { curvatures } from './curvatures.ts';
import { distance, GROUP, mspStep, powered, riemannianGradient, skewPart } from './orthogonal-group.ts';

const ROUNDING = 1e-10;
const COLUMNS = [
  { column: 'asymmetry', words: '‖WᵀW∘³ − (W∘³)ᵀW‖' },
  { column: 'gradient', words: '‖grad g‖' },
  { column: 'moved', words: 'moved by a step of MSP' },
  { column: 'least', words: 'least curvature' },
  { column: 'greatest', words: 'greatest curvature' },
] as const;

async function trial({ n }: Point, seed: number): Promise<Measured> {
  const { kernels } = await singleThread();
  const random = createRandom(seed, 'theory critical points');
  const measured = KINDS.flatMap(({ kind, make }) => {
    const W = make(n, random, kernels);
    if (!W) return [];
    const S = kernels.multiply(W, powered(W, 3), 'tn');
    const bent = kind === 'random' ? undefined : curvatures(W, kernels);
    return [
      [`${kind}Asymmetry`, 2 * norm(skewPart(S).data)],
      [`${kind}Gradient`, norm(riemannianGradient(W, kernels).data)],
      [`${kind}Moved`, distance(mspStep(W, kernels), W)],
      [`${kind}Least`, bent?.at(-1)],
      [`${kind}Greatest`, bent?.[0]],
    ];
  });
  return Object.fromEntries(measured);
}

type Column = (typeof COLUMNS)[number]['column'];

const nameOf = (kind: Kind, column: Column) => `${kind}${column[0].toUpperCase()}${column.slice(1)}`;

const CRITICAL = KINDS.map(({ kind }) => kind).filter((kind) => kind !== 'random');
const FIXED = CRITICAL.filter((kind) => kind !== 'reflection' && kind !== 'circle');

/** The page shows the value farthest from its target; for some kinds of matrices every value in a column passes. */
function ofKinds(
  words: string,
  kinds: readonly Kind[],
  column: Column,
  passes: (value: number, n: number) => boolean,
): Claim {
  return {
    words,
    check(summary) {
      const cells = kinds.flatMap((kind) =>
        cellsOf(summary, nameOf(kind, column)).map((cell) => ({ ...cell, label: labelOf(kind) })),
      );
      if (cells.length === 0) return NOT_MEASURED;
      const failing = cells.filter(({ values, point }) => !values.every((value) => passes(value, point.n)));
      const shown = failing[0] ?? cells.reduce((most, cell) => (size(cell.median) > size(most.median) ? cell : most));
      const measured = `${shown.label}, ${describePoint(shown.point)}: ${formatFigure(shown.median)}`;
      return { holds: failing.length === 0, measured };
    },
  };
}

const size = Math.abs;
const labelOf = (wanted: Kind): string => KINDS.find(({ kind }) => kind === wanted)!.label;
const isZero = (value: number) => size(value) <= ROUNDING;
const isFar = (value: number) => value > 0.01;
const equals = (target: (n: number) => number) => (value: number, n: number) => isZero(value - target(n));

const grid = {
  points: pointsOf({ n: [4, 8, 16] }),
  trials: 3,
  words: 'The paper has no such experiment.',
};

export const critical: Experiment = {
  name: `${GROUP}-critical`,
  group: GROUP,
  title: 'Critical points of the ℓ4 norm on the orthogonal group, and fixed points of MSP',
  source: `${PAPER}, propositions 12 to 14; lemmas 3.3 and 3.4 of the short version`,
  setting: [
    'g(W) = ‖W‖₄⁴. Proposition 12: W is critical where (W∘³)ᵀW = WᵀW∘³. Proposition 13: the global maximisers, signed permutations, are isolated and nondegenerate. Proposition 14: W in SO(n) is a fixed point of MSP, W = polar(W∘³), if and only if it is critical.',
    'Mixed blocks are a Hadamard matrix and a signed permutation of half the size each, along the diagonal. Curvatures are the eigenvalues of the Riemannian Hessian over the tangents WK, K skew: Hess[K] = skew(12Wᵀ(W∘²∘(WK))) − 2(SK + KS), S = WᵀW∘³. In closed form they are all −4 at a signed permutation and all 8/n at a Hadamard matrix, which is a minimum of g and no saddle.',
    'Proposition 14 is right in one direction only. A fixed point is critical. But W is the polar factor of W∘³ only if the symmetric WᵀW∘³ is also positive semidefinite; the proof concludes V Uᵀ W = I from (V Uᵀ W)² = I, which does not follow: a product of reflections in orthogonal directions also has the square I. The reflection I − (2/n)11ᵀ (here with its first row negated, so that its determinant is 1) is critical for every n, and for n ≥ 6 WᵀW∘³ has the eigenvalue 8(n − 1)/n³ − (1 − 2/n)³ < 0: one step of MSP takes it to a signed permutation, at a distance of 2. For the algorithm this is good news: such critical points do not hold it up.',
    'Lemma 3.3 of the short version says that all critical points are discrete. They are not: (I − ⅓11ᵀ) diag(R, R), R any rotation of ℝ³ about (1, 1, 1), is critical, a circle of matrices of size 6, and so is this beside a signed permutation. Where |cos 3t| ≤ ½, t the angle of R, these are fixed points of MSP as well. The longer paper claims it of maximisers only, which is proposition 13.',
  ],
  parameters: ['n'],
  measures: KINDS.flatMap(({ kind, label }) =>
    COLUMNS.map(({ column, words }) => ({
      name: nameOf(kind, column),
      label: `${words}, ${label}`,
      method: label,
      column: words,
    })),
  ),
  full: grid,
  quick: grid,
  trial,
  charts: (summary) => [
    {
      caption: 'How far a step of MSP moves critical points, and their greatest curvature, against n',
      spec: lineChart({
        title: 'Propositions 12 to 14: critical points and steps of MSP',
        subtitle: 'medians and the middle 80 % of the trials',
        along: 'n',
        x: 'dimension n',
        y: 'moved by a step, ‖polar(W∘³) − W‖',
        xLogarithmic: true,
        panels: [
          { title: 'a fixed point?', column: 'moved' as const, logarithmic: true },
          { title: 'a maximum?', column: 'greatest' as const, y: 'greatest curvature', logarithmic: false },
        ].map(({ column, ...panel }) => ({
          ...panel,
          lines: CRITICAL.map((kind) => ({ colour: labelOf(kind), cells: cellsOf(summary, nameOf(kind, column)) })),
        })),
      }),
    },
  ],
  claims: [
    ofKinds('Proposition 12: at critical points (W∘³)ᵀW = WᵀW∘³.', CRITICAL, 'asymmetry', isZero),
    ofKinds('At them the Riemannian gradient is zero.', CRITICAL, 'gradient', isZero),
    ofKinds('At a random point neither holds: the gradient is not zero.', ['random'], 'gradient', isFar),
    ofKinds('Neither is (W∘³)ᵀW symmetric there.', ['random'], 'asymmetry', isFar),
    ofKinds(
      'Proposition 13: maximisers are nondegenerate: the greatest curvature at signed permutations is −4.',
      ['permutation', 'end'],
      'greatest',
      equals(() => -4),
    ),
    ofKinds(
      'All curvatures there are −4.',
      ['permutation', 'end'],
      'least',
      equals(() => -4),
    ),
    ofKinds(
      'Hadamard matrices are minima: their least curvature is 8/n.',
      ['hadamard'],
      'least',
      equals((n) => 8 / n),
    ),
    ofKinds(
      'All their curvatures are 8/n.',
      ['hadamard'],
      'greatest',
      equals((n) => 8 / n),
    ),
    ofKinds('Mixtures are saddles: some curvature is positive.', ['mixture'], 'greatest', isFar),
    ofKinds(
      'Proposition 14, fixed points are critical: these do not move and have no gradient.',
      FIXED,
      'moved',
      isZero,
    ),
    ofKinds(
      'Proposition 14, critical points are fixed: the reflection, too, does not move.',
      ['reflection'],
      'moved',
      isZero,
    ),
    ofKinds('Points that are not critical move.', ['random'], 'moved', isFar),
    ofKinds(
      'Lemma 3.3 of the short version, critical points are discrete: not every point of the circle is critical.',
      ['circle'],
      'asymmetry',
      isFar,
    ),
  ],
  references: [],
  referenceWords: 'The paper proves the statements and measures nothing.',
};
