/** How few samples each method needs to recover a dictionary exactly. */
import { recoveryError } from 'orthodict';
import { learn } from 'orthodict/node';
import { heatMap } from '../../charts/heat-map.ts';
import { formatFigure } from '../../report/numbers.ts';
import { markdownTable } from '../../report/table.ts';
import { mostly, NOT_MEASURED } from '../framework/claims.ts';
import {
  type Claim,
  describePoint,
  type Experiment,
  type Measured,
  type Point,
  pointsOf,
  range,
} from '../framework/experiment.ts';
import { type Cell, cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { bernoulliGaussian, singleThread } from '../l4/l4-runs.ts';
import { DEFAULT, MSP, NORM3 } from '../l4/phase-transition.ts';
import { checkCertificate } from './check-certificate.ts';
import { certificateLimit, equationLimit } from './limits.ts';
import { CERTIFICATE_CLAIMS, CERTIFICATE_MEASURES, GROUP, RECOVERED } from './recovered.ts';

const CONTENDERS = [MSP, NORM3, DEFAULT];
/** The dimension of the map; others have a few points only. */
const N = 50;

/** Point: n, limit (of iterations, but for the default), theta, p. */
async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { samples, atoms } = bernoulliGaussian(point, seed);
  const executor = await singleThread();
  const run = (options: (typeof CONTENDERS)[number]['options']) =>
    learn(samples, { ...options, seed }, { executor, signal });
  const limited = { maxIterations: point.limit };
  const ours = await run(DEFAULT.options);
  return {
    error: recoveryError((await run({ ...MSP.options, ...limited })).dictionary.atoms, atoms),
    oursL3: recoveryError((await run({ ...NORM3.options, ...limited })).dictionary.atoms, atoms),
    ours: recoveryError(ours.dictionary.atoms, atoms),
    ...checkCertificate(ours, atoms),
  };
}

const shareRecovered = ({ values }: Cell): number =>
  values.filter((error) => error <= RECOVERED).length / values.length;

/** The smallest p of the grid from which on this share of the trials is recovered, or more. */
function beginning(summary: Summary, measure: string, curve: Point, share: number): number | undefined {
  const cells = cellsOf(summary, measure, curve).sort((a, b) => b.point.p - a.point.p);
  const failed = cells.findIndex((cell) => shareRecovered(cell) < share);
  return (failed < 0 ? cells.at(-1) : cells[failed - 1])?.point.p;
}

/** The smallest p of the grid at which all trials are recovered, though they may not be at a larger one. */
function first(summary: Summary, measure: string, curve: Point): number | undefined {
  const found = cellsOf(summary, measure, curve).filter((cell) => shareRecovered(cell) === 1);
  return found.length > 0 ? Math.min(...found.map(({ point }) => point.p)) : undefined;
}

const SHARES = [0.5, 1];

/** Where recovery begins: a row for every n and θ. */
function beginnings(summary: Summary): string {
  const methods = CONTENDERS.slice(1);
  const curves = [...new Map(summary.points.map(({ n, theta }) => [`${n} ${theta}`, { n, theta }])).values()];
  const rows = curves.map((curve) => {
    const most = Math.max(...cellsOf(summary, DEFAULT.name, curve).map(({ point }) => point.p));
    const found = methods.flatMap(({ name }) =>
      [...SHARES.map((share) => beginning(summary, name, curve, share)), first(summary, name, curve)].map(
        (p) => p ?? `> ${most}`,
      ),
    );
    const limits = [equationLimit(curve), certificateLimit(curve)].map((limit) => limit.toFixed(0));
    return [curve.n, curve.theta, ...limits, ...found].map(String);
  });
  const headers = methods.flatMap(({ label }) => [
    ...SHARES.map((share) => `${label}: ${100 * share} %`),
    `${label}: first 100 %`,
  ]);
  return [
    'The number of samples from which on half of the trials, or all, are recovered at every larger p of the grid, and the first at which all are:',
    markdownTable(['n', 'θ', 'p of as many equations', 'p of a certificate', ...headers], rows),
  ].join('\n\n');
}

/** All trials recover the dictionary at all of these points. */
const exact = (words: string, where: (point: Point) => boolean): Claim =>
  mostly(words, DEFAULT.name, RECOVERED, 1, where);

/** A point where another method recovers more trials than the default does is a counterexample. */
const atLeastNorm3: Claim = {
  words: 'Nowhere do ℓ3 and refinement alone recover the dictionary in more trials than orthodict.',
  check(summary) {
    const pairs = cellsOf(summary, DEFAULT.name).map((ours) => ({
      ours,
      other: cellAt(summary, NORM3.name, ours.point)!,
    }));
    const lost = pairs.filter(({ ours, other }) => shareRecovered(other) > shareRecovered(ours));
    const count = (cells: readonly Cell[]) => cells.filter((cell) => shareRecovered(cell) === 1).length;
    const [won, wonByOther] = [pairs.map(({ ours }) => ours), pairs.map(({ other }) => other)].map(count);
    const places = lost.map(({ ours }) => describePoint(ours.point, summary.varying));
    return {
      holds: lost.length === 0,
      measured: `of ${pairs.length} cells all trials in ${won} against ${wonByOther}${lost.length > 0 ? `; not at ${places.join('; ')}` : ''}`,
    };
  },
};

