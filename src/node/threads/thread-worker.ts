/** Entry of one worker thread: kernels of its own, then one reply per block of chunks. */
import { parentPort, workerData } from 'node:worker_threads';
import { createBlockWorker } from '../../engine/block-worker.ts';
import { type Request, transferables } from '../../engine/worker-messages.ts';
import { kernelsForThread } from './kernels.ts';
import { openNodeLocator } from './open-locator.ts';
import { CLOSE } from './thread-messages.ts';

const port = parentPort!;
const work = createBlockWorker(await kernelsForThread(workerData.backend, workerData.library), openNodeLocator);
port.on('message', (request: Request | typeof CLOSE) => {
  if (request === CLOSE) {
    port.close();
    return;
  }
  work(request, (reply) => port.postMessage(reply, 'values' in reply ? transferables(reply.values) : []));
});
