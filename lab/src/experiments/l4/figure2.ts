/** One step of MSP on rotations of the plane: θ ← atan(tan³ θ). */
import { fromRows, type Matrix64 } from 'orthodict';
import { createRandom } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { mostly } from '../framework/claims.ts';
import { type Experiment, type Point, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { GROUP, onGroup, PAPER } from './l4-runs.ts';

const DEGREE = Math.PI / 180;
const ROUNDING = 1e-9;
/** Radians. */
const PERTURBATION = 1e-6;

const rotation = (angle: number): Matrix64 =>
  fromRows([
    [Math.cos(angle), -Math.sin(angle)],
    [Math.sin(angle), Math.cos(angle)],
  ]);

/** The angle of the rotation in degrees. */
const angleOf = ({ data }: Matrix64): number => Math.atan2(data[2], data[0]) / DEGREE;

/** Between angles in degrees, modulo `turn`. */
const distance = (a: number, b: number, turn: number): number => Math.abs(a - b - turn * Math.round((a - b) / turn));

/** The x + 360° k closest to the start, so that the curve has no jumps. */
const unwrap = (angle: number, near: number): number => angle - 360 * Math.round((angle - near) / 360);

const isHadamard = ({ degrees }: Point): boolean => Math.abs(degrees) % 90 === 45;

const linesOf = (summary: Summary, most: number) =>
  ['formula', 'step'].map((measure) => ({
    colour: measure === 'formula' ? 'atan(tan³ θ), the paper' : 'a step of MSP, here',
    stroke: measure === 'formula' ? 'the paper' : 'here',
    cells: cellsOf(summary, measure).filter(({ point }) => Math.abs(point.degrees) <= most),
  }));

export const figure2: Experiment = {
  name: 'figure2',
  group: GROUP,
  title: 'The map of MSP on rotations of the plane',
  source: `${PAPER}, figure 2 and proposition 17`,
  setting: [
    `MSP on SO(2) from a rotation by θ: the first step is compared with atan(tan³ θ) up to half a turn, by which signed permutations differ; then MSP runs to its end.
Angles are in degrees. On the whole circle the curve is drawn without the jumps of atan: a step stays in its quadrant.`,
    `Rotations by odd multiples of 45° are Hadamard matrices: fixed points but not maximisers. There, MSP also starts from the angle perturbed by normal noise of ${PERTURBATION} radians.`,
  ],
  parameters: ['degrees'],
  measures: [
    { name: 'step', label: 'after a step' },
    { name: 'formula', label: 'atan(tan³ θ)' },
    { name: 'distance', label: 'their distance' },
    { name: 'moved', label: 'moved by' },
    { name: 'iterations', label: 'iterations to a signed permutation' },
    { name: 'error', label: '1 − ‖A‖₄⁴/2 at the end' },
    { name: 'perturbedError', label: 'the same, perturbed' },
  ],
  full: {
    points: pointsOf({ degrees: range(-180, 180, 1) }),
    trials: 10,
    words: 'Every degree of the circle.',
  },
  quick: {
    points: pointsOf({ degrees: range(-180, 180, 5) }),
    trials: 2,
    words: 'Every fifth degree of the circle.',
  },
  async trial(point, seed, signal) {
    const { degrees } = point;
    const angle = degrees * DEGREE;
    const start = (radians: number) => ({ start: rotation(radians) });
    const first = await onGroup(2, { ...start(angle), maxIterations: 1 }, signal);
    const step = unwrap(angleOf(first.last), degrees);
    const formula = unwrap(Math.atan2(Math.sin(angle) ** 3, Math.cos(angle) ** 3) / DEGREE, degrees);
    const measured = {
      step,
      formula,
      distance: distance(step, Math.atan(Math.tan(angle) ** 3) / DEGREE, 180),
      moved: distance(step, degrees, 360),
    };
    if (isHadamard(point)) {
      const noise = PERTURBATION * createRandom(seed, 'perturbation').normal();
      const perturbed = await onGroup(2, start(angle + noise), signal);
      return { ...measured, iterations: perturbed.iterations, perturbedError: perturbed.error };
    }
    const { iterations, error } = await onGroup(2, start(angle), signal);
    return { ...measured, iterations, error };
  },
  charts: (summary) => [
    {
      caption: 'The angle after a step of MSP against the angle before it, on half and on all of the circle',
      spec: lineChart({
        title: 'Figure 2: θ after a step of MSP on SO(2)',
        subtitle: 'formula and measurement coincide',
        along: 'degrees',
        x: 'θ in degrees',
        y: 'θ after a step, in degrees',
        panels: [
          { title: 'between −90° and 90°', lines: linesOf(summary, 90), logarithmic: false },
          { title: 'the whole circle', lines: linesOf(summary, 180), logarithmic: false },
        ],
      }),
    },
  ],
  claims: [
    mostly('A step is atan(tan³ θ), to rounding, everywhere.', 'distance', ROUNDING, 1),
    mostly('Multiples of 45° are fixed points.', 'moved', ROUNDING, 1, ({ degrees }) => degrees % 45 === 0),
    mostly('From everywhere else MSP ends in a signed permutation.', 'error', 1e-12, 1),
    mostly(
      'From everywhere else it takes at most 8 iterations: convergence is superlinear.',
      'iterations',
      8,
      1,
      (point) => !isHadamard(point),
    ),
    mostly(
      'Hadamard matrices are unstable: a perturbed one ends in a signed permutation.',
      'perturbedError',
      1e-12,
      1,
      isHadamard,
    ),
  ],
  references: [],
  referenceWords: 'The paper draws the formula.',
};
