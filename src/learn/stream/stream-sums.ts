/**
 * Sums that a stream keeps of its samples, in the coordinates z of the codes that it began with. They add
 * up, so memory does not grow. Forgetting scales them down.
 */
import { addScaled, type Matrix64, zeros } from '../../core/matrix.ts';

/** Sums of K atoms; K×K matrices. */
export interface StreamSums {
  /** Number of samples that these sums stand for; next: how many of these are not zero. */
  readonly samples: number;
  readonly nonZeroSamples: number;
  /** Zᵀ Z */
  readonly gram: Matrix64;
  /** Φᵀ Z, with Φ the response to the codes. */
  readonly correlation: Matrix64;
  /** The response's values, by atom. */
  readonly values: Float64Array;
  /** Φᵀ Φ, if the response is a mask. */
  readonly products?: Matrix64 | undefined;
  /** Histogram of the codes, if the response is a mask. */
  readonly counts?: Float64Array | undefined;
}

/** Returns a + factor · b; `a` may be absent. */
export function addSums(a: StreamSums | undefined, b: StreamSums, factor = 1): StreamSums {
  const total = (from: number | undefined, more: number) => (from ?? 0) + factor * more;
  const matrix = (from: Matrix64 | undefined, more: Matrix64) =>
    addScaled(from ?? zeros(more.rows, more.cols), factor, more);
  const vector = (from: Float64Array | undefined, more: Float64Array) => more.map((x, i) => total(from?.[i], x));
  return {
    samples: total(a?.samples, b.samples),
    nonZeroSamples: total(a?.nonZeroSamples, b.nonZeroSamples),
    gram: matrix(a?.gram, b.gram),
    correlation: matrix(a?.correlation, b.correlation),
    values: vector(a?.values, b.values),
    products: b.products && matrix(a?.products, b.products),
    counts: b.counts && vector(a?.counts, b.counts),
  };
}

/** Scales the sums down to a weight of at most `window` samples. */
export function forget(sums: StreamSums, window: number): StreamSums {
  return sums.samples > window ? addSums(undefined, sums, window / sums.samples) : sums;
}

/**
 * Estimates the lost sums of `samples` earlier ones: the atoms were learned from them, so the sums determine
 * only these atoms. In coordinates where the atoms are the axes they are diagonal, of the size that `like`, the sums
 * of later samples, has, and positive.
 */
export function sumsOfEarlier(samples: number, like: StreamSums): StreamSums {
  const diagonal = {
    ...like,
    gram: diagonalOf(like.gram),
    correlation: absolute(diagonalOf(like.correlation)),
    products: like.products && diagonalOf(like.products),
  };
  return addSums(undefined, diagonal, samples / like.samples);
}

function diagonalOf({ rows, cols, data }: Matrix64): Matrix64 {
  return { rows, cols, data: data.map((x, at) => (at % cols === Math.floor(at / cols) ? x : 0)) };
}

const absolute = (M: Matrix64): Matrix64 => ({ ...M, data: M.data.map(Math.abs) });
