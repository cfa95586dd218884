/** `orthodict evaluate --truth`: compares a result with the truth. The arrays in the file decide what is compared. */
import { InputError } from '../../core/errors.ts';
import type { Matrix } from '../../core/matrix.ts';
import { householderDictionary } from '../../dictionaries/householder.ts';
import { parseSpec } from '../../io/bytes/spec.ts';
import { amariDistance } from '../../metrics/amari.ts';
import { compareLabels } from '../../metrics/compare-labels.ts';
import { compareSupports } from '../../metrics/compare-supports.ts';
import { matchAtoms } from '../../metrics/match-atoms.ts';
import { matchRows } from '../../metrics/match-rows.ts';
import { recoveryError } from '../../metrics/recovery-error.ts';
import { arrayNames, readArray, readMatrix } from '../../node/io/arrays.ts';
import { loadModel } from '../../node/io/model-file.ts';
import { formatNumber } from '../terminal/output.ts';

/** What a comparison found. */
export interface Report {
  readonly figures: object;
  /** The figures as labels and text, for people. */
  readonly facts: ReadonlyArray<readonly [label: string, value: string]>;
}

/** Compares the file at `path`, a model or the result of sparse-pca, topics or mixture, with the truth. */
export async function compareWithTruth(path: string, truth: string): Promise<Report> {
  const names = await arrayNames(path);
  const kind = Object.keys(COMPARISONS).find((name) => names.includes(name));
  return kind ? COMPARISONS[kind](path, truth) : compareDictionaries(path, truth);
}

/** How to compare a file, by the array that shows what it holds. */
const COMPARISONS: Readonly<Record<string, (path: string, truth: string) => Promise<Report>>> = {
  loadings: compareComponents,
  topics: compareTopics,
  means: compareMixtures,
};

async function compareDictionaries(path: string, truth: string): Promise<Report> {
  const { atoms } = (await loadModel(path)).dictionary;
  const trueAtoms = await readAtoms(truth);
  const { maxAtomError, matched } = matchAtoms(atoms, trueAtoms);
  const figures = {
    recoveryError: recoveryError(atoms, trueAtoms),
    maxAtomError,
    matched,
    ...(isProduct(truth) && { frobenius: frobeniusDistance(atoms, trueAtoms) }),
    amari: atoms.rows === trueAtoms.rows ? amariDistance(atoms, trueAtoms) : null,
    atoms: atoms.rows,
  };
  const { recoveryError: error, frobenius, amari } = figures;
  const facts = [
    ['recovery error', error.toExponential(2)],
    ['largest atom error', maxAtomError.toExponential(2)],
    ...(frobenius === undefined ? [] : [['Frobenius distance', frobenius.toExponential(2)] as const]),
    ['matched', `${formatNumber(matched)} of ${formatNumber(atoms.rows)} atoms`],
    ['Amari distance', amari === null ? 'not defined: numbers of atoms differ' : amari.toExponential(2)],
  ] as const;
  return { figures, facts };
}

async function compareComponents(path: string, truth: string): Promise<Report> {
  const loadings = await readMatrix(`${path}:loadings`);
  const figures = { ...compareSupports(loadings, await readTruth(truth, 'loadings')), components: loadings.rows };
  const { exact, nonzerosFound, nonzeros, nonzerosWrong, maxAtomError, components } = figures;
  const facts = [
    ['exact supports', `${formatNumber(exact)} of ${formatNumber(components)} components`],
    ['non-zeros', `${formatNumber(nonzerosFound)} of ${formatNumber(nonzeros)} found, ${nonzerosWrong} wrong`],
    ['largest error of loadings', formatNumber(maxAtomError)],
  ] as const;
  return { figures, facts };
}

async function compareTopics(path: string, truth: string): Promise<Report> {
  const topics = await readMatrix(`${path}:topics`);
  const { meanDistance, maxDistance } = matchRows(topics, await readTruth(truth, 'topics'), 'l1');
  const facts = [['l1 distance', distances(meanDistance, maxDistance, topics.rows, 'topics')]] as const;
  return { figures: { meanDistance, maxDistance, topics: topics.rows }, facts };
}

async function compareMixtures(path: string, truth: string): Promise<Report> {
  if (parseSpec(truth).array === 'labels') return compareClusters(path, truth);
  const means = await readMatrix(`${path}:means`);
  const deviation = Math.sqrt((await readNumbers(`${path}:variance`))[0]);
  const match = matchRows(means, await readTruth(truth, 'means'), 'l2');
  const [meanDistance, maxDistance] = [match.meanDistance / deviation, match.maxDistance / deviation];
  const words = distances(meanDistance, maxDistance, means.rows, 'means');
  return { figures: { meanDistance, maxDistance, means: means.rows }, facts: [['standard deviations', words]] };
}

async function compareClusters(path: string, truth: string): Promise<Report> {
  const figures = compareLabels(await readNumbers(`${path}:labels`), await readNumbers(truth));
  const percent = (share: number) => `${(100 * share).toFixed(2)} % of the samples`;
  const facts = [
    ['agreement', percent(figures.agreement)],
    ['purity', percent(figures.purity)],
  ] as const;
  return { figures, facts };
}

const distances = (mean: number, largest: number, count: number, what: string): string =>
  `${formatNumber(mean)} on average, ${formatNumber(largest)} at most, of ${formatNumber(count)} ${what}`;

/** Reads the truth; `name` is the array to read if the spec names none. */
const readTruth = (spec: string, name: string): Promise<Matrix> =>
  readMatrix(parseSpec(spec).array === undefined && /\.npz$/i.test(spec) ? `${spec}:${name}` : spec);

async function readNumbers(spec: string): Promise<ArrayLike<number>> {
  const { data } = await readArray(spec);
  if (Array.isArray(data)) throw new InputError(`${spec}: must hold numbers; got text.`);
  return data;
}

const isProduct = (spec: string): boolean => spec.endsWith(':reflectors');

/** Reads atoms; an array called reflectors stands for the atoms of their product. */
async function readAtoms(spec: string): Promise<Matrix> {
  const matrix = await readMatrix(spec);
  return isProduct(spec) ? householderDictionary({ reflectors: matrix }).atoms : matrix;
}

function frobeniusDistance(a: Matrix, b: Matrix): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += (a.data[i] - b.data[i]) ** 2;
  return Math.sqrt(sum);
}
