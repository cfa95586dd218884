/**
 * Tensors: T = Σ λ_k v_k ⊗ v_k ⊗ v_k with orthonormal factors, weights uniform in [1, 2], and symmetric noise of deviation σ on
 * entries like T_iij. The score is the root mean square distance of the factors from the true ones matched to them.
 */
import { metrics } from 'orthodict';
import { createRandom, orthogonalTensor, uniformWeights, withNoise } from 'orthodict/extend';
import { learnTensor } from 'orthodict/node';
import { libraryCall } from '../../contenders/library-call.ts';
import { pythonFit } from '../../contenders/python-contender.ts';
import type { ModelTask } from './model-task.ts';

const ours = libraryCall('orthodict tensor', async ({ tensor: { rows, data } }, seed, signal) => {
  return { factors: (await learnTensor({ size: rows, data }, { seed }, { signal })).factors };
});

/** As Anandkumar et al. (2014) have it: ten starts of 30 iterations for every factor, the best of them to its end. */
const power = pythonFit(
  'NumPy, power method with deflation',
  `
def fit(given, seed):
    T = given['tensor']
    d = T.shape[0]
    T = T.reshape(d, d, d).copy()
    rng = np.random.default_rng(seed)
    factors = []
    for k in range(d):
        best, value = None, -np.inf
        for start in range(10):
            u = rng.normal(size=d)
            u /= np.linalg.norm(u)
            for i in range(30):
                u = (T @ u) @ u
                u /= np.linalg.norm(u)
            if (T @ u) @ u @ u > value:
                best, value = u, (T @ u) @ u @ u
        for i in range(100):
            best = (T @ best) @ best
            best /= np.linalg.norm(best)
        factors.append(best)
        T -= ((T @ best) @ best @ best) * np.einsum('i,j,k->ijk', best, best, best)
    return dict(factors=np.array(factors))
`,
);

const task = (d: number, sigma: number): ModelTask => ({
  group: 'Tensors',
  data: `d = ${d}, noise ${sigma}`,
  objective: 'root mean square error of a factor',
  timeBar: 2,
  contenders: [ours, power],
  async deal(seed) {
    const random = createRandom(seed, 'a tensor with noise');
    const { T, V } = orthogonalTensor(uniformWeights(d, random), random);
    const { data } = withNoise(T, sigma, random);
    const score = ({ pairs }: metrics.RowMatch) =>
      Math.sqrt(pairs.reduce((sum, { distance }) => sum + distance ** 2, 0) / pairs.length);
    return {
      given: { tensor: { rows: d, cols: d * d, data } },
      score: ({ factors }) => score(metrics.matchRows(factors, V, 'l2')),
    };
  },
});

export const tensorTasks: readonly ModelTask[] = [task(20, 0.01), task(20, 0.03), task(20, 0.1), task(40, 0.03)];
