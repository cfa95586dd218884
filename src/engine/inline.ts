/** Computes every chunk in the calling thread, letting the event loop breathe so that aborts and progress get through. */
import type { Kernels } from '../kernels/kernels.ts';
import type { Executor } from './executor.ts';
import { rangesOf } from './source.ts';

const BREATH_MILLISECONDS = 50;

export function inlineExecutor(kernels: Kernels): Executor {
  let lastBreath = performance.now();
  return {
    kernels,
    threads: 1,
    async *contributions(pass, params, source, signal) {
      for (const [index, { start, end }] of rangesOf(source, pass.effort).entries()) {
        if (performance.now() - lastBreath > BREATH_MILLISECONDS) {
          await new Promise((resolve) => setTimeout(resolve));
          lastBreath = performance.now();
        }
        signal?.throwIfAborted();
        const samples = await source.read(start, end);
        yield pass.contribute({ samples, start, index }, params, kernels);
      }
    },
    async close() {},
  };
}
