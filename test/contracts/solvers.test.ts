/** One suite for every solver: plain state, pure steps, a fixed point at the truth, atoms that stay orthogonal. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Matrix64, maxDifference } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { iterate, type Position } from '#src/engine/iterate.ts';
import type { Solver, SolverState } from '#src/engine/solver.ts';
import { misfit } from '#src/engine/state-shape.ts';
import { stopAfterIterations } from '#src/engine/stop.ts';
import { type MspState, mspSolver, type Shift } from '#src/learn/methods/msp.ts';
import { scoutSolver } from '#src/learn/methods/scout.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import type { Problem } from '#src/learn/problem.ts';
import { initialRefineState } from '#src/learn/refinement/masked-refinement.ts';
import { refineComplete } from '#src/learn/refinement/refine-complete.ts';
import { refineOrthogonal } from '#src/learn/refinement/refine-orthogonal.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { fileCheckpoint } from '#src/node/io/checkpoint-file.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { frobenius, orthonormalityError } from '../helpers/matrices.ts';
import { problemOf, solverOf } from '../helpers/problem.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(51);
const scratch = scratchDirectory();
const N = 12;
const P = 6000;
const planted = generate({ samples: P, features: N, theta: 0.3, seed });
const start = randomOrthogonal(N, createRandom(seed, 'solvers'));

const precision = 'f64';
type Make = (problem: Problem, start: Matrix64) => Solver<SolverState>;
interface Entry {
  readonly make: Make;
  /** The field of the state with the next atoms. */
  readonly atoms: string;
  readonly monotone: boolean;
  /** Properties that these atoms do not have with this solver. */
  readonly not?: readonly ('orthogonal' | 'truth')[];
}

/** A method with some of its options, as `learn` makes its solver. */
const entry = (options: LearnOptions, atoms: string, monotone: boolean, ...not: ('orthogonal' | 'truth')[]): Entry => ({
  make: (problem, start) => solverOf(problem, { seed, ...options }, start),
  atoms,
  monotone,
  not,
});

const norms = [3, 4, 6];
const shifts: Shift[] = ['none', 'auto', 500];
const mspEntries = norms.flatMap((norm) =>
  shifts.map((shift): [string, Entry] => [
    `msp, norm ${norm}, shift ${shift}`,
    entry({ norm, shift }, 'candidate', true),
  ]),
);
const pgaEntries = [1e-4, 1, Number.POSITIVE_INFINITY].map((step): [string, Entry] => [
  `pga, step ${step}`,
  entry({ method: 'pga', step }, 'candidate', true),
]);
const selectionEntries: [string, Entry][] = [
  ['givens', entry({ method: 'givens' }, 'atoms', true)],
  ['procrustes', entry({ method: 'procrustes', keep: 4 }, 'atoms', true)],
  ['gtransform', entry({ method: 'gtransform', keep: 4, rotations: 30 }, 'atoms', true)],
];
const baselineEntries: [string, Entry][] = [
  ['ica', entry({ method: 'ica' }, 'atoms', false)],
  ['pca', entry({ method: 'pca' }, 'atoms', false, 'truth')],
  ['dct', entry({ method: 'dct' }, 'atoms', false, 'truth')],
  ['ksvd', entry({ method: 'ksvd', keep: 4 }, 'atoms', false, 'orthogonal')],
  ['ksvd, residual', entry({ method: 'ksvd', residual: 0.5 }, 'atoms', false, 'orthogonal')],
];

let problem: Problem;
let counts: Float64Array;
const scoutEntries: [string, Entry][] = [
  [
    'scout',
    {
      make: (problem, start) =>
        scoutSolver(problem, { norm: 4, precision, rows: 2000, start }) as unknown as Solver<SolverState>,
      atoms: 'atoms',
      monotone: false,
      not: [],
    },
  ],
];
const refineEntries: [string, Entry][] = [
  [
    'refine, orthogonal',
    {
      make: (problem, start) =>
        refineOrthogonal(problem, { start: initialRefineState(start, counts), precision }) as Solver<SolverState>,
      atoms: 'atoms',
      monotone: false,
    },
  ],
  [
    'refine, complete',
    {
      make: (problem, start) =>
        refineComplete(problem, { start: initialRefineState(start, counts), precision }) as Solver<SolverState>,
      atoms: 'atoms',
      monotone: false,
    },
  ],
];
/** Refinement starts where exploring ended. */
let explored: Matrix64;
const startOf = ({ atoms }: Entry) => (atoms === 'atoms' ? explored : start);

beforeAll(async () => {
  problem = await problemOf(planted.samples);
  explored = (await run(mspSolver(problem, { norm: 4, shift: 'auto', precision, start }), 15)).candidate;
  counts = await problem.histogram(explored);
});

async function run<S extends SolverState>(solver: Solver<S>, steps: number): Promise<S> {
  let state = await solver.init();
  for (let i = 0; i < steps; i++) state = await solver.step(state);
  return state;
}

