/** Entry of one worker thread: kernels of its own, then one reply a chunk. */
import { parentPort, workerData } from 'node:worker_threads';
import { createChunkWorker, type Request, transferables } from '../executors/workers.ts';
import { type BackendChoice, selectKernels } from '../kernels/select.ts';
import { enableRelaxedSimd } from './enable-relaxed-simd.ts';

enableRelaxedSimd();
const port = parentPort!;
const work = createChunkWorker(await selectKernels(workerData.backend as BackendChoice));
port.on('message', (request: Request) => {
  const reply = work(request);
  if (reply) port.postMessage(reply, reply.type === 'contribution' ? transferables(reply.contribution) : []);
});