/** Zeros are too few there, but for luck. */
const noneBelow: Claim = {
  words: 'Below p = n/(1 − θ) no run certifies all of its atoms.',
  check(summary) {
    const cells = cellsOf(summary, 'certified').filter(({ point }) => point.p < certificateLimit(point));
    if (cells.length === 0) return NOT_MEASURED;
    const most = cells.reduce((best, cell) => (cell.values.at(-1)! > best.values.at(-1)! ? cell : best));
    return {
      holds: cells.every(({ values, point }) => values.at(-1)! < point.n),
      measured: `${cells.length} cells, at most ${formatFigure(most.values.at(-1)!)} atoms at ${describePoint(most.point, summary.varying)}`,
    };
  },
};

const inMap = ({ n }: Point): boolean => n === N;
const scaled = (n: number, limit: number): Point[] =>
  pointsOf({ n: [n], limit: [limit], theta: [0.1, 0.3, 0.5], p: [2, 3, 4, 6, 8, 10].map((k) => k * n) });

export const fewSamples: Experiment = {
  name: `${GROUP}-few-samples`,
  group: GROUP,
  title: 'How few samples are enough',
  source: 'Not in the papers: figure 8(a) of the ℓ4 paper begins at p = 500',
  setting: [
    `Samples Y = X D, D orthogonal, X Bernoulli(θ) × normal. The error is |1 − ‖A Dᵀ‖₄⁴/n|, and the colour of a cell is its mean over the trials. A dot marks a mean error of at most ${RECOVERED}: the dictionary is exact in all trials.`,
    'orthodict runs with its default options. "Only ℓ3 and refinement" is orthodict with norm 3 and without the search by maximum likelihood (`--norm 3 --fallback none`). The parameter limit caps the iterations of all but the default. MSP leaves the error of its norm, so it is exact nowhere.',
    'The lines are what counting tells. Each zero of the codes is an equation for the n(n − 1)/2 unknowns of an orthogonal matrix: below the solid line, p = (n − 1)/(2(1 − θ)), there are fewer equations than unknowns. Below the dashed line, p = n/(1 − θ), an atom has fewer than n zeros on average, and any data can be turned so that a direction has n − 1: no atom can be certified. With very sparse codes something else is short: an atom that occurs in no sample cannot be learned.',
  ],
  parameters: ['n', 'limit', 'theta', 'p'],
  measures: [...CONTENDERS.map(({ name, label }) => ({ name, label })), ...CERTIFICATE_MEASURES],
  full: {
    points: [
      ...pointsOf({
        n: [N],
        limit: [400],
        theta: range(1, 16).map((k) => k / 20),
        p: [50, 75, 100, 125, 150, 175, 200, 250, 300, 350, 400, 450, 500],
      }),
      ...scaled(25, 400),
      ...scaled(100, 400),
    ],
    trials: 5,
    words: 'n = 50, θ from .05 to .8, p from 50 to 500; some points with n = 25 and n = 100. At most 400 iterations.',
  },
  quick: {
    points: pointsOf({ n: [N], limit: [100], theta: [0.1, 0.3, 0.5, 0.7], p: [50, 100, 200, 300, 500] }),
    trials: 1,
    words: 'n = 50, fewer θ and p. At most 100 iterations.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Mean error by sparsity and number of samples below 500, for MSP, ℓ3 with refinement and orthodict',
      spec: heatMap({
        title: 'How few samples are enough',
        subtitle: `n = ${N}; dots: exact; solid line: equations = unknowns; dashed line: n zeros per atom`,
        across: 'theta',
        x: 'sparsity θ',
        up: 'p',
        y: 'number of samples p',
        colour: 'mean error',
        dotted: RECOVERED,
        panels: CONTENDERS.map(({ name, label }) => ({ title: label, cells: cellsOf(summary, name, { n: N }) })),
        curves: [
          { up: (theta) => equationLimit({ n: N, theta }), dashed: false },
          { up: (theta) => certificateLimit({ n: N, theta }), dashed: true },
        ],
      }),
    },
  ],
  overview: beginnings,
  claims: [
    exact(
      'With n = 50, orthodict is exact in all trials from p = 200 on for θ from .1 to .3.',
      (point) => inMap(point) && point.p >= 200 && point.theta >= 0.1 && point.theta <= 0.3,
    ),
    exact(
      'So it is with p = 500 for θ from .1 to .5.',
      (point) => inMap(point) && point.p >= 500 && point.theta >= 0.1 && point.theta <= 0.5,
    ),
    exact(
      'For θ from .2 to .4 it is exact in all trials from five times the limit of equations on.',
      (point) => inMap(point) && point.theta >= 0.2 && point.theta <= 0.4 && point.p >= 5 * equationLimit(point),
    ),
    atLeastNorm3,
    ...CERTIFICATE_CLAIMS,
    noneBelow,
  ],
  references: [],
  referenceWords: 'The papers have nothing to compare with.',
};
