/** Online dictionary learning for samples that arrive bit by bit: every call is a batch, and is not kept. */
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, norm, row, zeros } from '../core/matrix.ts';
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
import { randomDirections } from './start.ts';

export interface OnlineLearnerOptions {
  /** Length of a sample, n. */
  readonly features: number;
  /** K; default: as many as features. */
  readonly components?: number | undefined;
  /** λ for samples of root mean square norm 1; default: 0.3/√n. */
  readonly lambda?: number | undefined;
  /** Samples after which old ones are forgotten; default: 200 for every atom. Infinity: none, which may never get rid of poor first codes. */
  readonly window?: number | undefined;
  readonly seed?: number | undefined;
}

/** The scale of the samples is taken from the first call. */
export class OnlineLearner {
  readonly #lambda: number;
  readonly #window: number;
  #atoms: Matrix64;
  #memory: OnlineMemory;
  #seen = 0;
  #scale = 0;

  constructor({ features, components = features, lambda, window = 200 * components, seed = 0 }: OnlineLearnerOptions) {
    for (const [name, value] of Object.entries({ features, components })) {
      if (!(Number.isInteger(value) && value >= 1))
        throw inputError('OnlineLearner', name, 'a whole number from 1', value);
    }
    for (const [name, value] of Object.entries({ lambda: lambda ?? 1, window })) {
      if (!(value > 0)) throw inputError('OnlineLearner', name, 'a number above 0', value);
    }
    this.#lambda = workingLambda(lambda, features);
    this.#window = window;
    this.#atoms = randomDirections(components, features, seed);
    this.#memory = { gram: zeros(components, components), correlation: zeros(components, features) };
  }

  /** Samples seen so far. */
  get samples(): number {
    return this.#seen;
  }

  /** Learns from these samples, rows of a matrix. Returns their mean loss ½‖y − x D‖² + λ‖x‖₁ before they were learned from. */
  async partialFit(samples: Matrix): Promise<number> {
    const { rows, cols, data } = samples;
    const n = this.#atoms.cols;
    if (cols !== n || rows < 1)
      throw inputError('partialFit', 'samples', `at least one row of ${n} features`, `${rows}×${cols}`);
    const offender = data.findIndex((value) => !Number.isFinite(value));
    if (offender >= 0) {
      const place = `row ${Math.floor(offender / n)}, column ${offender % n}`;
      throw inputError('partialFit', 'samples', 'finite', `${data[offender]} at ${place}`);
    }
    this.#scale ||= 1 / rootMeanSquare(data);
    const kernels = await selectKernels('auto');
    const conditioning = { scale: this.#scale };
    const moments = lassoMoments(samples, { atoms: this.#atoms, conditioning, lambda: this.#lambda }, kernels);
    this.#memory = remember(this.#memory, moments, batchWeight(rows, Math.min(this.#seen, this.#window)));
    this.#atoms = updateAtoms(this.#atoms, this.#memory, conditioned(samples, conditioning));
    this.#seen += rows;
    return moments.loss / rows / this.#scale ** 2;
  }

  /** What has been learned so far; with least squares codes, or by a pursuit of √n atoms where there are more atoms than features. */
  async dictionary(): Promise<Dictionary> {
    return unitDictionary(this.#atoms, await selectKernels('auto'));
  }
}

function unitDictionary(D: Matrix64, kernels: Kernels): Dictionary {
  const atoms = zeros(D.rows, D.cols);
  for (let k = 0; k < D.rows; k++) {
    const d = row(D, k);
    const size = norm(d);
    row(atoms, k).set(d.map((x) => x / size));
  }
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
