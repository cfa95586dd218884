/**
 * How far the sums over p Bernoulli-Gaussian samples are from their expectations, at a dictionary A and at worst.
 *
 *     objective   (f̂ − f)/(np),              f̂ = ‖Y Aᵀ‖_q^q
 *     gradient    Δ = (∇f̂ − ∇f)/(q np)
 *
 * Both are polynomials in A, so a lower bound of their suprema over O(n) comes from ascent: A ← polar(V + cA), V the
 * gradient of |f̂ − f| or of ½‖Δ‖², c grown until the value does not fall.
 */

import type { Generated, Matrix64 } from 'orthodict';
import {
  addScaled,
  type Correlation,
  createRandom,
  type Kernels,
  norm,
  polar,
  randomOrthogonal,
} from 'orthodict/extend';
import type { Point } from '../framework/experiment.ts';
import { bernoulliGaussian, singleThread } from '../l4/l4-runs.ts';
import { iterate } from './iterates.ts';
import { expectationAt } from './population.ts';

export interface Deviation {
  /** (f̂ − f)/(np), signed. */
  readonly objective: number;
  /** Δ, in the coordinates of the samples. */
  readonly gradient: Matrix64;
  /** f/(np). */
  readonly expected: number;
}

export interface Sampled {
  readonly data: Generated;
  readonly kernels: Kernels;
  /** Σ x^(q−1) y and Σ x^q. */
  correlate(A: Matrix64): Correlation;
  at(A: Matrix64): Deviation;
}

/** Samples at a point n, p, theta; `norm` is q, 4 unless given. */
export async function sampled(point: Point, seed: number): Promise<Sampled> {
  const { n, p, theta, norm: q = 4 } = point;
  const data = bernoulliGaussian(point, seed);
  const { kernels } = await singleThread();
  const response = { kind: 'power', norm: q } as const;
  const correlate = (atoms: Matrix64) =>
    kernels.correlate({ samples: data.samples, atoms, conditioning: { scale: 1 }, response, precision: 'f64' });
  const at = (A: Matrix64): Deviation => {
    const { correlation, values } = correlate(A);
    const { objective, gradient } = expectationAt(kernels.multiply(A, data.atoms, 'nt'), theta, q);
    const found = values.reduce((sum, value) => sum + value, 0);
    const difference = addScaled(correlation, -p, kernels.multiply(gradient, data.atoms, 'nn'));
    return {
      objective: found / (n * p) - objective / n,
      gradient: { ...difference, data: difference.data.map((value) => value / (n * p)) },
      expected: objective / n,
    };
  };
  return { data, kernels, correlate, at };
}

/** A random orthogonal dictionary, independent of the samples. */
export const randomAtoms = (n: number, seed: number): Matrix64 =>
  randomOrthogonal(n, createRandom(seed, 'theory atoms'));

/**
 * A maximiser of f̂ by A ← polar(∇f̂/q − 3pθ²A) from a start. The shift, proposition 10's bias, keeps the fixed points:
 * where ∇f̂/q − βA = AS with S positive semidefinite, ∇f̂/q = A(S + βI), so A is a fixed point of MSP too.
 */
export const maximiserFrom = (start: Matrix64, samples: Sampled, { p, theta }: Point): Matrix64 =>
  iterate(start, (A) => dataStep(A, samples, 3 * p * theta ** 2)).at(-1)!;

/** One step of MSP on the samples, polar(∇f̂/q − βA). */
export const dataStep = (A: Matrix64, { kernels, correlate }: Sampled, shift = 0): Matrix64 =>
  polar(addScaled(correlate(A).correlation, -shift, A), kernels);

interface Climb {
  /** What to raise, and its gradient up to a factor. */
  value(A: Matrix64): number;
  slope(A: Matrix64): Matrix64;
}

const MOST_DAMPING = 1e4;

/** Raises a value from a start by `steps` steps, none of which lowers it. */
function climb(
  { value, slope }: Climb,
  start: Matrix64,
  steps: number,
  kernels: Kernels,
): { A: Matrix64; value: number } {
  let best = { A: start, value: value(start) };
  let damping = 0.5;
  for (let t = 0; t < steps && damping < MOST_DAMPING; t++) {
    const V = slope(best.A);
    const scale = Math.sqrt(start.rows) / norm(V.data);
    const next = polar(addScaled(best.A, scale / damping, V), kernels);
    const reached = value(next);
    if (reached > best.value) [best, damping] = [{ A: next, value: reached }, damping / 2];
    else damping *= 4;
  }
  return best;
}

/** Half the distance of the two points of a central difference, relative to the size of A. */
const DIFFERENCE = 1e-3;

/** A lower bound of sup |f̂ − f|/(np), and of sup ‖Δ‖_F from the dictionaries that reach it. */
export function supremum({ at, kernels }: Sampled, starts: readonly Matrix64[], steps: number) {
  const ends = starts.flatMap((start) =>
    [1, -1].map((sign) => {
      const value = (A: Matrix64) => sign * at(A).objective;
      const slope = (A: Matrix64) => scaled(at(A).gradient, sign);
      return climb({ value, slope }, start, steps, kernels);
    }),
  );
  const size = (A: Matrix64) => norm(at(A).gradient.data);
  const highest = ends.reduce((most, end) => (end.value > most.value ? end : most));
  const slope = (A: Matrix64) => hessianTimes(at, A, at(A).gradient);
  const steepest = climb({ value: size, slope }, highest.A, Math.ceil(steps / 2), kernels);
  return { objective: highest.value, gradient: Math.max(steepest.value, ...ends.map(({ A }) => size(A))) };
}

/** The derivative of Δ at A along V: half the gradient of ‖Δ‖² if V = Δ, since derivatives commute. */
function hessianTimes(at: Sampled['at'], A: Matrix64, V: Matrix64): Matrix64 {
  const t = (DIFFERENCE * Math.sqrt(A.rows)) / norm(V.data);
  return addScaled(at(addScaled(A, t, V)).gradient, -1, at(addScaled(A, -t, V)).gradient);
}

const scaled = (M: Matrix64, factor: number): Matrix64 => ({ ...M, data: M.data.map((value) => factor * value) });
