/** Whether a certificate can be trusted: runs on both sides of where recovery begins, and on data without zeros. */
import { recoveryError } from '../../metrics/recovery-error.ts';
import { learn } from '../../node/learn.ts';
import { formatFigure } from '../charts/figures.ts';
import { lineChart } from '../charts/line-chart.ts';
import { mostly, NOT_MEASURED } from '../framework/claims.ts';
import { type Claim, type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { markdownTable } from '../framework/number-table.ts';
import { type Cell, cellsOf, type Summary } from '../framework/summary.ts';
import { bernoulliGaussian, singleThread } from '../l4/l4-runs.ts';
import { checkCertificate } from './check-certificate.ts';
import { laplaceSamples } from './laplace-codes.ts';
import { CERTIFICATE_CLAIMS, CERTIFICATE_MEASURES, GROUP, RECOVERED } from './recovered.ts';

/** What a run says of its atoms. Its error is measured under this name, and under no other. */
const VERDICTS = [
  { name: 'all', label: 'error, all atoms certified', words: 'all atoms certified' },
  { name: 'some', label: 'error, some certified', words: 'some certified' },
  { name: 'reproducible', label: 'error, none certified but reproducible', words: 'reproducible' },
  { name: 'none', label: 'error, neither', words: 'neither' },
] as const;

/** Point: n, laplace (1 or 0), theta, p. */
async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { samples, atoms } = point.laplace === 1 ? laplaceSamples(point, seed) : bernoulliGaussian(point, seed);
  const executor = await singleThread();
  const result = await learn(samples, { seed }, { executor, signal });
  const checked = checkCertificate(result, atoms);
  const verdict =
    checked.certified === point.n
      ? 'all'
      : checked.certified > 0
        ? 'some'
        : result.certainty?.reproducible
          ? 'reproducible'
          : 'none';
  return { [verdict]: recoveryError(result.dictionary.atoms, atoms), ...checked };
}

const KINDS: ReadonlyArray<{ readonly words: string; readonly where: (point: Point) => boolean }> = [
  { words: 'Bernoulli × normal', where: ({ laplace, theta }) => laplace === 0 && theta < 1 },
  { words: 'Bernoulli × Laplace', where: ({ laplace, theta }) => laplace === 1 && theta < 1 },
  { words: 'normal, no zeros', where: ({ laplace, theta }) => laplace === 0 && theta === 1 },
  { words: 'Laplace, no zeros', where: ({ laplace, theta }) => laplace === 1 && theta === 1 },
];

const isRight = (error: number): boolean => error <= RECOVERED;

const errorsOf = (cells: readonly Cell[]): number[] => cells.flatMap(({ values }) => [...values]);

/** Counts of runs by what they say and whether they are right: a row for every kind of codes. */
function counts(summary: Summary): string {
  const rows = KINDS.flatMap(({ words, where }) => {
    const errors = VERDICTS.map(({ name }) => errorsOf(cellsOf(summary, name).filter(({ point }) => where(point))));
    const runs = errors.reduce((sum, { length }) => sum + length, 0);
    if (runs === 0) return [];
    const split = errors.flatMap((own) => {
      const right = own.filter(isRight).length;
      return [right, own.length - right];
    });
    return [[words, runs, ...split].map(String)];
  });
  const headers = VERDICTS.flatMap(({ words }) => [`${words}: right`, 'wrong']);
  return [
    `Runs by what they say of their atoms; right is an error of at most ${RECOVERED}:`,
    markdownTable(['codes', 'runs', ...headers], rows),
  ].join('\n\n');
}

const rightIfCertified: Claim = mostly(
  `No run with all atoms certified is wrong: its error is at most ${RECOVERED}.`,
  'all',
  RECOVERED,
  1,
);

const certifiedIfRight: Claim = {
  words: 'At least 90 % of the runs that are right have all atoms certified.',
  check(summary) {
    const [all, ...others] = VERDICTS.map(({ name }) => errorsOf(cellsOf(summary, name)).filter(isRight).length);
    const right = others.reduce((sum, count) => sum + count, all);
    if (right === 0) return NOT_MEASURED;
    return { holds: all >= 0.9 * right, measured: `${all} of ${right}` };
  },
};

const denseIsNever: Claim = mostly(
  'Codes without zeros, normal or Laplacian, are never certified.',
  'certified',
  0,
  1,
  ({ theta }) => theta === 1,
);

