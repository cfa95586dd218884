/** orthodict for any JavaScript runtime. */
export type { Checkpoint, CheckpointStore } from './checkpoint.ts';
export { denseDictionary } from './dictionaries/dense.ts';
export type { Dictionary } from './dictionaries/dictionary.ts';
export { InputError } from './errors.ts';
export type { Executor } from './executors/executor.ts';
export { inlineExecutor } from './executors/inline.ts';
export type { KernelName, Kernels } from './kernels/kernels.ts';
export { type BackendChoice, selectKernels, supportedKernels } from './kernels/select.ts';
export { type LearnResult, learn, learnSteps, type RunOptions } from './learn.ts';
export { type FloatArray, fromRows, type Matrix, type Matrix64, type Precision } from './matrix.ts';
export { type LearnOptions, learnDefaults, METHODS } from './options.ts';
export type { Selection } from './passes/select-codes.ts';
export type { Progress, Status } from './solvers/stop.ts';
export { type MemorySource, memorySource } from './sources/memory.ts';
export type { Source } from './sources/source.ts';
