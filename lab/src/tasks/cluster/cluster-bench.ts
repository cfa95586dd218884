/**
 * What a cluster costs: passes on one, two and four workers of this machine, through Redis and MPI, measured and modelled; and
 * what the model says about machines that are not here.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Executor } from 'orthodict';
import { createMpiExecutor, createRedisExecutor } from 'orthodict/cluster';
import { createNodeExecutor } from 'orthodict/node';
import { CLI } from '../../contenders/whole-processes.ts';
import { timeProcess } from '../../timed-process.ts';
import { computingCosts, jobCosts, transferCosts } from './costs.ts';
import { type Costs, chunkCount, type MpiCosts, mpiPass, redisPass } from './model.ts';
import { CLUSTER_SIZES, type ClusterSizes, fileSource, type PassTimes, singleRows, timePasses } from './passes.ts';
import { mpirun, RedisPlace } from './places.ts';

const WORKERS = [1, 2, 4];

export type Engine = 'Redis' | 'MPI';

/** A pass that was measured and modelled, in seconds. `features` and `samples`: how large it was; no samples: nothing to compute. */
export interface CheckedPass {
  readonly engine: Engine;
  readonly workers: number;
  readonly features: number;
  readonly samples: number;
  readonly measured: number;
  readonly modelled: number;
}

/** A pass on machines that are not here. */
export interface PredictedPass {
  readonly engine: Engine;
  readonly workers: number;
  readonly features: number;
  readonly samples: number;
  readonly seconds: number;
  /** Part of what as many threads could do without any overhead. */
  readonly efficiency: number;
  /** Blocks as the executor makes them, and seconds of each; Redis only. */
  readonly blocks?: number;
  readonly blockSeconds?: number;
}

export interface ClusterBench {
  readonly cores: number;
  readonly backend: string;
  readonly costs: readonly Costs[];
  readonly checked: readonly CheckedPass[];
  readonly predicted: readonly PredictedPass[];
  /** Seconds of a pass by the seconds of its blocks, through Redis. */
  readonly blockSizes: readonly BlockSize[];
  readonly skipped: readonly string[];
}

export interface BlockSize {
  readonly workers: number;
  readonly features: number;
  readonly samples: number;
  readonly blockSeconds: number;
  readonly seconds: number;
  readonly efficiency: number;
}

export interface ClusterRun {
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
  readonly sizes?: ClusterSizes;
  /** Default: both. */
  readonly engines?: readonly Engine[];
}

/** On a rank of mpirun: rank 0 returns what it measured, the others nothing. */
export async function benchRanks({ signal, sizes = CLUSTER_SIZES }: ClusterRun = {}): Promise<PassTimes | undefined> {
  const executor = await createMpiExecutor({ brief: 0, threads: 1 });
  if (!executor) return undefined;
  const ranks = executor.threads;
  return inFolder((folder) => timePasses(executor, ranks, folder, sizes, signal)).finally(() => executor.close());
}

export async function benchCluster(run: ClusterRun = {}): Promise<ClusterBench> {
  const { signal, say, sizes = CLUSTER_SIZES, engines = ['Redis', 'MPI'] } = run;
  const skipped: string[] = [];
  const [redis, local] = await measureRedis({ signal, say, sizes });
  const mpi = engines.includes('MPI') ? await measureMpi(skipped, { signal, say }) : new Map<number, PassTimes>();
  const cores = availableParallelism();
  const mpiCosts = mpi.has(2) ? roundCosts(mpi.get(2)!, local.costs) : undefined;
  const costs = local.costs.map((each) => ({
    features: each.features,
    sample: each.sample,
    bytes: each.bytes,
    redis: { ...each.redis, job: local.job },
    mpi: mpiCosts ?? { latency: Number.NaN, perByte: Number.NaN },
  }));
  const checked: CheckedPass[] = [];
  for (const [engine, times] of [
    ['Redis', redis],
    ['MPI', mpi],
  ] as const) {
    for (const [workers, { empty, full }] of times) {
      const withWork = { features: sizes.features, seconds: full, samples: sizes.samples };
      for (const { features, seconds, samples } of [...empty.map((each) => ({ ...each, samples: 0 })), withWork]) {
        const own = costs.find((each) => each.features === features)!;
        const pass = { samples, workers, cores, ...(samples === 0 && { chunks: Math.max(2, workers), level: 0 }) };
        const modelled = engine === 'MPI' ? mpiPass(own, pass) : redisPass(own, pass).seconds;
        checked.push({ engine, workers, features, samples, measured: seconds, modelled });
      }
    }
  }
  const large = costs.filter(({ features }) => sizes.empty.includes(features));
  return {
    cores,
    backend: local.backend,
    costs,
    checked,
    predicted: large.flatMap((each) => predict(each, mpiCosts !== undefined)),
    blockSizes: large.flatMap(sweepBlocks),
    skipped,
  };
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'orthodict-cluster-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type LocalCosts = Omit<Costs, 'mpi' | 'redis'> & {
  readonly redis: Omit<Costs['redis'], 'job'>;
};