describe.each([
  ...mspEntries,
  ...pgaEntries,
  ...scoutEntries,
  ...selectionEntries,
  ...baselineEntries,
  ...refineEntries,
])('%s', (name, entry) => {
  it('has a state of only numbers, flags, vectors and matrices, which a clone and a checkpoint keep bit for bit', async () => {
    const solver = entry.make(problem, startOf(entry));
    const state = await run(solver, 2);
    for (const value of Object.values(state)) {
      const plain = ['number', 'boolean'].includes(typeof value) || value instanceof Float64Array;
      expect(plain || Object.keys(value!).sort().join() === 'cols,data,rows').toBe(true);
    }
    expect(structuredClone(state)).toEqual(state);

    const store = fileCheckpoint(scratch.file(`${name.replaceAll(/\W+/g, '-')}.npz`));
    const position: Position<SolverState> = {
      state,
      iteration: 2,
      recentObjectives: [0.1, Number.NEGATIVE_INFINITY],
      recentChanges: [1, Number.NaN],
      seconds: 0.5,
    };
    const identity = { data: 'd', backend: 'b', options: { a: 1 } };
    const current = { ...position, effort: 7, solver: 's', looped: 2 };
    const ended = { ...current, status: 'exhausted', code: 'c', reason: 'r', budgets: { maxIterations: 3 } } as const;
    await store.save({ identity, finished: [ended], current });
    const loaded = await store.load();
    expect(loaded).toEqual({ identity, finished: [ended], current });
    expect(await solver.step(loaded!.current!.state)).toEqual(await solver.step(state));
  });

  it('gives the shape of its states, which accepts all of them and nothing spoiled', async () => {
    const solver = entry.make(problem, startOf(entry));
    let state = await solver.init();
    for (let i = 0; i < 4; i++, state = await solver.step(state)) expect(misfit(solver.shape, state)).toBeUndefined();
    for (const [name, value] of Object.entries(state)) {
      for (const wrong of spoiled(value))
        expect(misfit(solver.shape, { ...state, [name]: wrong })).toMatchObject({ name });
      const { [name]: _, ...less } = state;
      expect(misfit(solver.shape, less)).toMatchObject({ name, got: 'nothing' });
    }
    expect(misfit(solver.shape, { ...state, more: 1 })).toMatchObject({ name: 'more', mustBe: 'absent' });
    if (entry.not?.includes('orthogonal') || name === 'refine, complete') return;
    const atoms = state[entry.atoms] as Matrix64;
    const stretched = { ...atoms, data: atoms.data.map((a, at) => (at < atoms.cols ? 1.01 * a : a)) };
    expect(misfit(solver.shape, { ...state, [entry.atoms]: stretched })?.mustBe).toContain('orthogonal');
  });

  it('has pure steps: they do not change their input and depend on nothing else', async () => {
    const solver = entry.make(problem, startOf(entry));
    const state = await run(solver, 1);
    const before = structuredClone(state);
    const next = await solver.step(state);
    expect(state).toEqual(before);
    expect(await entry.make(problem, startOf(entry)).step(state)).toEqual(next);
  });

  it('continues from any position as if it had never stopped', async () => {
    const positions: Position<SolverState>[] = [];
    const onStep = async (position: Position<SolverState>) => void positions.push(structuredClone(position));
    const options = { stop: [stopAfterIterations(5)], samplesPerStep: P };
    const whole = await finish(iterate(entry.make(problem, startOf(entry)), { ...options, onStep }));
    for (const resume of positions) {
      const rest = await finish(iterate(entry.make(problem, startOf(entry)), { ...options, resume }));
      expect(rest).toEqual(whole);
    }
  });

  it('keeps what must be orthogonal orthogonal', async () => {
    if (name === 'refine, complete' || entry.not?.includes('orthogonal')) return;
    const state = await run(entry.make(problem, startOf(entry)), 4);
    expect(orthonormalityError(state[entry.atoms] as Matrix64)).toBeLessThan(1e-13 * Math.sqrt(N));
  });

  it('stays near the truth when it starts there', async () => {
    if (name === 'gtransform' || entry.not?.includes('truth')) return; // few rotations do not come near it
    // the ℓ_q optimum of a finite sample is a few hundredths from the truth in every entry; refinement goes to
    // rounding
    const state = await run(entry.make(problem, planted.atoms), 6);
    const error = recoveryError(state[entry.atoms] as Matrix64, planted.atoms);
    expect(error).toBeLessThan(entry.monotone || entry.not ? 0.02 : 1e-12);
  });
});

/**
 * Convexity of ‖X‖_q^q makes plain steps monotone; a positive multiple of A added to G (PGA) does not change that. Both
 * steps of an alternation are optimal or better than the last.
 */
const monotone = [...mspEntries.filter(([name]) => name.includes('none')), ...pgaEntries, ...selectionEntries];

