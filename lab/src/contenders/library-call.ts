/** Contenders that are a call of this library: arrays in memory, default threads, the whole call counted. */
import { median } from '../median.ts';
import type { Arrays, Contender } from './contender.ts';

/** Fits that take less are repeated, and the one in the middle counts. */
export const SHORT = { seconds: 0.3, repeats: 5 } as const;
/** The first call compiles what this data needs: it is not counted, unless it is so long that compiling does not matter. */
const LONG_SECONDS = 3;

export const libraryCall = (
  name: string,
  fit: (given: Arrays, seed: number, signal: AbortSignal) => Promise<Arrays>,
): Contender => ({
  name,
  ours: true,
  async open() {
    let compiled = false;
    return {
      description: 'library calls with default threads',
      async run({ given, seed, signal }) {
        const learnOnce = () => fit(given, seed, signal);
        const first = await timed(learnOnce);
        if (compiled || first.seconds > LONG_SECONDS) return [first];
        compiled = true;
        return [await timed(learnOnce)];
      },
      async close() {},
    };
  },
});

async function timed(learnOnce: () => Promise<Arrays>) {
  const seconds: number[] = [];
  for (;;) {
    const started = performance.now();
    const found = await learnOnce();
    seconds.push((performance.now() - started) / 1000);
    if (seconds[0] >= SHORT.seconds || seconds.length >= SHORT.repeats) return { seconds: median(seconds), found };
  }
}
