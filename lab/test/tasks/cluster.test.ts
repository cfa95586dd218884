/** The model of a pass on a cluster: what must hold for any costs. And its tables. */
import fc from 'fast-check';
import { blockLevel } from 'orthodict/cluster';
import { chartSvg } from 'orthodict/node';
import { describe, expect, it } from 'vitest';
import { clusterChart } from '#lab/charts/cluster-chart.ts';
import { clusterTables } from '#lab/report/cluster-tables.ts';
import type { ClusterBench } from '#lab/tasks/cluster/cluster-bench.ts';
import { type Costs, mpiPass, redisPass } from '#lab/tasks/cluster/model.ts';

const runs = { numRuns: 60 };
const job = { worker: 1e-3, server: 5e-4, driver: 1e-3 };
const costs: Costs = {
  features: 100,
  sample: 1e-6,
  bytes: 8e4,
  redis: { job, perByte: 1e-9, prepare: 1e-9, store: 2e-10, add: 5e-10 },
  mpi: { latency: 1e-3, perByte: 5e-9 },
};
const free: Costs = {
  ...costs,
  redis: { job: { worker: 0, server: 0, driver: 0 }, perByte: 0, prepare: 0, store: 0, add: 0 },
  mpi: { latency: 0, perByte: 0 },
};
const passes = fc.record({
  samples: fc.integer({ min: 1e4, max: 1e9 }),
  workers: fc.integer({ min: 1, max: 300 }),
});

describe('the model', () => {
  it('of a pass without overhead is computing alone', () => {
    const samples = 2048 * 64;
    for (const workers of [1, 2, 4, 64]) {
      const { seconds } = redisPass(free, { samples, workers, chunks: 64, level: 0 });
      expect(seconds).toBeCloseTo((samples * free.sample) / workers, 12);
    }
    expect(mpiPass(free, { samples, workers: 1 })).toBeCloseTo(samples * free.sample, 12);
  });

  it('of one block on one worker is the sum of its steps', () => {
    const { sample, bytes, redis } = costs;
    const transfers = 4 * bytes * redis.perByte; // parameters there and back, the sum there and back
    const steps = bytes * (redis.prepare + redis.store + redis.add) + job.worker + job.server + job.driver;
    const { seconds, blocks } = redisPass(costs, { samples: 1000, workers: 1, chunks: 1, level: 0 });
    expect([seconds, blocks]).toEqual([expect.closeTo(1000 * sample + transfers + steps, 12), 1]);
  });

  it('is never faster than its work allows', () => {
    fc.assert(
      fc.property(passes, ({ samples, workers }) => {
        const { seconds, blocks, redisBusy, driverBusy } = redisPass(costs, { samples, workers });
        const { bytes, redis } = costs;
        const serial = bytes * redis.perByte * (1 + Math.min(workers, blocks) + 2 * blocks) + blocks * job.server;
        expect(seconds).toBeGreaterThanOrEqual((samples * costs.sample) / workers);
        expect(seconds).toBeGreaterThanOrEqual(0.999 * serial);
        expect(redisBusy).toBeCloseTo(serial / seconds, 6);
        expect(Math.max(redisBusy, driverBusy)).toBeLessThanOrEqual(1.000001);
      }),
      runs,
    );
  });

  it('is slower on a machine with fewer cores than processes', () => {
    fc.assert(
      fc.property(passes, (pass) => {
        const here = redisPass(costs, { ...pass, cores: 2, level: 3 }).seconds;
        expect(here).toBeGreaterThanOrEqual(redisPass(costs, { ...pass, level: 3 }).seconds);
        expect(here).toBeGreaterThanOrEqual((pass.samples * costs.sample) / 2);
      }),
      runs,
    );
  });

  it('says that MPI goes further than Redis, and more data further than little', () => {
    const efficiency = (samples: number, workers: number) => {
      const ideal = (samples * costs.sample) / workers;
      return {
        redis: ideal / redisPass(costs, { samples, workers }).seconds,
        mpi: ideal / mpiPass(costs, { samples, workers }),
      };
    };
    const [little, much] = [efficiency(1e8, 1000), efficiency(1e10, 1000)];
    expect(little.mpi).toBeGreaterThan(2 * little.redis);
    expect(much.redis).toBeGreaterThan(2 * little.redis);
  });
});

describe('blocks', () => {
  it('are as good as any other size, within a few per cent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 64 }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (chunks, threads, expected, taking) => {
          const time = (level: number) => {
            const blocks = Math.ceil(chunks / 2 ** level);
            return Math.ceil(blocks / threads) * ((2 ** level * expected * threads) / chunks + 3) + blocks * taking;
          };
          const level = blockLevel({ chunks, threads, expected, taking });
          for (let other = 0; 2 ** other <= chunks; other++)
            expect(time(level)).toBeLessThanOrEqual(1.031 * time(other));
          expect(blockLevel({ chunks, threads, expected, taking }, 2)).toBeLessThanOrEqual(2);
        },
      ),
      runs,
    );
  });

  it('are one for every thread if nothing is known', () => {
    expect(Math.ceil(64 / 2 ** blockLevel({ chunks: 64, threads: 4, expected: 0, taking: 1 }))).toBeLessThanOrEqual(4);
  });
});

it('is reported as tables and as a chart', async () => {
  const checked = (['Redis', 'MPI'] as const).flatMap((engine) =>
    [
      { features: 100, samples: 0 },
      { features: 1000, samples: 0 },
      { features: 100, samples: 1000 },
    ].map((pass) => ({ engine, workers: 2, ...pass, measured: 0.0125, modelled: 0.01 })),
  );
  const predicted = [1, 10, 100, 1000].flatMap((workers) =>
    (['Redis', 'MPI'] as const).map((engine) => {
      return { engine, workers, features: 100, samples: 1e10, seconds: 3, efficiency: 0.5, blocks: 7, blockSeconds: 2 };
    }),
  );
  const size = { workers: 10, features: 100, samples: 1e10 };
  const bench: ClusterBench = {
    cores: 2,
    backend: 'wasm',
    costs: [costs, { ...costs, features: 1000, bytes: 8e6 }],
    checked,
    predicted,
    blockSizes: [
      { ...size, blockSeconds: 1, seconds: 20, efficiency: 0.4 },
      { ...size, blockSeconds: 2, seconds: 10, efficiency: 0.8 },
    ],
    skipped: [],
  };
  const [empty, full, prediction, blocks] = clusterTables(bench);
  expect(empty.header).toEqual(['', '80 KB', 'model', '8000 KB', 'model']);
  expect(empty.rows[1]).toEqual(['MPI, 2 ranks', '12.5', '10.0', '12.5', '10.0']);
  expect(full.rows[0].at(-1)).toBe('0.80');
  expect(prediction.rows[0]).toEqual(['100', '10¹⁰', '1', '3.00', '50 %', '7', '2.00', '3.00', '50 %']);
  expect(blocks.rows).toEqual([['100', '10', '2.00', '80 %']]);
  expect(await chartSvg(clusterChart(bench))).toContain('threads on the cluster');
});
