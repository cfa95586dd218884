/** How long a fit takes. Short ones are repeated, and the one in the middle counts. */
import { median } from '../median.ts';

export const SHORT = { seconds: 0.3, repeats: 5 } as const;

export async function timed<T>(learnOnce: () => Promise<T>): Promise<{ readonly seconds: number; readonly found: T }> {
  const seconds: number[] = [];
  for (;;) {
    const started = performance.now();
    const found = await learnOnce();
    seconds.push((performance.now() - started) / 1000);
    if (seconds[0] >= SHORT.seconds || seconds.length >= SHORT.repeats) return { seconds: median(seconds), found };
  }
}
