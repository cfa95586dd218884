/**
 * Online ℓ1 dictionary learning (Mairal, Bach, Ponce & Sapiro 2010): over atoms of norm 1 or less
 *
 *     min_D E min_x ½‖y − x D‖² + λ‖x‖₁
 *
 * A step is an epoch: batches of neighbouring samples, in an order that is random and another one in every epoch; for each
 * the lasso codes, then the update of online-update.ts. Batches double in size from epoch to epoch, up to all samples, so that
 * early epochs are quick and late ones use every thread and end at rest; λ shrinks to its value meanwhile.
 */
import { type Matrix64, rootMeanSquareDifference, zeros } from '../../../core/matrix.ts';
import { createRandom } from '../../../core/random.ts';
import type { Solver, SolverState } from '../../../engine/solver.ts';
import type { Problem } from '../../problem.ts';
import { batchWeight, lambdaOf, remember, updateAtoms, workingLambda } from './online-update.ts';

export interface OnlineOptions {
  /** For samples of root mean square norm 1; default: 0.3/√n. */
  readonly lambda?: number | undefined;
  /** Samples in a batch of the first epoch. */
  readonly batch: number;
  /** K×n, unit rows. */
  readonly start: Matrix64;
  readonly seed: number;
}

export interface OnlineState extends SolverState {
  readonly atoms: Matrix64;
  /** Running means of Xᵀ X and Xᵀ Y. */
  readonly gram: Matrix64;
  readonly correlation: Matrix64;
  readonly epoch: number;
  /** Minus the loss, mean over the samples of the epoch. */
  readonly objective: number;
  readonly change: number;
}

export function onlineLearning(problem: Problem, options: OnlineOptions): Solver<OnlineState> {
  const { start, seed } = options;
  const [K, n] = [start.rows, start.cols];
  const p = problem.samples;
  const lambda = workingLambda(options.lambda, n);
  const unit = problem.input.unit ** 2;
  return {
    name: 'online',
    init: async () => ({
      atoms: start,
      gram: zeros(K, K),
      correlation: zeros(K, n),
      epoch: 0,
      objective: Number.NEGATIVE_INFINITY,
      change: Number.POSITIVE_INFINITY,
    }),
    async step(state) {
      const random = createRandom(seed, `online epoch ${state.epoch}`);
      let atoms = state.atoms;
      let memory = { gram: state.gram, correlation: state.correlation };
      let seen = state.epoch * p;
      let loss = 0;
      for (const { from, to } of shuffled(batches(p, options.batch * 2 ** state.epoch), random)) {
        const moments = await problem.lassoMoments(atoms, lambdaOf(state.epoch, lambda), from, to);
        memory = remember(memory, moments, batchWeight(to - from, Math.min(seen, p)));
        atoms = updateAtoms(atoms, memory, await problem.rows(random.integer(p), K));
        seen += to - from;
        loss += moments.loss;
      }
      const change = rootMeanSquareDifference(atoms, state.atoms);
      return { atoms, ...memory, epoch: state.epoch + 1, objective: -loss / p, change };
    },
    report: ({ objective, change }) => ({ objective: objective / unit, merit: objective, change }),
    atoms: ({ atoms }) => atoms,
  };
}

interface Batch {
  readonly from: number;
  readonly to: number;
}

/** Equal ones of about the size wished for. */
function batches(samples: number, wish: number): Batch[] {
  const count = Math.max(1, Math.round(samples / wish));
  const edge = (i: number) => Math.round((i * samples) / count);
  return Array.from({ length: count }, (_, i) => ({ from: edge(i), to: edge(i + 1) }));
}

function shuffled<T>(items: T[], random: { integer(bound: number): number }): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