const nearIfReproducible: Claim = {
  words: 'A run that is reproducible, but not certified, has an error of at most .1.',
  check(summary) {
    const errors = errorsOf(cellsOf(summary, 'reproducible'));
    if (errors.length === 0) return { holds: true, measured: 'no such run' };
    const most = Math.max(...errors);
    return { holds: most <= 0.1, measured: `${errors.length} runs, largest error ${formatFigure(most)}` };
  },
};

/** Where half of the runs recover the dictionary, about, at n = 50; and multiples of it. */
const BORDER: ReadonlyArray<readonly [theta: number, p: readonly number[]]> = [
  [0.1, [75, 100, 125, 150, 200, 300]],
  [0.2, [75, 100, 125, 150, 200, 300]],
  [0.3, [75, 100, 125, 150, 200, 300]],
  [0.4, [100, 125, 150, 200, 250, 400]],
  [0.5, [150, 200, 250, 300, 400, 600]],
  [0.6, [250, 350, 450, 600, 800, 1200]],
  [0.7, [600, 800, 1000, 1300, 1600, 2500]],
  [0.8, [2000, 2500, 3000, 3500, 4500, 6000]],
];

const atBorder = (thetas: readonly number[], pick: (p: readonly number[]) => readonly number[]): Point[] =>
  BORDER.filter(([theta]) => thetas.includes(theta)).flatMap(([theta, p]) =>
    pointsOf({ n: [50], laplace: [0], theta: [theta], p: pick(p) }),
  );

/** Laplacian codes with zeros, and codes without. */
const others = (p: readonly number[], sparse: readonly number[]): Point[] => [
  ...pointsOf({ n: [50], laplace: [0, 1], theta: [1], p }),
  ...pointsOf({ n: [50], laplace: [1], theta: [0.3], p: sparse }),
];

export const certificate: Experiment = {
  name: `${GROUP}-certificate`,
  group: GROUP,
  title: 'Can a certificate be trusted?',
  source: 'Not in the papers',
  setting: [
    'Samples Y = X D, D orthogonal, the codes X Bernoulli(θ) × normal, or Bernoulli(θ) × Laplace (laplace = 1); with θ = 1 there are no zeros. The numbers of samples lie on both sides of where recovery begins. orthodict runs with its default options and says without knowing D which atoms are certified by their zeros, or that two starts ended in the same atoms.',
    'The truth is the judge: the error of the dictionary is |1 − ‖A Dᵀ‖₄⁴/n|, and a certified atom is right if its |cosine| with the true atom that it matches exceeds 1 − 1e-8. If that is below .99, it is no true atom at all.',
  ],
  parameters: ['n', 'laplace', 'theta', 'p'],
  measures: [...VERDICTS.map(({ name, label }) => ({ name, label })), ...CERTIFICATE_MEASURES],
  full: {
    points: [
      ...atBorder(
        BORDER.map(([theta]) => theta),
        (p) => p,
      ),
      ...others([500, 2000, 10_000], [100, 150, 300]),
    ],
    trials: 9,
    words: 'n = 50; p around the beginning of recovery at every θ, and data without zeros.',
  },
  quick: {
    points: [...atBorder([0.1, 0.3, 0.5], (p) => p.slice(1, 5)), ...others([500], [150])],
    trials: 4,
    words: 'n = 50, fewer θ and p.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Atoms certified against the number of samples, by sparsity',
      spec: lineChart({
        title: 'Certified atoms',
        subtitle: 'n = 50, Bernoulli × normal codes; medians and the middle 80 % of the trials',
        along: 'p',
        x: 'number of samples p',
        xLogarithmic: true,
        y: 'atoms certified, of 50',
        panels: [
          {
            logarithmic: false,
            lines: [...new Set(summary.points.filter(KINDS[0].where).map(({ theta }) => theta))].map((theta) => ({
              colour: `θ = ${theta}`,
              cells: cellsOf(summary, 'certified', { theta, laplace: 0 }),
            })),
          },
        ],
      }),
    },
  ],
  overview: counts,
  claims: [rightIfCertified, ...CERTIFICATE_CLAIMS, certifiedIfRight, denseIsNever, nearIfReproducible],
  references: [],
  referenceWords: 'The papers have nothing to compare with.',
};
