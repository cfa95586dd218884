/** Arbitrary dictionaries for testing metrics, and changes that must not matter. */
import fc from 'fast-check';
import { type Matrix64, scaleRows, selectRows } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';

export const orthogonal = fc
  .tuple(fc.integer({ min: 2, max: 9 }), fc.integer())
  .map(([n, seed]) => randomOrthogonal(n, createRandom(seed, 'test dictionary')));

/** An orthogonal dictionary plus a perturbation that keeps it invertible: complete, not orthogonal. */
export const complete = fc.tuple(orthogonal, fc.integer()).map(([dictionary, seed]): Matrix64 => {
  const change = normalMatrix(dictionary.rows, dictionary.cols, createRandom(seed, 'test change'));
  return { ...dictionary, data: dictionary.data.map((value, at) => value + 0.05 * change.data[at]) };
});

/** Random order and signs (and optionally lengths) of the atoms. */
export function disguise(atoms: Matrix64, seed: number, lengths = false): Matrix64 {
  const random = createRandom(seed, 'disguise');
  const order = Array.from({ length: atoms.rows }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const factors = order.map(() => (random.uniform() < 0.5 ? -1 : 1) * (lengths ? 0.1 + 5 * random.uniform() : 1));
  return scaleRows(selectRows(atoms, order), factors);
}
