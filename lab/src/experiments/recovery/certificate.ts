/** Whether a certificate can be trusted: runs on both sides of where recovery begins, and on data made to deceive it. */
import { InputError, matchAtoms, type Refusal } from 'orthodict';
import { learn } from 'orthodict/node';
import { lineChart } from '../../charts/line-chart.ts';
import { markdownTable } from '../../report/table.ts';
import { mostly, NOT_MEASURED } from '../framework/claims.ts';
import { type Claim, type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { type Cell, cellsOf, type Summary } from '../framework/summary.ts';
import { singleThread } from '../l4/l4-runs.ts';
import { checkCertificate } from './check-certificate.ts';
import { FAMILIES, familyOf, LAPLACE, NORMAL } from './families.ts';
import { CERTIFICATE_CLAIMS, CERTIFICATE_MEASURES, GROUP, RECOVERED } from './recovered.ts';

/** How many atoms a run certifies. The largest error of its atoms is measured under this name, and under no other. */
const VERDICTS = [
  { name: 'all', label: 'error, all atoms certified' },
  { name: 'some', label: 'error, some certified' },
  { name: 'none', label: 'error, none certified' },
] as const;

/** The numbers of the reasons in the raw trials. */
const REFUSALS: Readonly<Record<Refusal, number>> = {
  'no energy': 1,
  'no zeros': 2,
  'few zeros': 3,
  undetermined: 4,
  shared: 5,
  'few values': 6,
  imprecise: 7,
  others: 8,
};

/** Point: family, n, theta, p. */
async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { samples, atoms, options } = familyOf(point, seed);
  const executor = await singleThread();
  try {
    const result = await learn(samples, { ...options, seed }, { executor, signal });
    const checked = checkCertificate(result, atoms);
    const verdict = checked.certified === 0 ? 'none' : checked.certified < point.n ? 'some' : 'all';
    const refusal = result.certainty?.refusal;
    const error = matchAtoms(result.dictionary.atoms, atoms).maxAtomError;
    return { [verdict]: error, ...checked, refusal: refusal && REFUSALS[refusal] };
  } catch (error) {
    if (error instanceof InputError) return { rejected: 1 };
    throw error;
  }
}

type Where = (point: Point) => boolean;

const isSparse = ({ theta }: Point): boolean => theta < 1;

/** The rows of the table of counts. */
const KINDS: ReadonlyArray<{ readonly words: string; readonly where: Where }> = [
  ...FAMILIES.map(({ words }, family) => ({
    words,
    where: (point: Point) => point.family === family && isSparse(point),
  })),
  ...[NORMAL, LAPLACE].map((family) => ({
    words: `${FAMILIES[family].words}, none of them zero`,
    where: (point: Point) => point.family === family && !isSparse(point),
  })),
];

const isExact = (error: number): boolean => error <= RECOVERED;

const valuesOf = (cells: readonly Cell[]): number[] => cells.flatMap(({ values }) => [...values]);

function commonest(values: readonly number[]): string {
  const times = (code: number) => values.filter((value) => value === code).length;
  const [first] = Object.entries(REFUSALS).sort(([, a], [, b]) => times(b) - times(a));
  return times(first[1]) === 0 ? '–' : first[0];
}

/** Counts of runs and atoms: a row for every kind of data. */
function counts(summary: Summary): string {
  const rows = KINDS.map(({ words, where }) => {
    const own = (measure: string) => cellsOf(summary, measure).filter(({ point }) => where(point));
    const errors = VERDICTS.map(({ name }) => valuesOf(own(name)));
    const sum = (measure: string) => valuesOf(own(measure)).reduce((total, value) => total + value, 0);
    const runs = errors.flat().length + sum('rejected');
    return [
      words,
      runs,
      sum('rejected'),
      errors.flat().filter(isExact).length,
      errors[0].length,
      errors[1].length,
      sum('certified'),
      sum('wrong'),
      commonest(valuesOf(own('refusal'))),
    ];
  });
  const measured = rows.filter(([, runs]) => runs !== 0);
  const total = (at: number) => measured.reduce((sum, row) => sum + Number(row[at]), 0);
  const all = ['all', ...[1, 2, 3, 4, 5, 6, 7].map(total), commonest(valuesOf(cellsOf(summary, 'refusal')))];
  return [
    `Runs by kind of data. A run is exact if every atom is at most ${RECOVERED} from a true one; an atom is wrong if it is certified and further from a true one than its certificate says:`,
    markdownTable(
      [
        'data',
        'runs',
        'rejected',
        'exact',
        'all atoms certified',
        'some',
        'atoms certified',
        'wrong',
        'commonest refusal',
      ],
      [...measured, all].map((row) => row.map(String)),
    ),
  ].join('\n\n');
}

const certifiedIfExact: Claim = {
  words: 'At least 90 % of the exact runs with normal codes and p ≥ 8 n have all atoms certified.',
  check(summary) {
    const exact = VERDICTS.map(({ name }) => {
      const cells = cellsOf(summary, name, { family: NORMAL });
      return valuesOf(cells.filter(({ point }) => isSparse(point) && point.p >= 8 * point.n)).filter(isExact).length;
    });
    const runs = exact.reduce((sum, count) => sum + count);
    return runs === 0 ? NOT_MEASURED : { holds: exact[0] >= 0.9 * runs, measured: `${exact[0]} of ${runs}` };
  },
};