async function measureRedis({ signal, say, sizes }: ClusterRun & { readonly sizes: ClusterSizes }) {
  return inFolder(async (folder) => {
    const place = await RedisPlace.start(folder);
    try {
      const local = await localCosts(place, sizes, say);
      const times = new Map<number, PassTimes>();
      let job = { worker: 0, server: 0, driver: 0 };
      for (const workers of WORKERS) {
        say?.(`Redis, ${workers} workers`);
        const queue = `bench-${workers}`;
        await place.startWorkers(workers, queue);
        const executor = await createRedisExecutor({ redis: place.url, queue, brief: 0, threads: 1 });
        try {
          if (workers === 1) job = await jobCostsOf(executor, place, folder, sizes);
          times.set(workers, await timePasses(executor, workers, folder, sizes, signal));
        } finally {
          await executor.close();
          await place.clear();
        }
      }
      return [times, { ...local, job }] as const;
    } finally {
      await place.stop();
    }
  });
}

async function jobCostsOf(executor: Executor, { url }: RedisPlace, folder: string, { empty }: ClusterSizes) {
  const redis = new Redis(url);
  const source = await fileSource(folder, 2, empty[0]);
  try {
    return await jobCosts(redis, executor, { ...source, ranges: singleRows(2) });
  } finally {
    await source.close?.();
    redis.disconnect();
  }
}

async function localCosts(place: RedisPlace, sizes: ClusterSizes, say: ClusterRun['say']) {
  const executor = await createNodeExecutor({ threads: 1 });
  const redis = new Redis(place.url);
  try {
    const costs: LocalCosts[] = [];
    for (const features of new Set([...sizes.empty, sizes.features])) {
      say?.(`costs, n=${features}`);
      const computing = await computingCosts(executor, features);
      costs.push({ features, ...computing, redis: await transferCosts(redis, executor, features) });
    }
    return { costs, backend: executor.kernels.name };
  } finally {
    redis.disconnect();
    await executor.close();
  }
}

/** Starts this benchmark on ranks, as a user would. */
async function measureMpi(skipped: string[], { signal, say }: ClusterRun): Promise<Map<number, PassTimes>> {
  const times = new Map<number, PassTimes>();
  for (const ranks of WORKERS.slice(1)) {
    const command = mpirun(ranks);
    if (!command) {
      skipped.push('MPI: there is no mpirun');
      return times;
    }
    say?.(`MPI, ${ranks} ranks`);
    const [launcher, ...args] = command;
    try {
      const ours = [process.execPath, CLI, 'bench', '--cluster', '--mpi', '--json'];
      const { stdout } = await timeProcess(launcher, [...args, ...ours], { signal });
      times.set(ranks, JSON.parse(stdout) as PassTimes);
    } catch (error) {
      signal?.throwIfAborted();
      skipped.push(`MPI, ${ranks} ranks: ${(error as Error).message}`);
    }
  }
  return times;
}

/** A round from two ranks with nothing to compute: what does not depend on bytes, and what does. */
function roundCosts({ empty }: PassTimes, costs: readonly LocalCosts[]): MpiCosts {
  const [small, large] = [empty[0], empty.at(-1)!].map(({ features, seconds }) => {
    return { seconds, bytes: costs.find((each) => each.features === features)!.bytes };
  });
  const perByte = Math.max(0, (large.seconds - small.seconds) / (large.bytes - small.bytes));
  return { perByte, latency: Math.max(0, small.seconds - small.bytes * perByte) };
}

const PREDICTED = { workers: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], samples: [1e6, 1e8, 1e10] };

function predict(costs: Costs, hasMpi: boolean): PredictedPass[] {
  const { features } = costs;
  return PREDICTED.samples.flatMap((samples) =>
    PREDICTED.workers.flatMap((workers) => {
      const alone = (samples * costs.sample) / workers;
      const redis = redisPass(costs, { samples, workers });
      const of = (engine: Engine, seconds: number) => {
        return { engine, workers, features, samples, seconds, efficiency: alone / seconds };
      };
      const blockSeconds = (samples * costs.sample) / redis.blocks;
      const onRedis = { ...of('Redis', redis.seconds), blocks: redis.blocks, blockSeconds };
      return hasMpi ? [onRedis, of('MPI', mpiPass(costs, { samples, workers }))] : [onRedis];
    }),
  );
}

const SWEEP = { workers: [10, 100, 1000], samples: 1e10, fewest: 1, most: 300 };

/** Blocks of all sizes, from one for every worker to hundreds. */
function sweepBlocks(costs: Costs): BlockSize[] {
  const { features, sample } = costs;
  const { samples, fewest, most } = SWEEP;
  const chunks = chunkCount(samples, features);
  return SWEEP.workers.flatMap((workers) => {
    const levels = Array.from({ length: 40 }, (_, level) => level).filter((level) => {
      const perWorker = chunks / 2 ** level / workers;
      return perWorker >= fewest && perWorker <= most;
    });
    return levels.map((level) => {
      const { seconds, blocks } = redisPass(costs, { samples, workers, level });
      const efficiency = (samples * sample) / workers / seconds;
      return { workers, features, samples, blockSeconds: (samples * sample) / blocks, seconds, efficiency };
    });
  });
}
