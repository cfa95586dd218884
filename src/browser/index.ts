/**
 * orthodict in a page: everything of the main entry, web workers, files, addresses and pictures.
 *
 * @module orthodict/browser
 */
export { shareMatrix } from '../core/shared-memory.ts';
export * from '../index.ts';
export type { ArrayInput, ShapedArray, StreamedArray } from '../io/arrays.ts';
export type { ReadLimits, ReadOptions } from '../io/bytes/budget.ts';
export type { NumberArray } from '../io/codecs/npy/write.ts';
export type { PatchReading } from '../io/codecs/picture/reading.ts';
export type { SaveOptions } from '../io/model.ts';
export { FORMAT_NAMES, type Format, type TableOptions } from '../io/tables/options.ts';
export type { Cell, PreviewColumn, TablePreview } from '../io/tables/preview-columns.ts';
export { arrayBlob, arraysBlob, type CsvBlobOptions, csvBlob, loadModel, modelBlob } from './blobs.ts';
export { type BrowserExecutorOptions, createBrowserExecutor } from './executor.ts';
export type { DataOptions, PageData } from './open-bytes.ts';
export { openSource, type PageSourceOptions } from './open-source.ts';
export { type PageReadPictureOptions, type PictureType, pictureBlob, readPicture } from './pictures.ts';
export { previewTable } from './preview-table.ts';
export type { WebWorker } from './web-worker.ts';
