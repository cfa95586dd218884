/** `orthodict/cluster`: executors over several machines, and their workers. */
export { createMpiExecutor, type MpiExecutorOptions } from './mpi-executor.ts';
export { type BlockProgress, createRedisExecutor, type RedisExecutorOptions } from './redis-executor.ts';
export { type RedisWorker, type RedisWorkerOptions, startRedisWorker } from './redis-worker.ts';
