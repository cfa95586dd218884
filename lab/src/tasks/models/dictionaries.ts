/**
 * Dictionaries of more atoms than features, learned on half of the data and scored on the other half. Online ℓ1 learning is scored
 * by what it minimises, the mean of min_x ½‖y − x D‖² + λ‖x‖₁ with atoms of norm 1 at most, and K-SVD by the energy missing when a
 * sample keeps five codes of orthogonal matching pursuit. Samples have a root mean square norm of 1.
 */
import type { Matrix64 } from 'orthodict';
import { norm, row } from 'orthodict/extend';
import { createNodeExecutor, learn } from 'orthodict/node';
import { libraryCall } from '../../contenders/library-call.ts';
import { pythonFit } from '../../contenders/python-contender.ts';
import { online } from '../../methods/online/online.ts';
import { heldOutResidual } from '../real/held-out.ts';
import { REAL_SETS } from '../real/real-sets.ts';
import type { ModelTask } from './model-task.ts';

const KEPT = 5;
/** The default of `online` is λ = .3/√n. */
const LAMBDA = 0.3;

/** The ℓ1 objective. */
async function loss(samples: Matrix64, atoms: Matrix64, lambda: number): Promise<number> {
  const { kernels } = await createNodeExecutor({ threads: 1 });
  const D = { ...atoms, data: atoms.data.slice() };
  for (let k = 0; k < D.rows; k++) {
    const length = Math.max(1, norm(row(D, k)));
    row(D, k).forEach((value, j, own) => {
      own[j] = value / length;
    });
  }
  const { values, residuals } = kernels.lasso({ samples, atoms: D, conditioning: { scale: 1 }, lambda });
  const sizes = values.reduce((sum, x) => sum + Math.abs(x), 0);
  return (residuals.reduce((sum, square) => sum + square, 0) / 2 + lambda * sizes) / samples.rows;
}

const ourOnline = (
  components: number,
  words: string,
  options: { readonly lambda?: number; readonly maxIterations?: number } = {},
) =>
  libraryCall(`the lab's online${words}`, async ({ samples }, seed, signal) => {
    const all = { method: online, components, seed, ...options };
    return { atoms: (await learn(samples, all, { signal })).dictionary.atoms };
  });

/** Epochs after which the objective falls slowly: the default continues to 50. */
const EPOCHS = 6;

const ourKsvd = (components: number) =>
  libraryCall('orthodict ksvd', async ({ samples }, seed, signal) => {
    const options = { method: 'ksvd', components, keep: KEPT, seed } as const;
    return { atoms: (await learn(samples, options, { signal })).dictionary.atoms };
  });

/** `alpha`: a Python expression, in units of the root mean square norm of the samples. */
const miniBatch = (components: number, alpha: string, words = '') =>
  pythonFit(
    `scikit-learn MiniBatchDictionaryLearning${words}`,
    `
from sklearn.decomposition import MiniBatchDictionaryLearning
def fit(given, seed):
    samples = given['samples']
    model = MiniBatchDictionaryLearning(${components}, alpha=${alpha}, fit_algorithm='cd', batch_size=256, max_iter=20, random_state=seed)
    return dict(atoms=model.fit(samples).components_)
`,
    3,
  );

/** Both halves, divided by the root mean square norm of the first. */
async function partsOf(name: string): Promise<{ training: Matrix64; heldOut: Matrix64 }> {
  const { training, heldOut } = await REAL_SETS.find((set) => set.name === name)!.read();
  const scale = 1 / Math.sqrt(training.data.reduce((sum, y) => sum + y * y, 0) / training.rows);
  const scaled = (part: Matrix64): Matrix64 => ({ ...part, data: part.data.map((y) => y * scale) });
  return { training: scaled(training), heldOut: scaled(heldOut) };
}

const SETS = [
  { name: 'digits', data: 'digits, 899×64', timeBar: 2 },
  { name: 'patches', data: 'patches of a photograph, 20,000×64', timeBar: 1 },
] as const;
const ATOMS = 100;

export const dictionaryTasks: readonly ModelTask[] = SETS.flatMap(({ name, data, timeBar }): ModelTask[] => {
  const common = { group: 'Overcomplete dictionaries', timeBar };
  const lambda = LAMBDA / Math.sqrt(64);
  return [
    {
      ...common,
      data: `${data}, ${ATOMS} atoms by ℓ1`,
      objective: 'ℓ1 objective, held out',
      contenders: [
        ourOnline(ATOMS, `, ${EPOCHS} epochs`, { maxIterations: EPOCHS }),
        ourOnline(ATOMS, ''),
        miniBatch(ATOMS, String(lambda)),
      ],
      async deal() {
        const { training, heldOut } = await partsOf(name);
        return { given: { samples: training }, score: ({ atoms }) => loss(heldOut, atoms, lambda) };
      },
    },
    {
      ...common,
      data: `${data}, ${ATOMS} atoms for ${KEPT} codes`,
      objective: `energy missing with ${KEPT} codes, held out`,
      contenders: [
        ourKsvd(ATOMS),
        ourOnline(ATOMS, ', λ = 1/8', { lambda: 1 / 8 }),
        miniBatch(ATOMS, String(lambda)),
        miniBatch(ATOMS, '1 / 8', ', α = 1/8'),
      ],
      async deal() {
        const { training, heldOut } = await partsOf(name);
        return { given: { samples: training }, score: ({ atoms }) => heldOutResidual(heldOut, { atoms }, KEPT) };
      },
    },
  ];
});
