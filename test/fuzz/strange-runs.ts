/**
 * Learns from strange data and judges the outcome: an InputError, or finite and orthonormal atoms, a finite objective
 * and a status. Also the ways to learn that every data set should meet.
 */
import { countsFromMatrix } from '#src/core/counts.ts';
import { InputError } from '#src/core/errors.ts';
import type { Matrix } from '#src/core/matrix.ts';
import type { Executor } from '#src/engine/executor.ts';
import { learn } from '#src/learn/learn.ts';
import type { AnyMethod } from '#src/learn/methods/method.ts';
import type { MethodName } from '#src/learn/option-types.ts';
import { methods, settleOptions, tableOf } from '#src/learn/options.ts';
import { learnHouseholder } from '#src/models/householder/learn-householder.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { learnSparsePcaStream } from '#src/models/sparse-pca/learn-sparse-pca-stream.ts';
import { SPARSE_PCA_METHODS } from '#src/models/sparse-pca/options.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { learnTopics } from '#src/models/topics/learn-topics.ts';
import { orthonormalityError } from '../helpers/matrices.ts';
import { notFinite } from './not-finite.ts';

/** A way to learn; the words of what is wrong with the result, or undefined. Throws what learning throws. */
export interface StrangeWay {
  readonly name: string;
  try(samples: Matrix, executor: Executor): Promise<string | undefined>;
}

/** Undefined if the way gave a sane result or refused in words; otherwise what is wrong. */
export async function judge(way: StrangeWay, samples: Matrix, executor: Executor): Promise<string | undefined> {
  try {
    return await way.try(samples, executor);
  } catch (error) {
    if (error instanceof InputError && !/NaN|Infinity|undefined/.test(error.message)) return undefined;
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const EXTRAS: readonly object[] = [
  {},
  { center: true },
  { whiten: 'zca' },
  { norm: 3 },
  { norm: 64 },
  { norm: 64, precision: 'f64', whiten: 'zca' },
  { norm: 64, center: true },
  { precision: 'f64' },
  { precision: 'f32' },
  { center: true, whiten: 'zca' },
  { components: 2 },
  { components: 2, whiten: 'zca', center: true },
];

/** A method of `learn` with every set of common options that it takes. */
export const waysOf = (method: AnyMethod<MethodName>): StrangeWay[] =>
  EXTRAS.map((extra) => ({
    method: method.name,
    ...('maxIterations' in tableOf(method) && { maxIterations: 12 }),
    ...extra,
  }))
    .filter(isTaken)
    .map((options) => ({
      name: JSON.stringify(options),
      async try(samples, executor) {
        const result = await learn(samples, options, { executor });
        const { dictionary, objective, objectiveUnit, status, settings } = result;
        const { atoms, transform, mean, components } = dictionary;
        if (components !== atoms.rows) return `${components} components of ${atoms.rows} atoms`;
        const orthogonal = method.space !== 'free' && settings.whiten !== 'zca';
        if (orthogonal && !(orthonormalityError(atoms) < 1e-11)) return `off by ${orthonormalityError(atoms)}`;
        if (!['converged', 'exhausted'].includes(status)) return `status ${status}`;
        return notFinite({ atoms, transform, mean, objectiveUnit, ...(method.learn ? {} : { objective }) });
      },
    }));

function isTaken(options: object): boolean {
  try {
    settleOptions(options);
    return true;
  } catch {
    return false;
  }
}

/** The other models, each with the choices that lead through different code. */
export const modelWays: readonly StrangeWay[] = [
  ...SPARSE_PCA_METHODS.flatMap((method) =>
    [{ gamma: 0.1 }, { nonzeros: 1 }, { gamma: 0, center: false }].map((extra) =>
      model(`sparse-pca ${method} ${JSON.stringify(extra)}`, (samples, executor) => {
        const options = { components: few(samples), method, maxIterations: 30, ...extra };
        return learnSparsePca(samples, options, { executor });
      }),
    ),
  ),
  model('sparse-pca stream', (samples) => learnSparsePcaStream([samples], { components: few(samples), nonzeros: 1 })),
  ...[{}, { center: true }, { whiten: true }].map((extra) =>
    model(`moments ${JSON.stringify(extra)}`, (samples, executor) =>
      learnMoments(samples, { maxIterations: 20, ...extra }, { executor }),
    ),
  ),
  ...(['auto', 'none'] as const).map((refine) =>
    model(`mixture, refine ${refine}`, (samples, executor) =>
      learnMixture(samples, { clusters: few(samples), starts: 2, maxIterations: 10, refine }, { executor }),
    ),
  ),
  model('householder', async (samples, executor) => {
    const { thetaMu = 0, ...rest } = await learnHouseholder(samples, {}, { executor });
    return { thetaMu, ...rest };
  }),
  model('tensor', (samples, executor) => learnTensor(tensorOf(samples), { maxIterations: 20 }, { executor })),
  model('topics', (samples, executor) => {
    const counts = { ...samples, data: samples.data.map((x: number) => Math.abs(Math.trunc(x))) } as Matrix;
    return learnTopics(countsFromMatrix(counts), { topics: few(samples), starts: 2 }, { executor });
  }),
];

/** Every way there is: those of the methods of `learn`, then the models. */
export const allWays: readonly StrangeWay[] = [...methods.flatMap(waysOf), ...modelWays];

function model(name: string, run: (samples: Matrix, executor: Executor) => Promise<object>): StrangeWay {
  return { name, try: async (samples, executor) => notFinite(await run(samples, executor)) };
}

const few = ({ cols }: Matrix): number => Math.min(2, cols);

/** A symmetric tensor of some of the numbers. */
function tensorOf({ cols: d, data }: Matrix) {
  const T = new Float64Array(d ** 3);
  for (let at = 0; at < T.length; at++) {
    const sorted = [Math.floor(at / (d * d)), Math.floor(at / d) % d, at % d].sort((a, b) => a - b);
    T[at] = data[(7 * sorted[0] + 3 * sorted[1] + sorted[2]) % data.length];
  }
  return { size: d, data: T };
}
