/** orthodict for Node: files, threads, models on disk. Everything of the main entry is in `orthodict`. */
export { readArray, readArrays, readMatrix, writeArray, writeArrays } from './arrays.ts';
export { fileCheckpoint } from './checkpoint-file.ts';
export { type NamedCounts, readCounts } from './counts.ts';
export { type FileSourceOptions, openSource } from './file-source.ts';
export { learn, type NodeRunOptions } from './learn.ts';
export { loadModel, type Model, type ModelMeta, modelMeta, saveModel } from './model-file.ts';
export { shareMatrix } from './share.ts';
export { createNodeExecutor, type NodeExecutorOptions } from './threads.ts';
