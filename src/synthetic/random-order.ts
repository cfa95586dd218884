/** 0 … size − 1 in random order, of which the first `count` are drawn and the rest is only moved out of their way. */
import { range } from '../core/matrix.ts';
import type { Random } from '../core/random.ts';

/** 0 … size − 1; the first `count` places are drawn at random. */
export function randomOrder(size: number, count: number, random: Random): number[] {
  const order = range(size);
  for (let i = 0; i < count; i++) {
    const other = i + random.integer(size - i);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}
