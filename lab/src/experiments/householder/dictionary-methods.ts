/** The methods of figures 1 and 2: how they are run, what they cost, and what the paper says of them. */
import { type Matrix64, metrics } from 'orthodict';
import { selectKernels, zeros } from 'orthodict/extend';
import type { Panel } from '../../charts/line-chart.ts';
import { type SpectralOptions, spectralReflectors } from '../../methods/householder/spectral.ts';
import { below, ratioBetween, type Where } from '../framework/claims.ts';
import type { Claim, Measure, Measured, Point } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { householderData, knownCodesDistance, learn, MEAN } from './problem.ts';

const METHODS = [
  { name: 'moments', label: 'Algorithm 3' },
  { name: 'spectral', label: '[4]' },
  { name: 'spectralMoments', label: '[4] from Algorithm 3' },
  { name: 'spectralKnown', label: '[4], codes known' },
  { name: 'procrustes', label: 'Procrustes, codes known' },
  { name: 'identity', label: 'V̂ = I' },
  { name: 'ours', label: 'orthodict' },
] as const;

export const secondsOf = (name: string): string => `${name}Seconds`;
export const workOf = (name: string): string => `${name}Work`;

export const methodMeasures: readonly Measure[] = METHODS.flatMap(({ name, label }) => [
  { name, label, method: label, column: 'error' },
  { name: secondsOf(name), label: `${label}, seconds`, method: label, column: 'seconds' },
  { name: workOf(name), label: `${label}, multiplications`, method: label, column: 'multiplications' },
]);

export const METHOD_WORDS = [
  `Samples Y = H_1 … H_m X, entries of u uniform and normalised, codes Bernoulli(θ) × Uniform[1, 2], no noise. The error is ‖V − V̂‖_F.
Algorithm 3, the paper's, starts from I and is given θ and μ; Procrustes is given X and leaves V random outside the span of X; orthodict runs with its default options and is given only m; V̂ = I is no method at all.`,
  `[4] is the spectral method of Rusu, González-Prelcic & Heath. It alternates the θn largest codes of every sample with one eigenvector per reflector, 30 times (column sweeps of the raw trials), as in the program its authors publish, and is given θ.
Its own start takes the codes in the left singular vectors of Y. Dash & Siripuram do not say how they started it, so it also starts from Algorithm 3, and it is run with X known, as Procrustes is.`,
  `What [4] lowers is ‖Y − VX‖, and with so few samples a wrong V does that as well: from its own start and from Algorithm 3 it ends with a small residual and, for m > 1, with an error above that of V̂ = I. With X known it is exact for m = 1, gets near for few reflectors, and has about the error of Algorithm 3 from m = 5 on, which is what the paper reports.`,
  `Seconds are those of this implementation, which never forms an n×n matrix. Multiplications are counted for the methods as published: 3nmp + 4nm for Algorithm 3, which reflects the samples; for [4] n²p for XYᵀ per iteration, 6n² for reflecting it per step, and n² for each product with a vector on the way to an eigenvector.`,
];

/** Runs all methods on the same data. */
export async function dictionaryErrors(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const data = householderData(point, seed);
  const { m, n, p, theta, sweeps } = point;
  const kernels = await selectKernels('auto');
  const distance = (reflectors: Matrix64) => metrics.productDistance(reflectors, data.reflectors);
  const given = { reflectors: m, theta, mean: MEAN };
  const moments = await timed(() => learn(data, { ...given, refine: 'none' }, signal));
  const ours = await timed(() => learn(data, { reflectors: m }, signal));
  const procrustes = await timed(() => knownCodesDistance(data));
  const runs = { reflectors: m, codes: Math.round(theta * n), maxIterations: sweeps };
  const spectral = async (name: string, options: Partial<SpectralOptions>): Promise<Measured> => {
    signal.throwIfAborted();
    const { result, seconds } = await timed(() => spectralReflectors(data.samples, { ...runs, ...options }, kernels));
    const { iterations, products } = result;
    const work = iterations * (n * n * p + 6 * m * n * n + 2 * m * n * p) + products * n * n;
    return { [name]: distance(result.reflectors), [secondsOf(name)]: seconds, [workOf(name)]: work };
  };
  return {
    moments: distance(moments.result),
    momentsSeconds: moments.seconds,
    momentsWork: 3 * n * m * p + 4 * n * m,
    ...(await spectral('spectral', { start: 'svd' })),
    ...(await spectral('spectralMoments', { start: moments.result })),
    ...(await spectral('spectralKnown', { start: 'identity', knownCodes: data.codes })),
    procrustes: procrustes.result,
    procrustesSeconds: procrustes.seconds,
    identity: distance(zeros(0, n)),
    ours: distance(ours.result),
    oursSeconds: ours.seconds,
  };
}

async function timed<T>(run: () => T | Promise<T>): Promise<{ result: T; seconds: number }> {
  const began = performance.now();
  const result = await run();
  return { result, seconds: (performance.now() - began) / 1000 };
}

/** The paper's methods on the paper's axes, then without Procrustes, and all of them on a logarithmic axis. */
export function methodPanels(summary: Summary, theta: number): Panel[] {
  const lines = METHODS.map(({ name, label }) => ({ colour: label, cells: cellsOf(summary, name, { theta }) }));
  return [
    { title: "the paper's contenders", lines: lines.slice(0, -1), logarithmic: false },
    {
      title: 'without Procrustes and orthodict',
      lines: lines.filter(({ colour }) => !/Procrustes|orthodict/.test(colour)),
      logarithmic: false,
    },
    { title: 'and orthodict, logarithmic', lines, logarithmic: true },
  ];
}

/** How much better "slightly better" may be. */
const SLIGHTLY = 2;

/** "… does slightly better than the method proposed in [4] but with much better computational complexity." */
export const peerClaims = (grown: Where, where: string): readonly Claim[] => [
  slightlyBetter('"slightly better than the method proposed in [4]", from its own start', 'spectral'),
  slightlyBetter('"slightly better than [4]" where [4] starts from Algorithm 3', 'spectralMoments'),
  slightlyBetter('"slightly better than [4]" where [4] knows the codes', 'spectralKnown'),
  slightlyBetter(`"slightly better than [4]" where [4] knows the codes, ${where}`, 'spectralKnown', grown),
  below(
    'Algorithm 3 has "much better computational complexity" than [4]: at most a fiftieth of the multiplications.',
    workOf('moments'),
    [workOf('spectral')],
    undefined,
    1 / 50,
  ),
  below(
    'Algorithm 3 takes at most a tenth of the time of [4].',
    secondsOf('moments'),
    [secondsOf('spectral')],
    undefined,
    0.1,
  ),
];

const slightlyBetter = (words: string, measure: string, where?: Where): Claim =>
  ratioBetween(
    `Algorithm 3 does ${words}: lower error everywhere, by a factor below ${SLIGHTLY}.`,
    measure,
    'moments',
    [1, SLIGHTLY],
    where,
  );
