/**
 * orthodict in a page: everything of the main entry, web workers, files, addresses and pictures.
 *
 * @module orthodict/browser
 */
export { shareMatrix } from '../core/share.ts';
export type { ArrayInput, ShapedArray, StreamedArray } from '../formats/arrays.ts';
export type { ReadLimits, ReadOptions } from '../formats/budget.ts';
export { type Model, type ModelMeta, modelMeta, type SaveOptions } from '../formats/model.ts';
export type { NumberArray } from '../formats/npy-write.ts';
export type { PatchReading } from '../formats/picture-table.ts';
export type { Cell, PreviewColumn, TablePreview } from '../formats/preview-columns.ts';
export { FORMAT_NAMES, type Format, type TableOptions } from '../formats/table-options.ts';
export * from '../index.ts';
export { arrayBlob, arraysBlob, type CsvBlobOptions, csvBlob, loadModel, modelBlob } from './blobs.ts';
export { type BrowserExecutorOptions, createBrowserExecutor } from './executor.ts';
export type { DataOptions, PageData } from './open-bytes.ts';
export { openSource, type PageSourceOptions } from './open-source.ts';
export { type PageReadPictureOptions, type PictureType, pictureBlob, readPicture } from './pictures.ts';
export { previewTable } from './preview-table.ts';
export type { WebWorker } from './web-worker.ts';
