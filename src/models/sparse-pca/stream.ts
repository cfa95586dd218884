/**
 * Sparse principal components of a stream: samples are seen once, one by one or in batches of any size, and memory is constant, a
 * sketch of m + reserve rows (sketch.ts). At any time `result()` fits the components to the sketch as the batch method does to
 * all samples.
 */
import { inputError } from '../../core/errors.ts';
import type { Matrix } from '../../core/matrix.ts';
import type { Status } from '../../engine/stop.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { selectKernels } from '../../kernels/select.ts';
import { fitNonzeros } from './choose-gamma.ts';
import { type Components, componentsOf } from './components.ts';
import { fitByGivens } from './givens.ts';
import {
  demand,
  given,
  refuseUnknown,
  requireShape,
  requireSparsity,
  type SparsityOptions,
  sparsePcaDefaults,
  WHO,
} from './options.ts';
import { createSketch, type Sketch, type SketchOptions, type SketchState, sketchRows } from './sketch.ts';

export interface StreamOptions extends SparsityOptions {
  /** Rows the sketch has beside the components; 0 is Algorithm 5 as published. Default: max(2m, 16). */
  readonly reserve?: number | undefined;
  /** Rotations of components after every sample. Default: m, each with the new sample; more are random pairs. */
  readonly rotations?: number | undefined;
}

export interface StreamResult extends Components {
  /** Of the samples seen; zeros with `center: 'none'`. */
  readonly mean: Float64Array;
  /** F of the sketch. */
  readonly objective: number;
  /** Share of the variance that the sketch still has. */
  readonly kept: number;
  readonly status: Status;
  readonly reason: string;
  readonly samples: number;
  readonly features: number;
}

/** What a stream saves to go on later as if it had never stopped. */
export interface StreamState {
  readonly options: StreamOptions;
  /** Absent before the first sample. */
  readonly sketch?: SketchState | undefined;
}

type StreamSettings = Pick<StreamOptions, 'components' | 'gamma' | 'nonzeros'> & {
  readonly [K in 'center' | 'seed' | 'reserve' | 'rotations']-?: NonNullable<StreamOptions[K]>;
};

const KNOWN = ['components', 'gamma', 'nonzeros', 'center', 'seed', 'reserve', 'rotations'];
const LEAST_RESERVE = 16;
/** Of the state of a generator. */
const RANDOM_NUMBERS = 4;

/** One sample, or several as the rows of a matrix. */
export type StreamItem = ArrayLike<number> | Matrix;

export class SparsePcaStream {
  readonly #options: StreamSettings;
  #sketch: Sketch | undefined;

