/**
 * Families of samples with a known truth, for and against the certificate: generic codes, codes that are not generic, samples that
 * are repeated, disturbed or incomplete. All begin with
 *
 *     Y = X D,   X Bernoulli(θ) × values,   D random, orthogonal if not said otherwise
 *
 * and change the codes X, then the samples Y.
 */
import type { LearnOptions, Matrix, Matrix64 } from 'orthodict';
import {
  createRandom,
  normalMatrix,
  type Random,
  randomDictionary,
  referenceKernels,
  stackRows,
  toFloat32,
  unitRows,
  zeros,
} from 'orthodict/extend';
import type { Point } from '../framework/experiment.ts';

/** Changes codes or samples in place. */
type Change = (matrix: Matrix64, random: Random, theta: number) => void;

interface Family {
  /** Words for the report. */
  readonly words: string;
  /** A code that is not zero; normal by default. */
  readonly value?: (random: Random) => number;
  readonly codes?: Change;
  readonly samples?: Change;
  /** Condition of D; by default 1. */
  readonly condition?: number;
  /** Atoms beyond as many as there are features. */
  readonly extra?: (features: number) => number;
  readonly float32?: boolean;
  /** No atom is to be certified: it has no zeros, or others have as many. */
  readonly never?: boolean;
  readonly options?: LearnOptions;
}

const normal = (random: Random): number => random.normal();
const sign = (random: Random): number => (random.uniform() < 0.5 ? -1 : 1);
const laplace = (random: Random): number => (sign(random) * Math.log(1 - random.uniform())) / Math.SQRT2;
const ZCA: LearnOptions = { whiten: 'zca' };
const CENTRED: LearnOptions = { center: true };

/** Changes every number, given its row and column. */
const everyNumber =
  (change: (value: number, place: { row: number; col: number; cols: number }, random: Random) => number): Change =>
  ({ rows, cols, data }, random) => {
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        data[row * cols + col] = change(data[row * cols + col], { row, col, cols }, random);
      }
    }
  };

/** Makes atoms 0 and 1, 2 and 3, … one pair each: `change` gives the second code of a pair, given both. */
const everyPair =
  (change: (first: number, second: number, random: Random) => number): Change =>
  ({ rows, cols, data }, random) => {
    for (let row = 0; row < rows; row++) {
      for (let at = row * cols; at + 1 < (row + 1) * cols; at += 2) {
        data[at + 1] = change(data[at], data[at + 1], random);
      }
    }
  };

/** Multiplies every sample by a factor of its own. */
const everySample =
  (factor: (random: Random) => number): Change =>
  ({ rows, cols, data }, random) => {
    for (let row = 0; row < rows; row++) {
      const own = factor(random);
      for (let col = 0; col < cols; col++) data[row * cols + col] *= own;
    }
  };

/** The samples after the first `share` of them become multiples of these. */
const multiples =
  (share: number, factor: (random: Random) => number): Change =>
  ({ rows, cols, data }, random) => {
    const first = Math.max(2, Math.ceil(share * rows));
    for (let row = first; row < rows; row++) {
      const [from, own] = [random.integer(first), factor(random)];
      for (let col = 0; col < cols; col++) data[row * cols + col] = own * data[from * cols + col];
    }
  };

/** Replaces a share of the samples by dense normal ones, `times` times as large as the others. */
const outliers =
  (share: number, times: number): Change =>
  ({ rows, cols, data }, random, theta) => {
    for (let row = 0; row < rows; row++) {
      if (random.uniform() >= share) continue;
      for (let col = 0; col < cols; col++) data[row * cols + col] = times * random.normal() * Math.sqrt(theta);
    }
  };

/** Changes a share of the numbers. */
const wrongNumbers = (share: number, change: (value: number, random: Random) => number): Change =>
  everyNumber((value, _, random) => (random.uniform() < share ? change(value, random) : value));

const noise = (size: number): Change => everyNumber((value, _, random) => value + size * random.normal());

/** Multiplies the codes of the first atom. */
const firstAtom = (factor: number): Change => everyNumber((code, { col }) => (col === 0 ? factor * code : code));

/** Every group of four atoms is used as a whole, with probability θ, and then nine in ten of them. */
const groupsOfFour: Change = ({ rows, cols, data }, random, theta) => {
  for (let row = 0; row < rows; row++) {
    let isOn = false;
    for (let col = 0; col < cols; col++) {
      if (col % 4 === 0) isOn = random.uniform() < theta;
      data[row * cols + col] = isOn && random.uniform() < 0.9 ? random.normal() : 0;
    }
  }
};

/** Every sample lies in one of three subspaces and is dense there. */
const threeSubspaces: Change = ({ rows, cols, data }, random) => {
  for (let row = 0; row < rows; row++) {
    const own = random.integer(3);
    for (let col = 0; col < cols; col++) {
      data[row * cols + col] = Math.floor((3 * col) / cols) === own ? random.normal() : 0;
    }
  }
};

/** Every sample uses the same number of atoms. */
const equallyMany: Change = ({ rows, cols, data }, random, theta) => {
  const count = Math.max(1, Math.round(theta * cols));
  data.fill(0);
  for (let row = 0; row < rows; row++) {
    for (let used = 0; used < count; ) {
      const at = row * cols + random.integer(cols);
      if (data[at] !== 0) continue;
      data[at] = random.normal();
      used++;
    }
  }
};

/** The first half of the samples uses mostly the first half of the atoms. */
const sorted: Change = (codes, random) => {
  const isHome = (row: number, col: number) => row < codes.rows / 2 === col < codes.cols / 2;
  everyNumber((code, { row, col }) => (isHome(row, col) || random.uniform() < 0.1 ? code : 0))(codes, random, 0);
};

