/**
 * Entry point of one web worker: kernels from those that the page has compiled, then one reply per block of chunks. It has no
 * dynamic imports of its own, so that every bundler can make one file of it.
 */
import { reasonOf } from '../core/warn.ts';
import { type ResolvePass, resolvePass } from '../engine/pass.ts';
import { transferables } from '../engine/workers/protocol.ts';
import { createBlockWorker } from '../engine/workers/worker.ts';
import { referenceKernels } from '../kernels/reference.ts';
import { createWasmKernels } from '../kernels/wasm.ts';
import { packagePasses } from './generated/passes.ts';
import { openBrowserLocator } from './open-locator.ts';
import { FOR_PASSES, type FromWorker, type Setup, type ToWebWorker } from './web-worker.ts';

/** The worker's global object. */
const scope = globalThis as unknown as {
  [FOR_PASSES]: boolean;
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ToWebWorker }) => void): void;
};
scope[FOR_PASSES] = true;

/** Passes of the package by name: in a bundle, the module that a pass names is part of the page, which must not be loaded in a worker. */
const known = new Map(packagePasses.map((pass) => [pass.name, pass]));

const resolve: ResolvePass = async (description) => {
  const { name, module } = description;
  try {
    return known.get(name) ?? (await resolvePass(description));
  } catch (error) {
    const todo = "imports the module of the pass, then 'orthodict/browser/worker'";
    throw new Error(
      `passes: a web worker cannot load "${name}" from ${module} (${reasonOf(error)}); in a bundle, give createBrowserExecutor a createWorker whose module ${todo}.`,
    );
  }
};

async function createWork({ kernels: compiled }: Setup): Promise<(message: ToWebWorker) => void> {
  const kernels = compiled ? await createWasmKernels(compiled) : referenceKernels;
  const work = createBlockWorker(
    kernels,
    openBrowserLocator,
    (reply) => scope.postMessage(reply, 'values' in reply ? transferables(reply.values) : []),
    resolve,
  );
  return (message) => 'kernels' in message || work(message);
}

let work: ((message: ToWebWorker) => void) | undefined;
scope.addEventListener('message', async ({ data: message }) => {
  if (work) return work(message);
  try {
    work = await createWork(message as Setup); // nothing else arrives before it is ready
    scope.postMessage({ ready: true });
  } catch (error) {
    scope.postMessage({ unready: reasonOf(error) });
  }
});
