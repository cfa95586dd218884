/** orthodict for Node: files, threads, models on disk. The portable functions are in the main entry, `orthodict`. */
export { shareMatrix } from '../core/share.ts';
export { type ChartSpec, renderChart } from './files/chart.ts';
export { fileCheckpoint } from './files/checkpoint-file.ts';
export { loadModel, type Model, type ModelMeta, modelMeta, saveModel } from './files/model-file.ts';
export { readArray, readArrays, readMatrix, writeArray, writeArrays } from './formats/arrays.ts';
export type { ReadLimits, ReadOptions } from './formats/budget.ts';
export { type NamedCounts, readCounts } from './formats/counts.ts';
export { type FileSourceOptions, openSource } from './formats/file-source.ts';
export {
  learn,
  learnHouseholder,
  learnMixture,
  learnMoments,
  learnSparsePca,
  learnTensor,
  learnTopics,
} from './models.ts';
export { type NodeRunOptions, runOnNode } from './run.ts';
export { createNodeExecutor, type NodeExecutorOptions } from './threads/threads.ts';
