/** The handwritten digits that ship with the package: 8×8 pixels, 0 to 16, 1797 pictures. */
import { fileURLToPath } from 'node:url';
import type { Matrix64 } from 'orthodict';
import { createRandom, randomOrder, selectRows } from 'orthodict/extend';
import { readMatrix } from 'orthodict/node';
import { repository } from '../../files.ts';

export const DIGITS = 1797;
export const PIXELS = 64;

/** `count` of the pictures, drawn at random. */
export async function drawDigits(count: number, seed: number): Promise<Matrix64> {
  const all = await readMatrix(fileURLToPath(new URL('data/digits.npz:samples', repository)));
  const order = randomOrder(all.rows, count, createRandom(seed, 'digits'));
  return selectRows(all, order.slice(0, count));
}
