/**
 * K-SVD (Aharon, Elad & Bruckstein 2006) with batch OMP and the approximate atom update of Rubinstein, Zibulevsky & Elad (2008).
 *
 *     X = OMP(Y, D),   R = Y − X D
 *     for every atom k, over the samples j that use it:
 *         E = R_j + x_jk d_k,   d_k ← Σ_j x_jk E_j/‖·‖,   x_jk ← E_j·d_k,   R_j ← E_j − x_jk d_k
 *
 * which is one power iteration on the rank-1 fit of E, started where the last one ended. An atom that no sample uses, or that another
 * atom repeats, becomes the sample that is fitted worst. The objective is −‖R‖², or
 * minus the number of codes where pursuits end by their residual; they are greedy, so it may fall.
 *
 * Samples and residuals are held in memory; codes are compressed.
 */
import { inputError } from '../errors.ts';
import type { PursuitLimits, SparseCodes } from '../linalg/pursuit.ts';
import { type Matrix64, rootMeanSquareDifference, row } from '../matrix.ts';
import type { Problem } from './problem.ts';
import type { Solver, SolverState } from './solver.ts';

export interface KsvdOptions {
  /** Neither: n/5 atoms a sample. */
  readonly limits: PursuitLimits;
  /** K×n, unit rows. */
  readonly start: Matrix64;
}

export interface KsvdState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  readonly change: number;
}

/** Numbers of all samples: 1 GiB, and as much for the residuals. */
const MOST_NUMBERS = 2 ** 27;
const DEFAULT_KEEP = 1 / 5;
/** Atoms repeat each other when the cosine between them is larger. */
const REPEATED = 0.99;

export function ksvd(problem: Problem, options: KsvdOptions): Solver<KsvdState> {
  const { start } = options;
  const { rows: p, cols: n } = problem.input.source;
  if (p * n > MOST_NUMBERS) {
    const mustBe = `at most ${MOST_NUMBERS} numbers for method ksvd, which holds them in memory`;
    throw inputError('learn', 'samples', mustBe, `${p}×${n}`);
  }
  const limits = pursuitLimits(options.limits, n);
  const byResidual = limits.residual !== undefined;
  const unit = problem.input.unit ** 2;
  return {
    name: 'ksvd',
    init: async () => ({ atoms: start, objective: Number.NEGATIVE_INFINITY, change: Number.POSITIVE_INFINITY }),
    async step({ atoms }) {
      const codes = await problem.pursue(atoms, limits);
      const R = residuals(await problem.allRows(), codes, atoms);
      const { next, energy } = updateAtoms(R, codes, atoms);
      const objective = byResidual ? -codes.values.length : -energy;
      return { atoms: next, objective, change: rootMeanSquareDifference(next, atoms) };
    },
    report: ({ objective, change }) => ({
      objective: byResidual ? objective : objective / unit,
      merit: objective,
      change,
    }),
    atoms: ({ atoms }) => atoms,
  };
}

export const pursuitLimits = ({ keep, residual }: PursuitLimits, n: number): PursuitLimits =>
  keep === undefined && residual === undefined
    ? { keep: Math.max(1, Math.round(DEFAULT_KEEP * n)) }
    : { keep, residual };

/** Y − X D, in the place of Y. */
function residuals(Y: Matrix64, { starts, atoms, values }: SparseCodes, D: Matrix64): Matrix64 {
  const n = Y.cols;
  for (let j = 0; j < Y.rows; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++)
      addScaledRow(Y.data, j * n, -values[at], D.data, atoms[at] * n, n);
  }
  return Y;
}

/** Changes R and the values of the codes as it goes. */
function updateAtoms(R: Matrix64, codes: SparseCodes, D: Matrix64): { next: Matrix64; energy: number } {
  const [K, n] = [D.rows, D.cols];
  const next = { ...D, data: D.data.slice() };
  const users = byAtom(codes, K);
  const taken = new Set<number>();
  const g = new Float64Array(n);
  for (let k = 0; k < K; k++) {
    const [from, to] = [users.starts[k], users.starts[k + 1]];
    if (from === to || repeats(next, k)) {
      next.data.set(worstFitted(R, codes, D, taken), k * n);
      continue;
    }
    // Σ x E = Σ x R_j + (Σ x²) d
    g.fill(0);
    let squares = 0;
    for (let at = from; at < to; at++) {
      const x = codes.values[users.places[at]];
      squares += x * x;
      addScaledRow(g, 0, x, R.data, users.samples[at] * n, n);
    }
    const d = row(next, k);
    for (let i = 0; i < n; i++) g[i] += squares * d[i];
    const norm = Math.sqrt(dot(g, 0, g, 0, n));
    if (!(norm > 0)) continue;
    for (let i = 0; i < n; i++) g[i] /= norm;
    const overlap = dot(d, 0, g, 0, n);
    for (let at = from; at < to; at++) {
      const [place, row] = [users.places[at], users.samples[at] * n];
      const x = codes.values[place];
      const fresh = dot(R.data, row, g, 0, n) + x * overlap;
      addScaledRow(R.data, row, x, d, 0, n);
      addScaledRow(R.data, row, -fresh, g, 0, n);
      codes.values[place] = fresh;
    }
    d.set(g);
  }
  return { next, energy: dot(R.data, 0, R.data, 0, R.data.length) };
}

/** For every atom the samples that use it, and where their codes of it are. */
function byAtom({ starts, atoms }: SparseCodes, K: number) {
  const first = new Int32Array(K + 1);
  for (let at = 0; at < atoms.length; at++) first[atoms[at] + 1]++;
  for (let k = 0; k < K; k++) first[k + 1] += first[k];
  const end = first.slice();
  const samples = new Int32Array(atoms.length);
  const places = new Int32Array(atoms.length);
  for (let j = 0; j + 1 < starts.length; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) {
      const to = end[atoms[at]]++;
      samples[to] = j;
      places[to] = at;
    }
  }
  return { starts: first, samples, places };
}

/** Whether an atom before k is the same up to sign. */
function repeats({ data, cols }: Matrix64, k: number): boolean {
  for (let l = 0; l < k; l++) if (Math.abs(dot(data, l * cols, data, k * cols, cols)) > REPEATED) return true;
  return false;
}

/** The sample of largest residual that was not taken before, as a unit vector: R_j + x D. */
function worstFitted(
  R: Matrix64,
  { starts, atoms, values }: SparseCodes,
  D: Matrix64,
  taken: Set<number>,
): Float64Array {
  const n = R.cols;
  let worst = 0;
  let largest = -1;
  for (let j = 0; j < R.rows; j++) {
    const size = dot(R.data, j * n, R.data, j * n, n);
    if (size > largest && !taken.has(j)) {
      largest = size;
      worst = j;
    }
  }
  taken.add(worst);
  const sample = R.data.slice(worst * n, (worst + 1) * n);
  for (let at = starts[worst]; at < starts[worst + 1]; at++)
    addScaledRow(sample, 0, values[at], D.data, atoms[at] * n, n);
  const norm = Math.sqrt(dot(sample, 0, sample, 0, n));
  if (!(norm > 0)) sample[0] = 1;
  return norm > 0 ? sample.map((x) => x / norm) : sample;
}

/** a[at…] += factor · b[from…], n numbers. */
function addScaledRow(a: Float64Array, at: number, factor: number, b: Float64Array, from: number, n: number): void {
  for (let i = 0; i < n; i++) a[at + i] += factor * b[from + i];
}

function dot(a: Float64Array, at: number, b: Float64Array, from: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[at + i] * b[from + i];
  return sum;
}
