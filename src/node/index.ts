/**
 * orthodict for Node: files, threads, models on disk. The portable functions are in the main entry, `orthodict`.
 *
 * @module orthodict/node
 */
export { shareMatrix } from '../core/shared-memory.ts';
export type { Model, ModelMeta } from '../dictionaries/model.ts';
export type { ArrayInput, ShapedArray, StreamedArray } from '../io/arrays.ts';
export type { ReadLimits, ReadOptions } from '../io/bytes/budget.ts';
export type { NpyArray } from '../io/codecs/npy/npy.ts';
export type { NumberArray } from '../io/codecs/npy/write.ts';
export type { PatchReading } from '../io/codecs/picture/reading.ts';
export type { SaveOptions } from '../io/model.ts';
export { FORMAT_NAMES, type Format, type TableOptions } from '../io/tables/options.ts';
export type { Colour } from '../pictures/colour.ts';
export { type ChartSpec, chartSvg, checkChart, renderChart } from './chart.ts';
export {
  type DecodedFile,
  type DecodeToFile,
  decode,
  type EncodedFile,
  type EncodeToFile,
  encode,
  type ModelInput,
  type NodeCodingRun,
} from './encode.ts';
export { evaluate } from './evaluate.ts';
export { readArray, readArrays, readMatrix, writeArray, writeArrays } from './io/arrays.ts';
export { fileCheckpoint } from './io/checkpoint-file.ts';
export { type NamedCounts, readCounts } from './io/counts.ts';
export { type FileSourceOptions, openSource } from './io/file-source.ts';
export { loadModel, saveModel } from './io/model-file.ts';
export { loadPicture, savePicture } from './io/picture-archive.ts';
export { type ReadPictureOptions, readPicture, writePicture } from './io/picture-file.ts';
export { type Sound, writeWav } from './io/wav-write.ts';
export { learn } from './learn.ts';
export {
  compressPicture,
  denoise,
  learnHouseholder,
  learnMixture,
  learnMoments,
  learnSparsePca,
  learnTensor,
  learnTopics,
} from './models.ts';
export { type NodePlace, type NodeRunOptions, type OnShape, type OpenData, type Opened, runOnNode } from './run.ts';
export type { NodeBackendChoice, NodeExecutorOptions } from './threads/executor-options.ts';
export { type NodeKernels, selectNodeKernels } from './threads/kernels.ts';
export { createNodeExecutor } from './threads/threads.ts';
export { type UpdatedModel, updateModel } from './update-model.ts';
