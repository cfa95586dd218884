// A thread with the face of a dedicated web worker, which then runs the module it is told.
import { parentPort, workerData } from 'node:worker_threads';

globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (type, listener) => {
  if (type === 'message') parentPort.on('message', (data) => listener({ data }));
};
if (workerData.without === 'WebAssembly') globalThis.WebAssembly = undefined;
await import(workerData.module);