  constructor(options: StreamOptions) {
    refuseUnknown(options, KNOWN);
    const { center, seed } = sparsePcaDefaults;
    const { components } = options;
    const size = { reserve: Math.max(2 * components, LEAST_RESERVE), rotations: components };
    this.#options = { center, seed, ...size, ...given(options) } as StreamSettings;
    requireSparsity(this.#options);
    const { reserve, rotations } = this.#options;
    demand(Number.isSafeInteger(reserve) && reserve >= 0, 'reserve', 'a whole number ≥ 0', reserve);
    demand(Number.isSafeInteger(rotations) && rotations >= 0, 'rotations', 'a whole number ≥ 0', rotations);
  }

  /** The stream whose `state()` this was. */
  static resume({ options, sketch }: StreamState): SparsePcaStream {
    const stream = new SparsePcaStream(options);
    if (sketch) stream.#restore(sketch);
    return stream;
  }

  /** Plain numbers and arrays of their own: the stream may go on, and `resume` goes on from here. */
  state(): StreamState {
    return { options: this.#options, ...(this.#sketch && { sketch: this.#sketch.state() }) };
  }

  get components(): number {
    return this.#options.components;
  }

  /** Samples seen so far. */
  get seen(): number {
    return this.#sketch?.seen ?? 0;
  }

  /** Takes samples in; those before one that is refused have been taken. */
  partialFit(samples: StreamItem): this {
    if (!('rows' in samples)) this.#add(samples);
    else
      for (let i = 0; i < samples.rows; i++) this.#add(samples.data.subarray(i * samples.cols, (i + 1) * samples.cols));
    return this;
  }

  /** The components of what has been seen; the stream may go on afterwards. */
  async result(
    run: { readonly kernels?: Kernels; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StreamResult> {
    const sketch = this.#sketch;
    const { components, gamma, nonzeros } = this.#options;
    if (!sketch) throw inputError(WHO, 'stream', 'of at least one sample', 'none');
    if (sketch.seen < components) {
      throw inputError(
        WHO,
        'stream',
        `of at least as many samples as components, ${components}`,
        `${sketch.seen} samples`,
      );
    }
    if (!(sketch.energy > 0)) throw inputError(WHO, 'stream', 'of samples that differ', `${sketch.seen} equal ones`);
    const R = sketchRows(sketch, components);
    const { maxIterations, tolerance, seed } = sparsePcaDefaults;
    const fitRun = { kernels: run.kernels ?? (await selectKernels('auto')), maxIterations, tolerance, seed, ...run };
    const fit =
      nonzeros === undefined
        ? await fitByGivens(R, new Float64Array(components).fill(gamma!), fitRun)
        : await fitNonzeros(fitByGivens, R, components, nonzeros, fitRun);
    const found = componentsOf(R, fit, 1);
    const totalVariance = sketch.energy / sketch.seen;
    return {
      ...found,
      totalVariance,
      mean: sketch.mean.slice(),
      objective: fit.objective,
      kept: found.totalVariance / totalVariance,
      status: fit.status,
      reason: fit.reason,
      samples: sketch.seen,
      features: R.cols,
    };
  }

  #add(sample: ArrayLike<number>): void {
    const sketch = this.#sketch ?? this.#begin(sample.length);
    const { cols } = sketch.rows;
    demand(sample.length === cols, `sample ${sketch.seen}`, `${cols} numbers long, as those before`, sample.length);
    let energy = 0;
    for (let k = 0; k < sample.length; k++) energy += sample[k] * sample[k];
    if (!Number.isFinite(energy)) {
      const column = Array.from(sample).findIndex((value) => !Number.isFinite(value));
      const got =
        column < 0
          ? `squares that overflow at row ${sketch.seen}`
          : `${sample[column]} at row ${sketch.seen}, column ${column}`;
      throw inputError(WHO, 'samples', 'finite', got);
    }
    sketch.add(sample);
  }

  #begin(features: number): Sketch {
    demand(features > 0, 'samples', 'of at least one feature', features);
    requireShape(this.#options, features);
    this.#sketch = createSketch(this.#sketchOptions(features));
    return this.#sketch;
  }

  #restore(state: SketchState): void {
    const features = state.mean?.length ?? 0;
    const { components, reserve } = this.#options;
    const { rows, cols } = state.rows ?? {};
    const wanted = `rows of ${components + reserve}×${features} and ${components} gammas`;
    const got = `${rows}×${cols} and ${state.gammas?.length}`;
    demand(got === `${components + reserve}×${features} and ${components}`, 'state', wanted, got);
    demand(state.random?.length === RANDOM_NUMBERS, 'state', `with ${RANDOM_NUMBERS} numbers random`, state.random);
    const numbers = Float64Array.of(state.seen, state.energy, state.nextLook);
    const finite = [state.rows.data, state.mean, state.gammas, numbers].every((all) => all.every(Number.isFinite));
    demand(Number.isSafeInteger(state.seen) && finite, 'state', 'of finite numbers', 'others');
    this.#sketch = createSketch(this.#sketchOptions(features), state);
  }

  #sketchOptions(features: number): SketchOptions {
    return { ...this.#options, features, center: this.#options.center === 'mean' };
  }
}

export interface StreamRun {
  readonly signal?: AbortSignal | undefined;
  /** Told after every item. */
  readonly onProgress?: ((progress: { readonly samples: number; readonly seconds: number }) => void) | undefined;
  readonly kernels?: Kernels;
}

/**
 * Takes in all samples of an iterable, then tells the components; a stream in place of options goes on. An abort ends it there:
 * status `aborted`, and the components of what was seen.
 */
export async function sparsePcaOfStream(
  samples: AsyncIterable<StreamItem> | Iterable<StreamItem>,
  options: StreamOptions | SparsePcaStream,
  run: StreamRun = {},
): Promise<StreamResult> {
  const { signal, onProgress, ...rest } = run;
  const started = performance.now();
  const stream = options instanceof SparsePcaStream ? options : new SparsePcaStream(options);
  let breath = started;
  try {
    for await (const item of samples) {
      signal?.throwIfAborted();
      stream.partialFit(item);
      const now = performance.now();
      onProgress?.({ samples: stream.seen, seconds: (now - started) / 1000 });
      if (now - breath > 40) {
        await new Promise((resolve) => setTimeout(resolve)); // an abort gets through
        breath = performance.now();
      }
    }
  } catch (error) {
    if (!signal?.aborted || stream.seen < stream.components) throw error;
    return { ...(await stream.result(rest)), status: 'aborted', reason: 'aborted' };
  }
  return stream.result({ ...rest, signal });
}
