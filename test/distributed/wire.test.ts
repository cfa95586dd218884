/** Parameters and sums travel as bytes. Bytes from outside are a value or an error, never a crash or a hang. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRandom } from '#src/core/random.ts';
import { canTravel, fromBytes, toBytes } from '#src/distributed/wire.ts';
import { bits } from '../helpers/bytes.ts';
import { testSeed } from '../helpers/seed.ts';

const MOST = 1 << 20;
const value = {
  atoms: { rows: 2, cols: 3, data: Float64Array.of(1, -0, Number.NaN, 4, 5, 6) },
  response: { kind: 'mask', thresholds: Float32Array.of(1, 2), meanNorm: 3 },
  list: [undefined, null, true, 'text – ä', [], {}],
};

it('gives back what was sent', () => {
  expect(bits(fromBytes(toBytes(value, 'it', MOST)))).toBe(bits(value));
});

it('refuses what is too large, or lives in the memory of one machine', () => {
  expect(() => toBytes(value, 'the sum', 100)).toThrow(/^cluster: the sum must be at most 100 bytes; got \d+\.$/);
  const shared = { rows: new Float64Array(new SharedArrayBuffer(16)) };
  expect(canTravel(shared)).toBe(false);
  expect(() => toBytes(shared, 'the sum', MOST)).toThrow('plain data');
});

it('takes damaged bytes for damaged, and allocates no more than they are', () => {
  const random = createRandom(testSeed(5), 'damage');
  const good = toBytes(value, 'it', MOST);
  const property = (changes: number, cut: number) => {
    const bytes = good.slice(0, good.length - cut);
    for (let k = 0; k < changes && bytes.length > 0; k++) {
      const words = new Float64Array(bytes.buffer, 0, bytes.length >> 3);
      const strange = [0, 1, 3, 4, 5, 6, 7, -1, 0.5, 1e9, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY];
      if (words.length > 0) words[random.integer(words.length)] = strange[random.integer(strange.length)];
    }
    try {
      fromBytes(bytes);
    } catch (error) {
      expect(String(error)).toMatch(/^Error: executor: the data of a pass/);
    }
  };
  fc.assert(fc.property(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 0, 8, 64, good.length), property), {
    numRuns: 2000,
  });
});
