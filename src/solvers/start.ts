/** Where a run begins: a random orthogonal matrix, or given atoms brought into working coordinates. */
import { inputError } from '../errors.ts';
import { polar } from '../linalg/polar.ts';
import { randomOrthogonal } from '../linalg/qr.ts';
import { type Matrix, type Matrix64, row, selectRows, toFloat64 } from '../matrix.ts';
import { createRandom } from '../random.ts';
import type { Problem } from './problem.ts';

export function startingAtoms(problem: Problem, given: Matrix | undefined, seed: number): Matrix64 {
  return given ? givenStart(problem, given) : randomOrthogonal(problem.size, createRandom(seed, 'start'));
}

function givenStart(problem: Problem, given: Matrix): Matrix64 {
  const features = problem.input.source.cols;
  const { analysis } = problem.input.coordinates;
  if (given.cols !== features || given.rows < problem.size) {
    const wanted = `${problem.size}×${features}, atoms as rows`;
    throw inputError('learn', 'start', wanted, `${given.rows}×${given.cols}`);
  }
  const offender = given.data.findIndex((value) => !Number.isFinite(value));
  if (offender >= 0) {
    const place = `row ${Math.floor(offender / features)}, column ${offender % features}`;
    throw inputError('learn', 'start', 'finite', `${given.data[offender]} at ${place}`);
  }
  const atoms = toFloat64(given);
  const working = analysis ? problem.kernels.multiply(atoms, analysis, 'nt') : atoms;
  return polar(selectRows(working, strongestRows(working, problem.size)), problem.kernels);
}

/** Indices of the `count` rows of largest norm, in their order: atoms without a part in the data are left out. */
function strongestRows(matrix: Matrix64, count: number): number[] {
  const norms = Array.from({ length: matrix.rows }, (_, i) => Math.hypot(...row(matrix, i)));
  const byNorm = [...norms.keys()].sort((a, b) => norms[b] - norms[a]);
  return byNorm.slice(0, count).sort((a, b) => a - b);
}
