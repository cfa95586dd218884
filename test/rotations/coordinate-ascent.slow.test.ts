import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity, maxDifference, row } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import type { Executor } from '#src/engine/executor.ts';
import { planeRows } from '#src/kernels/wasm/plane-rows.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { momentObjective } from '#src/models/tensor/moment-objective.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { ascend } from '#src/rotations/ascend.ts';
import { l4Objective } from '#src/rotations/l4-objective.ts';
import { onThreadsOf } from '#src/rotations/rotate-groups.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(72);
const random = createRandom(seed, 'engine');

describe('on several threads', () => {
  const normal = normalMatrix(24, 30_000, random);
  const wide = { ...normal, data: normal.data.map((x) => x + x * x - 1) }; // skewed: rounding does not choose the angles
  const objectives = {
    l4: (executor?: Executor) =>
      l4Objective(wide.rows, (A) => shareMatrix(fastKernels.multiply(A, wide)), executor && onThreadsOf(executor)),
    'l4 in WebAssembly memory': (executor?: Executor) =>
      l4Objective(
        wide.rows,
        (A) => {
          const rows = planeRows(wide.rows, wide.cols, 'f64');
          const codes = fastKernels.multiply(A, wide);
          for (let i = 0; i < wide.rows; i++) row(rows, i).set(row(codes, i));
          return rows;
        },
        executor && onThreadsOf(executor),
      ),
    moments: (executor?: Executor) => momentObjective(wide, 0.5, fastKernels, executor && onThreadsOf(executor)),
  };
  const executors = new Map<number, Executor>();
  beforeAll(async () => {
    for (const threads of [1, 2, 3]) executors.set(threads, await createNodeExecutor({ threads }));
  });
  afterAll(async () => {
    for (const executor of executors.values()) await executor.close();
  });

  it.each(Object.entries(objectives))('has the same bits on 1, 2 and 3: %s', async (_, objective) => {
    const options = { start: randomOrthogonal(wide.rows, createRandom(seed, 'threads')), maxIterations: 2 };
    const alone = await ascend(objective(executors.get(1)), options);
    for (const threads of [2, 3]) expect(await ascend(objective(executors.get(threads)), options)).toEqual(alone);
    // and plane by plane, up to rounding: f is flat at the best angle, whose error is the root of that of f
    const { state } = await ascend(objective(), options);
    expect(maxDifference(state.atoms, alone.state.atoms)).toBeLessThan(1e-6);
    expect(Math.abs(state.objective / alone.state.objective - 1)).toBeLessThan(1e-8);
    expect(state.moves).toBe(alone.state.moves);
  });

  it('ends in the middle of a sweep when aborted', async () => {
    const controller = new AbortController();
    const objective = l4Objective(
      wide.rows,
      (A) => shareMatrix(fastKernels.multiply(A, wide)),
      onThreadsOf(executors.get(3)!, controller.signal),
    );
    let rounds = 0;
    const rotateGroups: typeof objective.rotateGroups = async (...round) => {
      if (++rounds === 3) controller.abort();
      return objective.rotateGroups!(...round);
    };
    const { signal } = controller;
    const aborted = await ascend({ ...objective, rotateGroups }, { start: identity(wide.rows) }, { signal });
    expect(aborted).toMatchObject({ status: 'aborted', iterations: 0 });
    expect(rounds).toBe(3);
  });
});
