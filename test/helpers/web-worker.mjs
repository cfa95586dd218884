// A thread that looks like a dedicated web worker, and runs a given module.
import { parentPort, workerData } from 'node:worker_threads';

globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (type, listener) => {
  if (type === 'message') parentPort.on('message', (data) => listener({ data }));
};
if (workerData.without === 'WebAssembly') globalThis.WebAssembly = undefined;
await import(workerData.module);
