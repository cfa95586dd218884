/** Seeded random numbers for starts, synthetic data and streams. A generator's state can be saved and resumed. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { type xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { inputError } from './errors.ts';
import { hashText } from './hash.ts';
import { type Matrix64, zeros } from './matrix.ts';

/** Random numbers from a seed; the state can be saved and resumed. */
export interface Random {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** A standard normal number. */
  normal(): number;
  /** Uniform integer in [0, bound). */
  integer(bound: number): number;
  /** Whole numbers from which `resumeRandom` continues. */
  state(): Float64Array;
}

/**
 * A generator for one purpose. Different purposes are independent streams under the same seed: data generated with
 * seed 1 must not share its numbers with the start of a run with seed 1.
 */
export function createRandom(seed: number, purpose: string): Random {
  if (!Number.isSafeInteger(seed)) throw inputError('random', 'seed', 'a whole number', seed);
  const low = seed | 0;
  const high = Math.floor(seed / 2 ** 32) | 0;
  const generator = xoroshiro128plusFromState([low, high, hashText(purpose), 0x9e3779b9 | 0]);
  for (let i = 0; i < 64; i++) generator.next(); // neighbouring seeds start with similar bits: mix them
  return wrap(generator);
}

/** A generator that continues from a `state()`. */
export const resumeRandom = (state: Float64Array): Random => wrap(xoroshiro128plusFromState(Array.from(state)));

/** rows×cols independent standard normals. */
export function normalMatrix(rows: number, cols: number, random: Random): Matrix64 {
  const matrix = zeros(rows, cols);
  for (let i = 0; i < matrix.data.length; i++) matrix.data[i] = random.normal();
  return matrix;
}

/** Shuffles in place; every order is equally likely (Fisher-Yates). */
export function shuffle<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

function wrap(generator: ReturnType<typeof xoroshiro128plus>): Random {
  const uniform = () => uniformFloat64(generator);
  return {
    uniform,
    // Box-Muller without caching its second number: the generator is the only state
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    integer: (bound) => Math.floor(uniform() * bound),
    state: () => Float64Array.from(generator.getState()),
  };
}
