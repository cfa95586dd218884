/** Prints an evaluation on samples, for people. */
import { type CodeQuality, type Evaluation, MOST_COMPARED } from '../../metrics/evaluate.ts';
import { counted, formatNumber, printFacts, printLine, printTable } from '../terminal/output.ts';

/** The dictionaries that an evaluation compares, by the names that tables and charts show. */
export function contestants(evaluation: Evaluation): (readonly [name: string, quality: CodeQuality])[] {
  const { model, pca, pcaOf, dct, dctShape } = evaluation;
  return [
    ['this model', model] as const,
    ...(pca ? [[`PCA of ${pcaOf}`, pca] as const] : []),
    ...(dct ? [[dctShape?.startsWith('1x') ? 'DCT in one dimension' : `DCT ${dctShape}`, dct] as const] : []),
  ];
}

/** Prints the missing energy by the number of codes kept. */
export function printMissing(evaluation: Evaluation): void {
  printLine('energy missing when every sample keeps its k largest codes:');
  printTable(
    ['', ...evaluation.keep.map((k) => `k = ${k}`)],
    contestants(evaluation).map(([name, { missing }]) => [name, ...missing.map(percent)]),
  );
}

/** Prints what `learn` reports about the samples it held out. */
export function printHoldout(holdout: Evaluation): void {
  printLine();
  printLine(`held out: ${counted(holdout.samples, 'sample')}, not learned from`);
  printMissing(holdout);
}

/** Prints a whole evaluation. */
export function printEvaluation(evaluation: Evaluation): void {
  const { samples, features, components, pca, pcaOf } = evaluation;
  printLine(`${counted(samples, 'sample')} of ${counted(features, 'feature')}`);
  printMissing(evaluation);
  if (pcaOf === 'these samples') printLine('PCA is fitted to the samples it is evaluated on: its best case.');
  if (!pca && features > MOST_COMPARED)
    printLine(`There is no comparison with PCA and DCT above ${MOST_COMPARED} features.`);
  printLine();
  printTable(
    ['sparsity of the codes', 'for 90 %', 'for 99 %', 'of', 'kurtosis'],
    contestants(evaluation).map(([name, { codesFor90, codesFor99, kurtosis }], k) => {
      const all = k === 0 ? components : features;
      return [name, codesFor90.toFixed(1), codesFor99.toFixed(1), formatNumber(all), kurtosis.toFixed(1)];
    }),
  );
  printLine();
  printFacts(atomFacts(evaluation));
}

/** Most atoms to list by number. */
const LISTED = 10;

function atomFacts({ atomUse: { energy, unused }, components }: Evaluation): (readonly [string, string])[] {
  const strongest = [...energy.keys()].sort((a, b) => energy[b] - energy[a]).slice(0, LISTED);
  const shares = strongest.map((i) => `${i + 1} (${percent(energy[i])})`);
  const listed = unused.slice(0, LISTED).map((i) => i + 1);
  const which = unused.length === 0 ? '' : `: ${listed.join(', ')}${unused.length > LISTED ? ', …' : ''}`;
  return [
    ['strongest atoms', shares.join(', ')],
    ['unused atoms', `${formatNumber(unused.length)} of ${formatNumber(components)}${which}`],
  ];
}

/** A share in percent with two decimals; smaller ones as a power of ten. */
export function percent(share: number): string {
  const hundredths = 100 * share;
  return `${hundredths !== 0 && Math.abs(hundredths) < 0.005 ? hundredths.toExponential(0) : hundredths.toFixed(2)} %`;
}