describe.each(monotone)('%s is monotone', (_, { make }) => {
  it.each([
    ['normal data', normalMatrix(800, 9, createRandom(seed, 'monotone'))],
    ['sparse data', generate({ samples: 800, features: 9, theta: 0.2, seed }).samples],
    ['an ill-conditioned mixture', generate({ samples: 800, features: 9, theta: 0.4, condition: 50, seed }).samples],
  ])('on %s', async (_, samples) => {
    const problem = await problemOf(samples);
    for (let trial = 0; trial < 4; trial++) {
      const solver = make(problem, randomOrthogonal(9, createRandom(seed + trial, 'monotone start')));
      let state = await solver.step(await solver.init());
      for (let i = 0; i < 25; i++) {
        const before = solver.report(state).objective;
        state = await solver.step(state);
        // float64 sums over 800 samples: rounding far below 1e-13 of the objective
        expect(solver.report(state).objective).toBeGreaterThanOrEqual(before * (1 - 1e-13));
      }
    }
  });
});

describe('shifted msp', () => {
  it.each([1, 30, 1000])(
    'never ends a step with a lower objective, for any shift: %d times the natural one',
    async (factor) => {
      for (const data of [
        planted.samples,
        generate({ samples: 2000, features: N, theta: 0.3, condition: 30, seed }).samples,
      ]) {
        const problem = await problemOf(data);
        const natural = (3 * frobenius(data) ** 4) / (data.rows * N ** 2);
        const solver = mspSolver(problem, { norm: 4, shift: factor * natural, precision, start });
        let state = await solver.init();
        const objectives: number[] = [];
        for (let i = 0; i < 60; i++) {
          state = await solver.step(state);
          objectives.push(state.objective);
        }
        for (let i = 1; i < 60; i++) expect(objectives[i]).toBeGreaterThanOrEqual(objectives[i - 1] * (1 - 1e-12));
        // far too large a shift is given up, and the run still makes progress
        expect(objectives[59]).toBeGreaterThan(1.1 * objectives[0]);
      }
    },
  );

  it('has the fixed points of plain msp', async () => {
    const plain = await run(mspSolver(problem, { norm: 4, shift: 'none', precision, start }), 120);
    const shifted = await run(mspSolver(problem, { norm: 4, shift: 'auto', precision, start: plain.candidate }), 10);
    // plain msp has converged linearly at rate θ: rounding is left
    expect(maxDifference(shifted.candidate, plain.candidate)).toBeLessThan(1e-10);
  });
});

const pga = (problem: Problem, step: number) =>
  solverOf(problem, { method: 'pga', step }, start) as unknown as Solver<MspState>;

describe('pga', () => {
  it('is msp when the step is infinite, and hardly moves when it is tiny', async () => {
    const plain = await run(mspSolver(problem, { norm: 4, shift: 'none', precision, start }), 3);
    const infinite = await run(pga(problem, Number.POSITIVE_INFINITY), 3);
    expect(maxDifference(infinite.candidate, plain.candidate)).toBe(0);
    const tiny = await run(pga(problem, 1e-9), 1);
    expect(maxDifference(tiny.candidate, start)).toBeLessThan(1e-3);
    expect(maxDifference(tiny.candidate, start)).toBeGreaterThan(0);
  });

  it('takes the step in the units of the samples: on data scaled by 2, it equals a step 16 times as large', async () => {
    const double = await problemOf({
      ...planted.samples,
      data: planted.samples.data.map((x) => 2 * x) as Float64Array,
    });
    const one = await run(pga(problem, 16e-6), 2);
    const two = await run(pga(double, 1e-6), 2);
    expect(maxDifference(one.candidate, two.candidate)).toBeLessThan(1e-12);
  });
});

/** The value in forms that a solver must not be given. */
function spoiled(value: SolverState[string]): unknown[] {
  const odd = ['1', null, undefined, [], {}];
  if (typeof value === 'number') return [...odd, true, Float64Array.of(value)];
  if (typeof value === 'boolean') return [...odd, 1];
  if (value instanceof Float64Array) {
    const bad = value.slice();
    bad[0] = Number.NaN;
    return [
      ...odd,
      1,
      value.slice(1),
      Float32Array.from(value),
      Array.from(value),
      { rows: 1, cols: value.length, data: value },
      bad,
    ];
  }
  const { rows, cols, data } = value!;
  const bad = { rows, cols, data: data.slice() };
  bad.data[1] = Number.POSITIVE_INFINITY;
  const wider = { rows, cols: cols + 1, data: new Float64Array(rows * (cols + 1)) };
  return [
    ...odd,
    1,
    data,
    { rows: 2, cols: 2, data: data.slice(0, 4) },
    { rows, cols, data: data.slice(1) },
    wider,
    { rows, cols, data: Float32Array.from(data) },
    bad,
  ];
}

async function finish<T>(steps: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
  }
}
