/** A partial shuffle of 0 … size − 1: the first `count` are drawn at random, the others only make room for them. */
import { range } from '../core/matrix.ts';
import type { Random } from '../core/random.ts';

/** The numbers 0 … size − 1, of which the first `count` are drawn at random. */
export function randomOrder(size: number, count: number, random: Random): number[] {
  const order = range(size);
  for (let i = 0; i < count; i++) {
    const other = i + random.integer(size - i);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}
