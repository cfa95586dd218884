/** orthodict in a browser: everything of the library, and web workers. */
export * from '../index.ts';
export { type BrowserExecutorOptions, createBrowserExecutor } from './executor.ts';
export type { WebWorker } from './web-worker.ts';
