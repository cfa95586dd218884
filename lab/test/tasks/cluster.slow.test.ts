/** The benchmark of clusters, with passes of no size, on a Redis server of its own. */
import { describe, expect, it } from 'vitest';
import { benchCluster } from '#lab/tasks/cluster/cluster-bench.ts';
import { noRedis } from '../../../test/distributed/redis-server.ts';
import { startLab } from '../command.ts';

describe.skipIf(noRedis)('bench --cluster', () => {
  it('measures and models passes on 1, 2 and 4 workers', async () => {
    const sizes = { empty: [20, 40], samples: 30_000, features: 40, rounds: 1 };
    const { checked, predicted, costs } = await benchCluster({ sizes, engines: ['Redis'] });
    expect(checked.map(({ workers, samples }) => [workers, samples])).toEqual(
      [1, 2, 4].flatMap((workers) => [0, 0, 30_000].map((samples) => [workers, samples])),
    );
    for (const { measured, modelled } of checked) expect([measured > 0, modelled > 0]).toEqual([true, true]);
    for (const { redis, sample } of costs) {
      expect(Math.min(sample, redis.perByte, redis.job.server, redis.job.driver)).toBeGreaterThan(0);
    }
    expect(new Set(predicted.map(({ engine }) => engine))).toEqual(new Set(['Redis']));
  });
});

it('refuses flags that have no effect', async () => {
  const both = await startLab(['bench', '--cluster', '--recovery']).finished;
  expect([both.code, both.stderr]).toEqual([2, 'bench: --recovery must come without --cluster; got both.\n']);
  const alone = await startLab(['bench', '--mpi']).finished;
  expect([alone.code, alone.stderr]).toEqual([2, 'bench: --mpi must come with --cluster; got it alone.\n']);
});