/** Codes for which another basis has as many zeros, or no basis has any. */
const never = (words: string, where: Where): Claim => mostly(words, 'certified', 0, 1, where);

/** Multiples of n for p, about where recovery begins. */
const MULTIPLES: ReadonlyArray<readonly [theta: number, multiples: readonly number[]]> = [
  [0.05, [1, 2, 4, 8, 16, 40]],
  [0.1, [1, 2, 3, 5, 8, 20]],
  [0.2, [1, 2, 3, 5, 8, 20]],
  [0.3, [1, 2, 3, 5, 8, 20]],
  [0.4, [2, 3, 5, 8, 12, 30]],
  [0.5, [2, 4, 6, 8, 16, 40]],
  [0.6, [4, 8, 12, 16, 30, 60]],
  [0.7, [8, 16, 25, 40, 80, 160]],
  [0.8, [20, 40, 60, 90, 150, 300]],
  [0.9, [50, 100, 200, 400]],
];

/** n = 50, p = 20,000 takes ten seconds. */
const isCheap = ({ n, p }: Point): boolean => n < 50 || p <= 150 * n;

const boundary: readonly Point[] = MULTIPLES.flatMap(([theta, multiples]) =>
  [8, 16, 25, 50].flatMap((n) =>
    pointsOf({ family: [NORMAL], n: [n], theta: [theta], p: multiples.map((times) => times * n) }),
  ),
).filter(isCheap);

const dense = pointsOf({ family: [NORMAL, LAPLACE], n: [8, 25, 50], theta: [1], p: [200, 2000] });

/** All families, with these multiples of n for p. */
const families = (sizes: readonly number[], cells: ReadonlyArray<readonly [theta: number, times: number]>): Point[] =>
  FAMILIES.flatMap((_, family) =>
    sizes.flatMap((n) => cells.map(([theta, times]) => ({ family, n, theta, p: times * n }))),
  );

const FAMILY_CELLS = [
  [0.1, 10],
  [0.3, 12],
  [0.6, 70],
] as const;

export const certificate: Experiment = {
  name: `${GROUP}-certificate`,
  group: GROUP,
  title: 'Can a certificate be trusted?',
  source: 'Not in the papers',
  setting: [
    'Samples Y = X D, D orthogonal, X Bernoulli(θ) × normal, with p on both sides of where recovery begins; codes without zeros, θ = 1; and families of other data, most of them made to deceive the certificate. The parameter family numbers the rows of the overview from 0. orthodict runs with its default options, but for those that a family names, and says without knowing D which atoms are certified.',
    'The truth is the judge, atom by atom. A certificate names the largest distance of an atom to the true one, both of length 1: a certified atom is wrong if it is further away. If its |cosine| with the true atom that it matches is below .99, it is no true atom at all.',
    'A run is rejected if the samples are no data to learn from, such as samples that are all zero. docs/certificate.md explains the refusals.',
  ],
  parameters: ['family', 'n', 'theta', 'p'],
  measures: [
    ...VERDICTS,
    ...CERTIFICATE_MEASURES,
    { name: 'refusal', label: 'number of the commonest refusal' },
    { name: 'rejected', label: 'rejected' },
  ],
  full: {
    points: [...boundary, ...dense, ...families([3, 5, 8, 16], FAMILY_CELLS)],
    trials: 3,
    words: 'The boundary with n = 8 to 50 and θ from .05 to .9; all families with n = 3 to 16.',
  },
  quick: {
    points: [
      ...boundary.filter(({ n, theta, p }) => n === 25 && [0.1, 0.3, 0.5, 0.7].includes(theta) && p <= 1000),
      ...dense.filter(({ n, p }) => n === 8 && p === 200),
      ...families([5], [FAMILY_CELLS[1]]),
    ],
    trials: 1,
    words: 'The boundary with n = 25 and fewer θ; all families with n = 5.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Atoms certified against the number of samples, by sparsity',
      spec: lineChart({
        title: 'Certified atoms',
        subtitle: 'n = 25, Bernoulli × normal codes; medians and the middle 80 % of the trials',
        along: 'p',
        x: 'number of samples p',
        xLogarithmic: true,
        y: 'atoms certified, of 25',
        panels: [
          {
            logarithmic: false,
            lines: MULTIPLES.map(([theta]) => ({
              colour: `θ = ${theta}`,
              cells: cellsOf(summary, 'certified', { family: NORMAL, n: 25, theta }),
            })).filter(({ cells }) => cells.length > 0),
          },
        ],
      }),
    },
  ],
  overview: counts,
  claims: [
    ...CERTIFICATE_CLAIMS,
    certifiedIfExact,
    never('Codes without zeros, normal or Laplacian, are never certified.', (point) => !isSparse(point)),
    never(
      `Never certified are ${FAMILIES.flatMap(({ words, never }) => (never ? [words] : [])).join('; ')}.`,
      ({ family }) => FAMILIES[family].never === true,
    ),
  ],
  references: [],
  referenceWords: 'The papers have nothing to compare with.',
};
