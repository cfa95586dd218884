/**
 * Riemannian subgradient descent on the sphere, an atom at a time (Bai, Jiang & Sun 2019): minimise f(q) = E|q·z| over
 * ‖q‖ = 1.
 *
 *     g = E[sign(q·z) z],   r = g − (q·g) q,   q ← (q − η r/‖r‖)/‖·‖
 *
 * Atoms are sharp minima of f, so geometrically shrinking steps converge to them at a linear rate: η is constant for a
 * while, then multiplied by ρ in every step until it reaches the tolerance.
 *
 * All directions of a round share one pass. At the end of a round the directions that differ, up to sign, from the
 * atoms found so far are added to them. The next round starts from orthonormal directions orthogonal to these, one for
 * each missing atom. At the end the atoms are made orthogonal: polar(Q).
 */
import {
  type AtomsSolver,
  createRandom,
  dot,
  field,
  type Matrix64,
  orthonormalComplement,
  type Precision,
  type Problem,
  polar,
  randomOrthogonal,
  range,
  row,
  type SolverState,
  type StateShape,
  selectRows,
  stackRows,
  zeros,
} from 'orthodict/extend';

export interface SubgradientOptions {
  readonly precision: Precision;
  /** Step length at which a round ends. */
  readonly tolerance: number;
  /** K×K, orthogonal: the directions of the first round. */
  readonly start: Matrix64;
}

export interface SubgradientAtomsState extends SolverState {
  readonly directions: Matrix64;
  /** K×K; the first `count` rows are used. */
  readonly found: Matrix64;
  readonly count: number;
  /** Rounds begun, from 0; next: steps taken in this one. */
  readonly round: number;
  readonly age: number;
  /** −f, mean over the directions. */
  readonly objective: number;
}

const FIRST_STEP = 0.3;
const STEADY_STEPS = 20;
const DECAY = 0.9;
const SMALLEST_STEP = 1e-12;
/** Directions with a larger cosine between them count as the same atom. */
const SAME_ATOM = 0.7;

/** Returns η of the step after `age` others; `more`: additional steps with constant η. */
export const stepLength = (age: number, more = 0): number =>
  FIRST_STEP * DECAY ** Math.max(0, age - STEADY_STEPS - more);
export const lastStep = (tolerance: number): number => Math.max(tolerance, SMALLEST_STEP);

export function subgradientAtoms(
  problem: Problem,
  { precision, tolerance, start, seed }: SubgradientOptions & { readonly seed: number },
): AtomsSolver<SubgradientAtomsState> {
  const K = problem.size;
  const p = problem.samples;
  return {
    name: 'subgradient',
    shape: shapeOf(K),
    init: async () => ({
      directions: start,
      found: zeros(K, K),
      count: 0,
      round: 0,
      age: 0,
      objective: Number.NEGATIVE_INFINITY,
    }),
    async step(state) {
      const { correlation, values } = await problem.correlate(state.directions, { kind: 'power', norm: 1 }, precision);
      const objective = -values.reduce((sum, value) => sum + value, 0) / (p * values.length);
      const directions = descend(state.directions, correlation, stepLength(state.age));
      const age = state.age + 1;
      if (stepLength(age) > lastStep(tolerance)) return { ...state, directions, age, objective };
      const { found, count } = gather(state, directions, values);
      const round = state.round + 1;
      const next = count < K ? missingDirections(found, count, seed, round) : directions;
      return { directions: next, found, count, round, age: 0, objective };
    },
    // a round ends by its step length: a stalled objective must not end it
    report: ({ objective, age, count }) => ({
      objective: problem.reported(objective, 1),
      merit: Number.NaN,
      change: count < K ? stepLength(age) : 0,
    }),
    objectiveUnit: problem.objectiveUnit(1),
    atoms({ directions, found, count }) {
      if (count === K) return polar(found, problem.kernels);
      const known = selectRows(found, range(count));
      const rest = directions.rows === K - count ? directions : orthonormalComplement(known);
      return polar(stackRows(known, rest), problem.kernels);
    },
  };
}

const shapeOf = (K: number): StateShape<SubgradientAtomsState> => ({
  count: field.whole(0, K),
  directions: {
    mustBe: `unit rows of ${K}, one for each atom that is missing`,
    fault: (value, state) =>
      field.unitRows(state.count === K ? { most: K } : K - (state.count as number), K).fault(value, state),
  },
  found: field.matrix(K, K, 'unit rows, as many as counted', (found, { count }) =>
    field.unitRows(count as number, K).fault(selectRows(found, range(count as number)), {}),
  ),
  round: field.whole(),
  age: field.whole(),
  objective: field.number,
});

/** Makes one step for every row. */
function descend(Q: Matrix64, G: Matrix64, length: number): Matrix64 {
  const next = zeros(Q.rows, Q.cols);
  for (let i = 0; i < Q.rows; i++) {
    const [q, g, out] = [row(Q, i), row(G, i), row(next, i)];
    const along = dot(q, g);
    for (let k = 0; k < q.length; k++) out[k] = g[k] - along * q[k];
    const size = Math.sqrt(dot(out, out));
    for (let k = 0; k < q.length; k++) out[k] = q[k] - (size > 0 ? (length / size) * out[k] : 0);
    const norm = Math.sqrt(dot(out, out));
    for (let k = 0; k < q.length; k++) out[k] /= norm;
  }
  return next;
}

/** Returns the directions that are new, smallest ‖Zq‖₁ first. */
function gather(
  { found: before, count: known }: SubgradientAtomsState,
  directions: Matrix64,
  values: Float64Array,
): { found: Matrix64; count: number } {
  const found = { ...before, data: before.data.slice() };
  let count = known;
  const order = range(directions.rows).sort((a, b) => values[a] - values[b]);
  for (const i of order) {
    const q = row(directions, i);
    if (count === found.rows || range(count).some((k) => Math.abs(dot(row(found, k), q)) > SAME_ATOM)) continue;
    found.data.set(q, count++ * found.cols);
  }
  return { found, count };
}

/** Returns random orthogonal directions orthogonal to the atoms found. */
function missingDirections(found: Matrix64, count: number, seed: number, round: number): Matrix64 {
  const random = createRandom(seed, `subgradient round ${round}`);
  const missing = found.cols - count;
  const turn = randomOrthogonal(missing, random);
  if (count === 0) return turn;
  const rest = orthonormalComplement(selectRows(found, range(count)));
  const out = zeros(missing, found.cols);
  for (let i = 0; i < missing; i++) {
    for (let l = 0; l < missing; l++) {
      const weight = turn.data[i * missing + l];
      for (let k = 0; k < found.cols; k++) out.data[i * found.cols + k] += weight * rest.data[l * found.cols + k];
    }
  }
  return out;
}