const offset: Change = (samples, random) => {
  const mean = normalMatrix(1, samples.cols, random).data;
  everyNumber((value, { col }) => value + mean[col])(samples, random, 0);
};

const signsOfHalf: Change = everyNumber((code, { col, cols }) => (col < cols / 2 ? Math.sign(code) : code));

/** The families in the order of their numbers in the raw trials. */
export const FAMILIES: readonly Family[] = [
  { words: 'normal codes' },
  { words: 'Laplacian codes', value: laplace },
  { words: 'codes with heavy tails: the ratio of two normal numbers', value: (r) => r.normal() / Math.abs(r.normal()) },
  { words: 'positive codes, uniform in [1, 2)', value: (r) => 1 + r.uniform() },
  { words: 'normal codes of mean 1, `--center`', value: (r) => 1 + r.normal(), options: CENTRED },
  { words: 'exactly θn codes in every sample', codes: equallyMany },
  { words: 'float32 samples', float32: true },
  { words: 'samples of very different length, 1e-2 to 1e2', codes: everySample((r) => 10 ** (4 * r.uniform() - 2)) },
  { words: 'one atom of 10 times the energy', codes: firstAtom(Math.sqrt(10)) },
  { words: 'one atom of 1e-4 of the energy', codes: firstAtom(1e-2) },
  { words: 'one atom that no sample uses', codes: firstAtom(0) },
  {
    words: 'one atom that four samples use',
    codes: everyNumber((code, { row, col }, r) => (col > 0 ? code : row < 4 ? r.normal() : 0)),
  },
  { words: 'the first half of the samples uses the first half of the atoms, mostly', codes: sorted },
  { words: 'half of the samples multiples of others', codes: multiples(0.5, (r) => 6 * r.uniform() - 3) },
  { words: 'nine of ten samples multiples of others', codes: multiples(0.1, normal) },
  { words: 'two of three samples copies of others', codes: multiples(1 / 3, () => 1) },
  {
    words: 'pairs of atoms used by the same samples',
    never: true,
    codes: everyPair((first, _, r) => (first === 0 ? 0 : r.normal())),
  },
  {
    words: 'pairs of atoms used by 95 % of the same samples',
    codes: everyPair((first, second, r) => (r.uniform() > 0.95 ? second : first === 0 ? 0 : r.normal())),
  },
  {
    words: 'pairs of atoms of which one is used only with the other',
    codes: everyPair((first, second) => (first === 0 ? 0 : second)),
  },
  { words: 'groups of four atoms used together', codes: groupsOfFour },
  { words: 'samples dense in one of three subspaces', codes: threeSubspaces },
  { words: 'codes −1, 0, 1', never: true, value: sign },
  { words: 'codes 0, 1', never: true, value: () => 1 },
  { words: 'codes −3 to 3, whole numbers', value: (r) => sign(r) * (1 + r.integer(3)) },
  { words: 'normal codes, rounded to tenths', value: (r) => Math.round(10 * r.normal()) / 10 },
  { words: 'codes −1, 0, 1 of half of the atoms', codes: signsOfHalf },
  {
    words: 'the same, with samples of different length',
    codes: (codes, random, theta) => {
      signsOfHalf(codes, random, theta);
      everySample((r) => 0.5 + r.uniform())(codes, random, theta);
    },
  },
  { words: '10 % of the samples dense', samples: outliers(0.1, 1) },
  { words: '1 % of the samples dense, 30 times as large', samples: outliers(0.01, 30) },
  { words: '30 % of the samples dense, 10 times as large', samples: outliers(0.3, 10) },
  { words: '2 % of the numbers ±1', samples: wrongNumbers(0.02, (value, r) => value + sign(r)) },
  {
    words: '3 % of the numbers with normal errors of size 3',
    samples: wrongNumbers(0.03, (v, r) => v + 3 * r.normal()),
  },
  { words: '2 % of the numbers zero', samples: wrongNumbers(0.02, () => 0) },
  { words: 'noise of 1e-3', never: true, samples: noise(1e-3) },
  { words: 'noise of 1e-7', never: true, samples: noise(1e-7) },
  { words: 'an offset that is not subtracted', samples: offset },
  { words: 'complete dictionary of condition 10, `--whiten zca`', condition: 10, options: ZCA },
  { words: 'complete dictionary of condition 1e3, `--whiten zca`', condition: 1e3, options: ZCA },
  { words: 'complete dictionary of condition 1e6, `--whiten zca`', condition: 1e6, options: ZCA },
  { words: 'one atom more than features', extra: () => 1 },
  { words: 'half as many atoms more than features', extra: (features) => Math.ceil(features / 2) },
];

/** The numbers of the families of normal and of Laplacian codes. */
export const [NORMAL, LAPLACE] = [0, 1];

/** Samples, and the atoms that are the truth, of unit norm. Point: n, p, theta, family. */
export function familyOf({ n, p, theta, family }: Point, seed: number) {
  const { value = normal, codes, samples, condition = 1, extra, float32, options } = FAMILIES[family];
  const draw = createRandom(seed, 'family dictionary');
  const basis = randomDictionary(n, condition, draw);
  const atoms = extra ? stackRows(basis, unitRows(normalMatrix(extra(n), n, draw))) : basis;
  const random = createRandom(seed, 'family codes');
  const X = zeros(p, atoms.rows);
  for (let at = 0; at < X.data.length; at++) if (random.uniform() < theta) X.data[at] = value(random);
  codes?.(X, random, theta);
  const Y = referenceKernels.multiply(X, atoms);
  samples?.(Y, random, theta);
  return { samples: (float32 ? toFloat32(Y) : Y) as Matrix, atoms, options };
}
