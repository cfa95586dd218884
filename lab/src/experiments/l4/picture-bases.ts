/**
 * Orthogonal bases of small pictures.
 *
 *     MSP     maximises Σ x⁴, X = Y Aᵀ, on raw pixels from a random start, without centring or whitening
 *     PCA     the eigenvectors of Yᵀ Y, or of the covariance if the mean is stored separately
 */
import type { Executor, Matrix, Matrix64 } from 'orthodict';
import { createRandom, eigh, row, topEigen } from 'orthodict/extend';
import { createNodeExecutor, learn } from 'orthodict/node';
import type { Point } from '../framework/experiment.ts';
import { type Basis, judgeBasis } from './basis-quality.ts';
import { PLAIN } from './l4-runs.ts';
import { type PictureSet, pixelsOf } from './picture-sets.ts';

export interface Bases {
  readonly pictures: Matrix;
  readonly msp: Basis;
  readonly pca: Basis;
  readonly centred: Basis;
  /** Iterations of MSP, and how much the last one raised Σx⁴, relatively. */
  readonly iterations: number;
  readonly lastRise: number;
}

export type LearnBases = (point: Point, seed: number, signal?: AbortSignal) => Promise<Bases>;

/** Learns once per `images`, `components`, `limit` (of iterations) and seed, and shares the result. */
export function sharedBases(set: PictureSet): LearnBases {
  const learned = new Map<string, Promise<Bases>>();
  return ({ images, components, limit }, seed, signal) => {
    const key = [images, components, limit, seed].join();
    const known = learned.get(key) ?? learnBases(set, { images, components, limit }, seed, signal);
    learned.set(key, known);
    known.catch(() => learned.delete(key));
    return known;
  };
}

async function learnBases(
  set: PictureSet,
  { images, components, limit }: Point,
  seed: number,
  signal?: AbortSignal,
): Promise<Bases> {
  const executor = await createNodeExecutor();
  try {
    const pictures = await set.read(images);
    const objectives: number[] = [];
    const { dictionary, iterations } = await learn(
      pictures,
      {
        ...PLAIN,
        maxIterations: limit,
        seed,
        ...(components < pixelsOf(set) && { components }),
      },
      { executor, signal, onProgress: ({ objective }) => objectives.push(objective) },
    );
    signal?.throwIfAborted();
    const judge = (atoms: Matrix64, mean?: Float64Array) => judgeBasis(pictures, atoms, mean, executor.kernels);
    const mean = meanOf(pictures);
    return {
      pictures,
      msp: judge(dictionary.atoms),
      pca: judge(principalAtoms(pictures, undefined, components, executor)),
      centred: judge(principalAtoms(pictures, mean, components, executor), mean),
      iterations,
      lastRise: 1 - objectives.at(-2)! / objectives.at(-1)!,
    };
  } finally {
    await executor.close();
  }
}

/** The leading principal components, or all of them. */
function principalAtoms(
  pictures: Matrix,
  mean: Float64Array | undefined,
  components: number,
  { kernels }: Executor,
): Matrix64 {
  const covariance = kernels.covariance(pictures, { offset: mean, scale: 1 }, 'f64');
  if (components === covariance.rows) return eigh(covariance, kernels).vectors;
  const multiply = (X: Matrix64) => kernels.multiply(covariance, X);
  return topEigen(multiply, covariance.rows, components, createRandom(0, 'principal atoms'), kernels).vectors;
}

function meanOf(pictures: Matrix): Float64Array {
  const mean = new Float64Array(pictures.cols);
  for (let j = 0; j < pictures.rows; j++) {
    row(pictures, j).forEach((value, i) => {
      mean[i] += value / pictures.rows;
    });
  }
  return mean;
}
