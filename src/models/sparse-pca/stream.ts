/**
 * Sparse principal components of a stream: samples are seen once, one by one or in batches of any size, and memory is
 * constant, the few rows of sketch.ts. At any time `result()` has the components of the samples seen.
 */
import { demand, inputError } from '../../core/errors.ts';
import { hashNumbers } from '../../core/hash.ts';
import { type Matrix, row } from '../../core/matrix.ts';
import { describeForm, firstNotFinite, requireMatrix } from '../../core/require-matrix.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { misfit } from '../../engine/state-shape.ts';
import type { Status } from '../../engine/stop.ts';
import type { Components } from './components.ts';
import type { SparsePcaStreamOptions } from './option-types.ts';
import { requireShape, type SparsePcaStreamSettings, settleStreamOptions, sparsePcaDefaults } from './options.ts';
import { fitSketch, Sketch, type SketchState, sketchShape } from './sketch.ts';

/** The components of the samples seen so far. */
export interface StreamComponents extends Components {
  /** Mean of the samples seen; zeros with `center: false`. */
  readonly mean: Float64Array;
  /** The objective of the method on the sketch, per sample. */
  readonly objective: number;
  /** Share of the variance that the sketch still has. */
  readonly kept: number;
  readonly status: Status;
  readonly reason: string;
  /** Iterations of the fit to the sketch. */
  readonly iterations: number;
  readonly samples: number;
  readonly features: number;
}

/** What a stream saves to continue later as if it had never stopped. */
export interface SparsePcaStreamState {
  readonly options: SparsePcaStreamOptions;
  /** State of the sketch; absent before the first sample. */
  readonly sketch?: SketchState | undefined;
}

/** Least energy of the samples: less underflows. */
const LEAST_ENERGY = 1e-300;

/** One sample, or several as the rows of a matrix. */
export type StreamItem = ArrayLike<number> | Matrix;

/**
 * Sparse principal components of a stream: samples are seen once, in constant memory.
 *
 * @example
 * ```js
 * import { generateSparseComponents, SparsePcaStream } from 'orthodict';
 *
 * const { samples } = generateSparseComponents({ samples: 2000, features: 40, components: 3, nonzeros: 5, seed: 1 });
 * const stream = new SparsePcaStream({ components: 3, nonzeros: 5 });
 * const { loadings } = await stream.partialFit(samples).result();
 * console.log(stream.seen, loadings.rows, loadings.cols); // 2000 3 40
 * ```
 */
export class SparsePcaStream {
  readonly #who: string;
  readonly #settings: SparsePcaStreamSettings;
  #sketch: Sketch | undefined;

  /** `who`: the function that errors name. */
  constructor(options: SparsePcaStreamOptions, who = 'SparsePcaStream') {
    this.#who = who;
    this.#settings = settleStreamOptions(who, options);
  }

  /** A stream that continues from a `state()`. */
  static resume({ options, sketch }: SparsePcaStreamState, who?: string): SparsePcaStream {
    const stream = new SparsePcaStream(options, who);
    if (sketch) stream.#restore(sketch);
    return stream;
  }

  /** A copy, from which `resume` continues; this stream may continue too. */
  state(): SparsePcaStreamState {
    return { options: this.#settings, ...(this.#sketch && { sketch: this.#sketch.state() }) };
  }

  /** The options with defaults filled in. */
  get options(): SparsePcaStreamSettings {
    return this.#settings;
  }

  get components(): number {
    return this.#settings.components;
  }

  /** Samples seen so far. */
  get seen(): number {
    return this.#sketch?.seen ?? 0;
  }

  /** Adds samples. If one is rejected, those before it have already been added. */
  partialFit(samples: StreamItem): this {
    if (Array.isArray(samples) || ArrayBuffer.isView(samples)) this.#add(samples as ArrayLike<number>);
    else if (samples === null || typeof samples !== 'object' || !('data' in samples)) {
      throw inputError(this.#who, 'samples', 'arrays of numbers or matrices', describeForm(samples));
    } else {
      const matrix = requireMatrix(this.#who, 'samples', samples);
      for (let i = 0; i < matrix.rows; i++) this.#add(row(matrix, i));
    }
    return this;
  }

  /** The components of the samples seen; the stream may continue afterwards. */
  async result(runOptions: RunOptions = {}): Promise<StreamComponents> {
    const run = await Run.start(this.#who, runOptions);
    const sketch = this.#requireSketch();
    const data = hashNumbers([sketch.rows.data, sketch.mean, Float64Array.of(sketch.seen)]);
    await run.open({ data, options: { model: 'sparse-pca-stream', ...this.#settings } });
    return this.resultIn(run);
  }

  /** `result` inside a run. */
  async resultIn(run: Run): Promise<StreamComponents> {
    const sketch = this.#requireSketch();
    const { maxIterations, tolerance, seed } = sparsePcaDefaults;
    const { fit, found } = await fitSketch(sketch, this.#settings, { run, maxIterations, tolerance, seed });
    const totalVariance = sketch.energy / sketch.seen;
    return {
      ...found,
      totalVariance,
      mean: sketch.mean.slice(),
      objective: fit.objective,
      kept: found.totalVariance / totalVariance,
      status: fit.status,
      reason: fit.reason,
      iterations: fit.iterations,
      samples: sketch.seen,
      features: sketch.rows.cols,
    };
  }

  /** The sketch, if it has enough samples for the components. */
  #requireSketch(): Sketch {
    const sketch = this.#sketch;
    const least = this.components;
    if (!sketch) throw inputError(this.#who, 'stream', 'of at least one sample', 'none');
    const { seen, energy } = sketch;
    const enough = `of at least as many samples as components, ${least}`;
    demand(seen >= least, this.#who, 'stream', enough, `${seen} samples`);
    const apart = 'of samples that differ by more than 1e-150';
    demand(energy >= LEAST_ENERGY, this.#who, 'stream', apart, `${seen} equal ones`);
    return sketch;
  }

  #add(sample: ArrayLike<number>): void {
    const sketch = this.#sketch ?? this.#begin(sample.length);
    const { seen } = sketch;
    const { cols } = sketch.rows;
    const { length } = sample;
    demand(length === cols, this.#who, `sample ${seen}`, `${cols} numbers long, like the previous ones`, length);
    let energy = 0;
    for (let k = 0; k < length; k++) energy += sample[k] * sample[k];
    if (!Number.isFinite(energy)) {
      const column = firstNotFinite(sample);
      const place =
        column < 0 ? `squares that overflow at row ${seen}` : `${sample[column]} at row ${seen}, column ${column}`;
      throw inputError(this.#who, 'samples', 'finite', place);
    }
    sketch.add(sample);
  }

  #begin(features: number): Sketch {
    demand(features > 0, this.#who, 'samples', 'of at least one feature', features);
    requireShape(this.#who, this.#settings, features);
    this.#sketch = new Sketch({ ...this.#settings, features });
    return this.#sketch;
  }

  #restore(state: SketchState): void {
    const features = state.rows?.cols ?? 0;
    const found = misfit(sketchShape(this.#settings, features), state);
    if (found) throw inputError(this.#who, `state.${found.name}`, found.mustBe, found.got);
    requireShape(this.#who, this.#settings, features);
    this.#sketch = new Sketch({ ...this.#settings, features }, state);
  }
}
