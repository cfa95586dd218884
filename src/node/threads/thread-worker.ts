/** Entry of one worker thread: kernels of its own, then one reply per block of chunks. */
import { parentPort, workerData } from 'node:worker_threads';
import { createBlockWorker } from '../../engine/block-worker.ts';
import { type Request, transferables } from '../../engine/worker-messages.ts';
import { kernelsForThread } from './kernels.ts';
import { openNodeLocator } from './open-locator.ts';
import { CLOSE, READY } from './thread-messages.ts';

const port = parentPort!;
const work = createBlockWorker(await kernelsForThread(workerData.kernels), openNodeLocator);

function onMessage(request: Request | typeof CLOSE): void {
  // without a listener the thread ends when its work is done; a port of Deno has no close()
  if (request === CLOSE) port.off('message', onMessage);
  else work(request, (reply) => port.postMessage(reply, 'values' in reply ? transferables(reply.values) : []));
}

port.on('message', onMessage);
port.postMessage(READY);
