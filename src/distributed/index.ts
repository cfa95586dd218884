/** `orthodict/cluster`: executors over several machines, and their workers. */
export { blockLevel, type PassTime } from './block-size.ts';
export { createMpiExecutor, type MpiExecutorOptions } from './mpi-executor.ts';
// costs of a cluster: the bytes of sums and parameters on their way, and their limits
export { MOST as STORED_LIMITS } from './protocol.ts';
export { type BlockProgress, createRedisExecutor, type RedisExecutorOptions } from './redis-executor.ts';
export { type RedisWorker, type RedisWorkerOptions, startRedisWorker } from './redis-worker.ts';
export { fromBytes, toBytes } from './wire.ts';
