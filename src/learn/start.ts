/** Start of a run: a random orthogonal matrix, or given atoms brought into working coordinates. */
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, norm, range, row, selectRows, toFloat64, unitRows } from '../core/matrix.ts';
import { createRandom, normalMatrix } from '../core/random.ts';
import { requireFiniteMatrix } from '../core/require-matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { polar } from '../linalg/polar.ts';
import { randomOrthogonal } from '../linalg/qr.ts';
import type { Problem } from './problem.ts';

/** Checks a given start before the data is read. */
export function requireStart(
  { cols }: { readonly cols: number },
  { start, components }: { readonly start?: Matrix | undefined; readonly components?: number | undefined },
): void {
  if (start) requireShape(start, components ?? start.rows, cols, start.rows >= (components ?? 0));
}

/** Returns the starting atoms. `draft`: a random start made before the number of atoms was known; used if it has the right size. */
export function startingAtoms(
  problem: Problem,
  given: Matrix | undefined,
  seed: number,
  draft?: Matrix64 | undefined,
): Matrix64 {
  if (given) return givenStart(problem, given);
  return draft?.rows === problem.size ? draft : randomStart(problem.size, seed, problem.kernels);
}

/** Draws K×K from the uniform distribution: the polar factor of independent normals. */
export const randomStart = (K: number, seed: number, kernels: Kernels, purpose = 'start'): Matrix64 =>
  polar(normalMatrix(K, K, createRandom(seed, purpose)), kernels, 'f32');

/** Returns K×n atoms that need not be orthogonal: the given ones, or random directions, which are orthogonal if K ≤ n. */
export function startingDirections(
  problem: Problem,
  components: number | undefined,
  given: Matrix | undefined,
  seed: number,
): Matrix64 {
  const n = problem.input.source.cols;
  const K = components ?? n;
  if (given) {
    requireShape(given, K, n, given.rows === K);
    const empty = range(K).find((i) => norm(row(given, i)) === 0);
    if (empty !== undefined)
      throw inputError('learn', 'start', 'of atoms different from zero', `zeros in row ${empty}`);
    return unitRows(given);
  }
  const random = createRandom(seed, 'start');
  if (K > n) return unitRows(normalMatrix(K, n, random));
  return selectRows(randomOrthogonal(n, random), range(K));
}

function givenStart(problem: Problem, given: Matrix): Matrix64 {
  const features = problem.input.source.cols;
  const { analysis } = problem.input.coordinates;
  requireShape(given, problem.size, features, given.rows >= problem.size);
  const atoms = toFloat64(given);
  const working = analysis ? problem.kernels.multiply(atoms, analysis, 'nt') : atoms;
  return polar(selectRows(working, strongestRows(working, problem.size)), problem.kernels);
}

function requireShape(given: Matrix, rows: number, features: number, enough: boolean): void {
  if (given.cols !== features || !enough) {
    throw inputError('learn', 'start', `${rows}×${features}, atoms as rows`, `${given.rows}×${given.cols}`);
  }
  requireFiniteMatrix('learn', 'start', given);
}

/** Returns the indices of the `count` rows of largest norm, in their order: drops atoms that have no part in the data. */
function strongestRows(matrix: Matrix64, count: number): number[] {
  const norms = Array.from({ length: matrix.rows }, (_, i) => norm(row(matrix, i)));
  const byNorm = [...norms.keys()].sort((a, b) => norms[b] - norms[a]);
  return byNorm.slice(0, count).sort((a, b) => a - b);
}
