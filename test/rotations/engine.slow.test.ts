import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/share.ts';
import type { Executor } from '#src/engine/executor.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { momentObjective } from '#src/models/tensor/moment-objective.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { ascend } from '#src/rotations/engine.ts';
import { l4Objective } from '#src/rotations/l4-objective.ts';
import { onThreadsOf } from '#src/rotations/turn-groups.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(72);
const random = createRandom(seed, 'engine');

describe('on several threads', () => {
  const wide = normalMatrix(24, 30_000, random);
  const weights = Float64Array.from({ length: wide.cols }, (_, l) => 1 + (l % 3));
  const sharing = {
    l4: (executor?: Executor) =>
      l4Objective(wide.rows, (A) => shareMatrix(fastKernels.multiply(A, wide)), onThreadsOf(executor)),
    moments: (executor?: Executor) =>
      momentObjective(
        [
          { x: wide, weight: weights },
          { x: wide, y: wide },
        ],
        fastKernels,
        onThreadsOf(executor),
      ),
  };
  let executor: Executor;
  beforeAll(async () => {
    executor = await createNodeExecutor({ threads: 3 });
  });
  afterAll(() => executor.close());

  it.each(Object.entries(sharing))('does the same arithmetic: %s', async (_, objective) => {
    const options = { start: randomOrthogonal(wide.rows, createRandom(seed, 'threads')), maxSweeps: 2 };
    const shared = objective(executor);
    expect(shared.turnGroups).toBeDefined();
    expect(await ascend(shared, options)).toEqual(await ascend(objective(), options));
  });

  it('ends in the middle of a sweep when aborted', async () => {
    const controller = new AbortController();
    const objective = l4Objective(
      wide.rows,
      (A) => shareMatrix(fastKernels.multiply(A, wide)),
      onThreadsOf(executor, controller.signal),
    );
    let rounds = 0;
    const turnGroups: typeof objective.turnGroups = async (...round) => {
      if (++rounds === 3) controller.abort();
      return objective.turnGroups!(...round);
    };
    const options = { start: identity(wide.rows), signal: controller.signal };
    expect(await ascend({ ...objective, turnGroups }, options)).toMatchObject({ status: 'aborted', sweeps: 0 });
    expect(rounds).toBe(3);
  });
});
