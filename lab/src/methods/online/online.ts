/**
 * Online ℓ1 dictionary learning (Mairal, Bach, Ponce & Sapiro 2010): over atoms of norm 1 or less
 *
 *     min_D E min_x ½‖y − x D‖² + λ‖x‖₁
 *
 * A step is an epoch: it visits batches of neighbouring samples in a new random order; each batch gets its lasso codes,
 * then the update of online-update.ts. Batches double in size from epoch to epoch, up to all samples: early epochs are
 * quick, late ones use every thread and converge. Meanwhile λ shrinks to its final value.
 */
import {
  type AtomsState,
  asSolver,
  atomsShape,
  createRandom,
  defineMethod,
  field,
  initialState,
  type Matrix64,
  option,
  rootMeanSquareDifference,
  shuffle,
  zeros,
} from 'orthodict/extend';
import { lassoMomentsPass } from './lasso-moments.ts';
import { batchWeight, lambdaOf, remember, updateAtoms, workingLambda } from './online-update.ts';

export const online = defineMethod({
  name: 'online',
  forComparison: true,
  summary: 'online l1 dictionary learning, any number of atoms',
  space: 'free',
  defaults: { maxIterations: 50 },
  options: {
    lambda: option.positiveFinite({
      placeholder: 'L',
      help: 'weight of the l1 norm, for samples of root mean square norm 1; default: 0.3 / sqrt of n',
    }),
    batch: option.count({ placeholder: 'B', default: 512, help: 'batch size in the first epoch' }),
  },
  describe: ({ lambda }) => `online, lambda ${lambda ?? 'auto'}`,
  solver(problem, { lambda: wanted, batch, seed }, start) {
    const [K, n] = [start.rows, start.cols];
    const p = problem.samples;
    const lambda = workingLambda(wanted, n);
    return asSolver<OnlineState>({
      name: 'online',
      shape: {
        ...atomsShape(field.unitRows(K, n, true)),
        gram: field.matrix(K, K),
        correlation: field.matrix(K, n),
        epoch: field.whole(),
      },
      init: async () => ({ ...initialState(start), gram: zeros(K, K), correlation: zeros(K, n), epoch: 0 }),
      async step(state) {
        const random = createRandom(seed, `online epoch ${state.epoch}`);
        let atoms = state.atoms;
        let memory = { gram: state.gram, correlation: state.correlation };
        let seen = state.epoch * p;
        let loss = 0;
        for (const { from, to } of shuffle(batches(p, batch * 2 ** state.epoch), random)) {
          const rest = { lambda: lambdaOf(state.epoch, lambda) };
          const moments = await problem.range(from, to).sum(lassoMomentsPass, atoms, rest);
          memory = remember(memory, moments, batchWeight(to - from, Math.min(seen, p)));
          atoms = updateAtoms(atoms, memory, await problem.rows(random.integer(p), K), problem.kernels);
          seen += to - from;
          loss += moments.loss;
        }
        const change = rootMeanSquareDifference(atoms, state.atoms);
        return { atoms, ...memory, epoch: state.epoch + 1, objective: -loss / p, change };
      },
      report: ({ objective, change }) => ({ objective: problem.reported(objective, 2), merit: objective, change }),
      atoms: ({ atoms }) => atoms,
      objectiveUnit: problem.objectiveUnit(2),
    });
  },
});

interface OnlineState extends AtomsState {
  /** Running means of Xᵀ X and Xᵀ Y. */
  readonly gram: Matrix64;
  readonly correlation: Matrix64;
  readonly epoch: number;
}

/** Splits the samples into equal batches of about the size `wish`. */
function batches(samples: number, wish: number): { readonly from: number; readonly to: number }[] {
  const number = Math.max(1, Math.round(samples / wish));
  const edge = (i: number) => Math.round((i * samples) / number);
  return Array.from({ length: number }, (_, i) => ({ from: edge(i), to: edge(i + 1) }));
}
