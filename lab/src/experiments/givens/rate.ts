/** Theorem 2: the squared gradient along Algorithm 4 against its bound, and Algorithm 1 beside it. */
import type { Matrix64 } from 'orthodict';
import { createRandom, type PairRule, randomOrthogonal } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { below, mostly } from '../framework/claims.ts';
import { type Chart, type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { sharedAlong, singleThread } from '../l4/l4-runs.ts';
import { GROUP, PAPER } from './paper.ts';
import { squaredGradient, visitPlanes } from './plane-by-plane.ts';
import { OBJECTIVES, type Problem, problemOf, SAMPLES, THETA } from './problems.ts';

/** The steps T of the table. */
const STEPS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];
/** Steps at which the gradient is measured: 0, then each about 1.3 times the one before, and the above. */
const RECORDED = [...new Set([0, ...geometric(1.3, STEPS.at(-1)!), ...STEPS])].sort((a, b) => a - b);
/** Runs that the mean is over: the same start, different planes. */
const RUNS = 8;
/** Smaller gains, as a share of L, are rounding for the most part. */
const LEAST_GAIN = 1e-12;
/** Smaller values are not drawn: the run has converged. */
const LEAST_DRAWN = 1e-8;

function geometric(factor: number, last: number): number[] {
  const values: number[] = [];
  for (let value = 1; value <= last; value = Math.max(value + 1, Math.round(factor * value))) values.push(value);
  return values;
}

interface Course {
  /** ‖∇f(U_t)‖² for every recorded t. */
  readonly gradients: Float64Array;
  readonly value: number;
  /** Largest share of a step's gain that Corollary 1 promises, g′(0)²/2L. */
  readonly promised: number;
}

/** A step is a plane that was turned; with random pairs, any plane. */
async function courseOf(
  { objective }: Problem,
  L: number,
  start: Matrix64,
  rule: PairRule,
  seed: number,
): Promise<Course> {
  await objective.restore(start);
  const gradients = new Float64Array(RECORDED.length);
  gradients[0] = squaredGradient(objective);
  let [at, t, promised] = [1, 0, 0];
  for (const { rotation, taken } of visitPlanes(objective, rule, seed)) {
    if (rotation.gain > LEAST_GAIN * L) promised = Math.max(promised, rotation.slope ** 2 / (2 * L * rotation.gain));
    if (taken || rule === 'random') t++;
    if (t === RECORDED[at]) gradients[at++] = squaredGradient(objective);
    if (at === RECORDED.length) break;
  }
  gradients.fill(squaredGradient(objective), at); // no plane improves any more
  return { gradients, value: objective.value(), promised };
}

/** Mean squared gradients at the recorded steps. */
function meanOf(courses: readonly Course[]): Float64Array {
  return new Float64Array(RECORDED.length).map(
    (_, k) => courses.reduce((sum, { gradients }) => sum + gradients[k], 0) / RUNS,
  );
}

/** Measures at every T at once, for one problem and one start. */
const measuresOf = sharedAlong('T', async (point: Point, seed: number, signal: AbortSignal) => {
  const { kernels } = await singleThread();
  const problem = problemOf(point, seed, kernels);
  const start = randomOrthogonal(point.d, createRandom(seed, 'start'));
  await problem.objective.restore(start);
  const [first, L] = [problem.objective.value(), problem.lipschitz()];
  const run = async (rule: PairRule) => {
    const courses: Course[] = [];
    for (let k = 0; k < RUNS; k++) {
      signal.throwIfAborted();
      courses.push(await courseOf(problem, L, start, rule, RUNS * seed + k));
    }
    return courses;
  };
  const [courses4, courses1] = [await run('until-improvement'), await run('random')];
  const most = problem.most ?? Math.max(...[...courses4, ...courses1].map(({ value }) => value));
  const promised = Math.max(...courses4.map((course) => course.promised));
  return { mean4: meanOf(courses4), mean1: meanOf(courses1), rise: L * point.d ** 2 * (most - first), promised };
});

async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { mean4, mean1, rise, promised } = await measuresOf(point, seed, signal);
  const until = RECORDED.indexOf(point.T) + 1;
  return {
    mean4: mean4[until - 1],
    min4: Math.min(...mean4.subarray(0, until)),
    max4: Math.max(...mean4.subarray(0, until)),
    mean1: mean1[until - 1],
    min1: Math.min(...mean1.subarray(0, until)),
    bound: rise / (point.T + 1),
    promised,
  };
}

const DRAWN = [
  { name: 'bound', label: 'bound: L d² (f_max − f(U₀))/(T + 1)' },
  { name: 'min4', label: 'Algorithm 4: min over t ≤ T' },
  { name: 'mean4', label: 'Algorithm 4: at T' },
  { name: 'mean1', label: 'Algorithm 1: at T' },
];

const panelsOf = (summary: Summary, degree: number) =>
  [...new Set(summary.points.map(({ d }) => d))].map((d) => ({
    title: `d = ${d}`,
    lines: DRAWN.map(({ name, label }) => ({
      colour: label,
      cells: cellsOf(summary, name, { degree, d }).filter(({ median }) => median >= LEAST_DRAWN),
    })),
    logarithmic: true,
  }));

