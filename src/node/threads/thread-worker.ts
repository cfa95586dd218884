/** Entry of one worker thread: kernels of its own, then one reply a chunk. */
import { parentPort, workerData } from 'node:worker_threads';
import { createChunkWorker, type Request, transferables } from '../../engine/workers.ts';
import { kernelsForThread } from './kernels.ts';
import { CLOSE } from './thread-messages.ts';

const port = parentPort!;
const work = createChunkWorker(await kernelsForThread(workerData.backend, workerData.library));
port.on('message', (request: Request | typeof CLOSE) => {
  if (request === CLOSE) {
    port.close();
    return;
  }
  work(request, (reply) => {
    port.postMessage(reply, reply.type === 'contribution' ? transferables(reply.contribution) : []);
  });
});
