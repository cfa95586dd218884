/**
 * orthodict for Node: files, threads, models on disk. The portable functions are in the main entry, `orthodict`.
 *
 * @module orthodict/node
 */
export { shareMatrix } from '../core/share.ts';
export type { ArrayInput, ShapedArray, StreamedArray } from '../formats/arrays.ts';
export type { ReadLimits, ReadOptions } from '../formats/budget.ts';
export { type Model, type ModelMeta, modelMeta, type SaveOptions } from '../formats/model.ts';
export type { NpyArray } from '../formats/npy.ts';
export type { NumberArray } from '../formats/npy-write.ts';
export type { PatchReading } from '../formats/picture-table.ts';
export { FORMAT_NAMES, type Format, type TableOptions } from '../formats/table-options.ts';
export type { Colour } from '../images/colour.ts';
export { evaluate } from './evaluate.ts';
export { type ChartSpec, chartSvg, checkChart, renderChart } from './files/chart.ts';
export { fileCheckpoint } from './files/checkpoint-file.ts';
export { loadModel, saveModel } from './files/model-file.ts';
export { loadPicture, savePicture } from './files/picture-archive.ts';
export { readArray, readArrays, readMatrix, writeArray, writeArrays } from './formats/arrays.ts';
export { type NamedCounts, readCounts } from './formats/counts.ts';
export { type FileSourceOptions, openSource } from './formats/file-source.ts';
export { type ReadPictureOptions, readPicture, writePicture } from './formats/picture-file.ts';
export { type Sound, writeWav } from './formats/wav-write.ts';
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
export { type NodeBackendChoice, type NodeKernels, selectNodeKernels } from './threads/kernels.ts';
export { createNodeExecutor, type NodeExecutorOptions } from './threads/threads.ts';
export { type UpdatedModel, updateModel } from './update-model.ts';
