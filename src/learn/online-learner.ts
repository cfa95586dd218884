/**
 * Online dictionary learning for samples that arrive bit by bit. Every call learns from one batch and does not keep it.
 */
import { demand, inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, unitRows, zeros } from '../core/matrix.ts';
import { count, defineOptions, positive, required, seed } from '../core/options.ts';
import { requireFiniteMatrix } from '../core/require-matrix.ts';
import { denseDictionary } from '../dictionaries/dense.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { overcompleteDictionary } from '../dictionaries/overcomplete.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { selectKernels } from '../kernels/select.ts';
import { solveSymmetric } from '../linalg/cholesky.ts';
import { conditioned } from '../passes/conditioned.ts';
import { lassoMoments } from './methods/online/lasso-moments.ts';
import {
  batchWeight,
  type OnlineMemory,
  remember,
  updateAtoms,
  workingLambda,
} from './methods/online/online-update.ts';
import type { OnlineLearnerOptions } from './option-types.ts';
import { randomDirections } from './start.ts';

/** The options of `OnlineLearner`. */
export const onlineLearnerOptions = defineOptions({
  features: required(count({ placeholder: 'N', help: 'length of a sample' })),
  components: count({ placeholder: 'K', help: 'number of atoms; default: as many as features' }),
  lambda: positive({
    placeholder: 'L',
    help: 'weight of the l1 norm, for samples of root mean square norm 1; default: 0.3 / sqrt of n',
  }),
  window: positive({
    placeholder: 'W',
    help: 'samples after which old ones are forgotten; default: 200 per atom. With Infinity, poor early codes may never be forgotten',
  }),
  seed: seed(),
});

/**
 * Learns a dictionary of any number of atoms batch by batch, in constant memory. The first batch sets the scale of the samples.
 *
 * @example
 * ```js
 * import { generate, OnlineLearner } from 'orthodict';
 *
 * const { samples } = generate({ samples: 1000, features: 10, theta: 0.2, seed: 1 });
 * const learner = new OnlineLearner({ features: 10, components: 15 });
 * await learner.partialFit(samples);
 * const { atoms } = await learner.dictionary();
 * console.log(learner.samples, atoms.rows, atoms.cols); // 1000 15 10
 * ```
 */
export class OnlineLearner {
  readonly #lambda: number;
  readonly #window: number;
  #atoms: Matrix64;
  #memory: OnlineMemory;
  #seen = 0;
  #scale = 0;

  constructor(given: OnlineLearnerOptions) {
    const {
      features,
      components = features,
      lambda,
      window,
      seed: start,
    } = onlineLearnerOptions.settle('OnlineLearner', given);
    this.#lambda = workingLambda(lambda, features);
    this.#window = window ?? 200 * components;
    this.#atoms = randomDirections(components, features, start);
    this.#memory = { gram: zeros(components, components), correlation: zeros(components, features) };
  }

  /** Samples seen so far. */
  get samples(): number {
    return this.#seen;
  }

  /** Learns from these samples, rows of a matrix. Returns their mean loss ½‖y − x D‖² + λ‖x‖₁ before the update. */
  async partialFit(samples: Matrix): Promise<number> {
    const { rows, cols, data } = requireFiniteMatrix('partialFit', 'samples', samples);
    const n = this.#atoms.cols;
    demand(cols === n, 'partialFit', 'samples', `at least one row of ${n} features`, `${rows}×${cols}`);
    this.#scale ||= 1 / rootMeanSquare(data);
    const kernels = await selectKernels('auto');
    const conditioning = { scale: this.#scale };
    const moments = lassoMoments(samples, { atoms: this.#atoms, conditioning, lambda: this.#lambda }, kernels);
    this.#memory = remember(this.#memory, moments, batchWeight(rows, Math.min(this.#seen, this.#window)));
    this.#atoms = updateAtoms(this.#atoms, this.#memory, conditioned(samples, conditioning), kernels);
    this.#seen += rows;
    return moments.loss / rows / this.#scale ** 2;
  }

  /** The dictionary so far. Codes are least squares, or a pursuit of √n atoms if there are more atoms than features. */
  async dictionary(): Promise<Dictionary> {
    return unitDictionary(this.#atoms, await selectKernels('auto'));
  }
}

function unitDictionary(D: Matrix64, kernels: Kernels): Dictionary {
  const atoms = unitRows(D);
  const encoder = D.rows <= D.cols ? solveSymmetric(kernels.multiply(atoms, atoms, 'nt'), atoms) : undefined;
  return encoder
    ? denseDictionary({ atoms, encoder })
    : overcompleteDictionary({ atoms, keep: Math.round(Math.sqrt(D.cols)) });
}

function rootMeanSquare(data: Matrix['data']): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i] ** 2;
  if (!(sum > 0))
    throw inputError('partialFit', 'samples', 'different from zero somewhere in the first call', 'only zeros');
  return Math.sqrt(sum / data.length);
}
