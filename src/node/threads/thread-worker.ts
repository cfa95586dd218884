/** Entry point of one worker thread: kernels of its own, then one reply per block of chunks. */
import { parentPort, workerData } from 'node:worker_threads';
import { sharedOpener } from '../../engine/source/cache.ts';
import { locatorOpener } from '../../engine/source/locator.ts';
import type { FileLocator, FilesLocator } from '../../engine/source/source.ts';
import { type ToWorker, transferables } from '../../engine/workers/protocol.ts';
import { createBlockWorker } from '../../engine/workers/worker.ts';
import { kernelsForThread } from './kernels.ts';
import { CLOSE, READY } from './thread-messages.ts';

const openFile = async (locator: FileLocator | FilesLocator) =>
  (await import('../io/file-locator.ts')).openFileLocator(locator);
const openLocator = locatorOpener({ kinds: ['file', 'files'], open: sharedOpener(openFile, JSON.stringify) });

const port = parentPort!;
const work = createBlockWorker(await kernelsForThread(workerData.kernels), openLocator, (reply) => {
  port.postMessage(reply, 'values' in reply ? transferables(reply.values) : []);
});

function onMessage(message: ToWorker | typeof CLOSE): void {
  // without a listener the thread ends when its work is done; a port of Deno has no close()
  if (message === CLOSE) port.off('message', onMessage);
  else work(message);
}

port.on('message', onMessage);
port.postMessage(READY);
