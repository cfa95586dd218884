/** `orthodict evaluate`: a learned dictionary against the true one. */
import { Command } from 'commander';
import { householderDictionary } from '../dictionaries/householder.ts';
import type { Matrix } from '../matrix.ts';
import { amariDistance } from '../metrics/amari.ts';
import { matchAtoms } from '../metrics/match-atoms.ts';
import { recoveryError } from '../metrics/recovery-error.ts';
import { readMatrix } from '../node/arrays.ts';
import { loadModel } from '../node/model-file.ts';
import { formatNumber, printFacts, printJson } from './output.ts';

export function evaluateCommand(): Command {
  return new Command('evaluate')
    .description('Compare the atoms of a model with the true ones, up to sign and order.')
    .argument('<model.npz>', 'a learned model')
    .requiredOption('--truth <f.npz:atoms>', 'the true atoms as rows, or f.npz:reflectors: the true reflectors')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
recoveryError  |1 - g|, g = the sum of the fourth powers of A D over n: 0 is perfect
maxAtomError   largest distance of a unit atom from its partner, partners assigned optimally
frobenius      with true reflectors: distance of the two products, order and signs included
matched        atoms whose |cosine| with their partner is above 0.99
amari          Amari distance, 0 to 1

Example:
  orthodict evaluate model.npz --truth data.npz:atoms --json`,
    )
    .action(async (path: string, { truth, json }: { truth: string; json?: boolean }) => {
      const { atoms } = (await loadModel(path)).dictionary;
      const trueAtoms = await readTruth(truth);
      const { maxAtomError, matched } = matchAtoms(atoms, trueAtoms);
      const figures = {
        recoveryError: recoveryError(atoms, trueAtoms),
        maxAtomError,
        matched,
        ...(isProduct(truth) && { frobenius: frobeniusDistance(atoms, trueAtoms) }),
        amari: atoms.rows === trueAtoms.rows ? amariDistance(atoms, trueAtoms) : null,
        atoms: atoms.rows,
      };
      if (json) printJson(figures);
      else {
        printFacts([
          ['recovery error', figures.recoveryError.toExponential(2)],
          ['largest atom error', maxAtomError.toExponential(2)],
          ...(figures.frobenius === undefined
            ? []
            : [['Frobenius distance', figures.frobenius.toExponential(2)] as const]),
          ['matched', `${formatNumber(matched)} of ${formatNumber(atoms.rows)} atoms`],
          [
            'Amari distance',
            figures.amari === null ? 'not defined: numbers of atoms differ' : figures.amari.toExponential(2),
          ],
        ]);
      }
    });
}

const isProduct = (spec: string): boolean => spec.endsWith(':reflectors');

/** Atoms as they are; of an array called reflectors the atoms of their product. */
async function readTruth(spec: string): Promise<Matrix> {
  const matrix = await readMatrix(spec);
  return isProduct(spec) ? householderDictionary({ reflectors: matrix }).atoms : matrix;
}

function frobeniusDistance(a: Matrix, b: Matrix): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += (a.data[i] - b.data[i]) ** 2;
  return Math.sqrt(sum);
}
