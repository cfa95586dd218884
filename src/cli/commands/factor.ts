/** `orthodict factor`: an orthogonal model as a product of few reflectors or rotations. */

import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import type { Approximation, FactorOptions } from '../../dictionaries/factoring/factor.ts';
import { factorGivens } from '../../dictionaries/factoring/factor-givens.ts';
import { factorHouseholder } from '../../dictionaries/factoring/factor-householder.ts';
import { givensDictionary } from '../../dictionaries/givens.ts';
import { householderDictionary } from '../../dictionaries/householder.ts';
import { type ChartSpec, renderChart } from '../../node/chart.ts';
import { loadModel, saveModel } from '../../node/io/model-file.ts';
import { chart } from '../charts/chart.ts';
import { numberOption } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printFacts, printJson, printTable } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';

interface Flags {
  householder?: number;
  givens?: number;
  out: string;
  atoms?: boolean;
  plot?: string;
  json?: boolean;
}

export function factorCommand(): Command {
  const number = (flag: string) => numberOption('factor', flag);
  return new Command('factor')
    .argument('<model.npz>', 'a learned model, orthogonal')
    .option(
      '--householder <M>',
      'at most M reflectors, the nearest product there is; exact with M = N',
      number('--householder'),
    )
    .option('--givens <G>', 'at most G rotations, chosen greedily; exact with G = N(N-1)/2', number('--givens'))
    .requiredOption('--out <structured.npz>', 'model to write: reflectors (MxN), or rotations (Gx4), order, signs')
    .option('--atoms', 'write the atoms too')
    .option('--plot <FILE>', 'draw the error against the number of factors as .svg or .png')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The error is relative: the Frobenius norm of the difference of the two dictionaries, divided by that of the original.

Examples:
  orthodict factor model.npz --householder 10 --out fast.npz
  orthodict factor model.npz --givens 200 --out fast.npz --plot errors.svg`,
    )
    .action(runFactor);
}

async function runFactor(path: string, flags: Flags): Promise<void> {
  const { householder, givens, out, atoms, plot, json } = flags;
  if ((householder === undefined) === (givens === undefined)) {
    const got = givens === undefined ? 'neither' : 'both';
    throw new InputError(`factor: the kind of factors must be either --householder or --givens; got ${got}.`);
  }
  await checkOutputs('factor', { out, plot });
  const { dictionary, meta } = await loadModel(path);
  requireOrthogonalKind(path, dictionary);
  const line = progressLine();
  line.say('factoring …');
  const onProgress = (share: number) => line.count('factoring, percent', Math.round(100 * share), 100);
  const { kind, product, error, curve } = await interruptible(async (signal) => {
    const found = await factor(dictionary, flags, { onProgress, signal }).finally(line.clear);
    signal.throwIfAborted();
    return found;
  });
  const factors = curve.at(-1)?.factors ?? 0;
  await saveModel(out, { dictionary: product, meta: { ...meta, factored: { kind, factors, error } } }, { atoms });
  if (plot) await renderChart(errorChart(curve), plot);
  if (json) printJson({ kind, factors, error, features: product.features, curve, out });
  else {
    printTable(
      ['factors', 'error'],
      curve.map((point) => [formatNumber(point.factors), point.error.toExponential(2)]),
    );
    printFacts([
      ['model', `${out}: ${formatNumber(factors)} ${kind === 'givens' ? 'rotations' : 'reflectors'}`],
      ['error', error.toExponential(2)],
    ]);
  }
}

/** Exactly one of `householder` and `givens` is given. */
async function factor({ atoms, mean }: Dictionary, { householder, givens = 0 }: Flags, options: FactorOptions) {
  if (householder !== undefined) {
    const found = await factorHouseholder(atoms, householder);
    return { ...found, kind: 'householder', product: householderDictionary({ ...found, mean }) };
  }
  const found = await factorGivens(atoms, givens, options);
  return { ...found, kind: 'givens', product: givensDictionary({ ...found, mean }) };
}

function requireOrthogonalKind(path: string, { transform, atoms, components, features }: Dictionary): void {
  if (transform.kind === 'pursuit' || (transform.kind === 'dense' && transform.encoder !== atoms)) {
    throw new InputError(
      `factor: ${path} must be an orthogonal model; got a complete one. Learn it with --whiten none to factor it.`,
    );
  }
  if (components !== features) {
    throw new InputError(
      `factor: ${path} must have as many atoms as features; got ${components} atoms of ${features} features. Learn it without --components to factor it.`,
    );
  }
}

function errorChart(curve: readonly Approximation[]): ChartSpec {
  const shown = curve.filter(({ factors, error }) => factors > 0 && error > 0);
  return chart({
    title: 'Relative error against the number of factors',
    width: 480,
    height: 240,
    data: { values: shown },
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'factors', type: 'quantitative', scale: { type: 'log', base: 2 } },
      y: { field: 'error', type: 'quantitative', scale: { type: 'log' }, axis: { format: '.0e', tickCount: 6 } },
    },
  });
}
