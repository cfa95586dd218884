/** A random subset of the samples. A hash of a sample's number decides, so every executor takes the same ones. */
import { type Matrix64, selectRows, stackRows } from '../../core/matrix.ts';
import { definePass } from '../../engine/pass.ts';

/** Collects this share of the samples, from 0 to 1. */
export const sampledRowsPass = definePass<{ readonly share: number }, Matrix64>(import.meta.url, {
  name: 'sampled-rows',
  contribute({ samples, start }, { share }) {
    const taken: number[] = [];
    for (let l = 0; l < samples.rows; l++) if (spread(start + l) < share) taken.push(l);
    return selectRows(samples, taken);
  },
  add: stackRows,
  example: () => ({ params: { share: 0.3 } }),
});

/** A number from 0 to 1 that looks random (the finaliser of MurmurHash3). */
function spread(index: number): number {
  let h = (index ^ 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}