const chartOf = (summary: Summary, degree: number, suffix: string): Chart => ({
  suffix,
  caption: `Mean squared gradient against the number of steps, with the bound of theorem 2: ${OBJECTIVES[degree]}`,
  spec: lineChart({
    title: `Theorem 2: the squared gradient against its bound, ${OBJECTIVES[degree]}`,
    subtitle: `means over ${RUNS} runs from the same start, down to ${LEAST_DRAWN}`,
    along: 'T',
    x: 'number of steps T',
    y: 'mean of ‖∇f‖²',
    xLogarithmic: true,
    panels: panelsOf(summary, degree),
  }),
});

export const givensRate: Experiment = {
  name: 'givens-rate',
  group: GROUP,
  alone: true, // the points of a problem share its runs
  title: 'Rate of convergence of coordinate descent by Givens rotations',
  source: `${PAPER}, theorem 2 and corollary 1 of the supplement`,
  setting: [
    `The objectives, to be maximised: degree 3 is Σ T(u_i, u_i, u_i) of a tensor with orthogonal factors and weights uniform in [1, 2]; degree 4 is ‖Y U‖₄⁴/(3pθ) of Bernoulli-Gaussian data with
θ = ${THETA} and p = ${SAMPLES} d samples. E‖∇f(U_t)‖² is the mean over ${RUNS} runs that have U₀ in common and differ in the planes they draw. It is measured at ${RECORDED.length} steps t, so a minimum over them is no smaller than that
over all t. Both entries of a plane count: ‖∇f‖² = 2 Σ_{i<j} g′_ij(0)². A step of Algorithm 4 is a rotation that improves f; a step of Algorithm 1 is any plane it draws.`,
    `L bounds |g″| for all planes and all U. Degree 3: L = (10√5/3) λ_max = 7.45 λ_max. Degree 4: L = 8/(3pθ) times the largest eigenvalue of Σ vec(yyᵀ) vec(yyᵀ)ᵀ. The derivation is in the source,
lab/src/experiments/givens/problems.ts. f_max is Σλ for the tensor, and the best value of any run for the ℓ4 norm, which can only make the bound smaller.`,
    `The paper prints statement (2) with max over t; its proof ends with min. With max it cannot hold: the left side is at least ‖∇f(U₀)‖² for all T, and the right side tends to 0. The page has both as claims. The proof's
constant is that of a gradient whose planes count once: with both entries, as the paper has them, the mean in (3) is ‖∇f‖²/(2L d(d−1)), less than the printed ‖∇f‖²/(L d²) for d > 2, and the bound would have 2d(d−1)
in place of d². The measurements keep the smaller bound as printed.`,
  ],
  parameters: ['degree', 'd', 'T'],
  measures: [
    { name: 'mean4', label: 'Algorithm 4: E‖∇f(U_T)‖²' },
    { name: 'min4', label: 'its min over t ≤ T' },
    { name: 'max4', label: 'its max over t ≤ T' },
    { name: 'mean1', label: 'Algorithm 1: E‖∇f(U_T)‖²' },
    { name: 'min1', label: 'Algorithm 1: its min over t ≤ T' },
    { name: 'bound', label: 'bound L d² (f_max − f(U₀))/(T + 1)' },
    { name: 'promised', label: 'largest g′(0)²/2L over the gain of its step' },
  ],
  full: {
    points: pointsOf({ degree: [3, 4], d: [5, 10, 20, 30], T: STEPS }),
    trials: 5,
    words: 'The paper has no experiment on this; T up to 10,000.',
  },
  quick: {
    points: pointsOf({ degree: [3, 4], d: [10, 20], T: STEPS }),
    trials: 1,
    words: 'The paper has no experiment on this; T up to 10,000, d = 10 and 20 only.',
  },
  trial,
  charts: (summary) => [chartOf(summary, 3, ''), chartOf(summary, 4, '-l4')],
  claims: [
    below(
      'Theorem 2 as proved: along Algorithm 4, min over t ≤ T of E‖∇f(U_t)‖² is at most L d² (f(U₀) − f_min)/(T + 1), for every T.',
      'min4',
      ['bound'],
    ),
    below(
      'Theorem 2 as printed in (2): max over 0 ≤ t ≤ T of E‖∇f(U_t)‖² is at most L d² (f(U₀) − f_min)/(T + 1), for every T.',
      'max4',
      ['bound'],
    ),
    mostly(
      'Corollary 1: a step of Algorithm 4 improves f by at least ∇_ij f(U_t)²/2L, in every step of every run (gains below 1e-12 L, which are rounding, left out).',
      'promised',
      1,
      1,
    ),
    below('Algorithm 1, uniform with replacement, keeps the bound of theorem 2 too.', 'min1', ['bound']),
  ],
  references: [],
  referenceWords: 'The paper proves the bound and prints no numbers.',
};
