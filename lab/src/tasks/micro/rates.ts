/**
 * Speed of the kernels relative to the machine's BLAS, measured in short bursts that take turns.
 *
 *     product      C = A B, 1024³                                2·1024³ operations
 *     fused pass   φ(Y Aᵀ)ᵀ Y and the objective, φ(x) = x³       4·p·n·K operations (responses not counted)
 */
import { availableParallelism } from 'node:os';
import type { Executor, FloatArray, Matrix, Precision } from 'orthodict';
import {
  type CorrelateRequest,
  chunkRanges,
  correlatePass,
  createRandom,
  type Kernels,
  memorySource,
} from 'orthodict/extend';
import { createNodeExecutor, type NodeBackendChoice, selectNodeKernels } from 'orthodict/node';
import { type BlasRate, openBlasRate } from './blas-rate.ts';

export interface MicroOptions {
  readonly rounds: number;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
  /** Smaller sizes, to save time. */
  readonly sizes?: Partial<MicroSizes>;
}

export interface MicroSizes {
  readonly product: number;
  readonly fused: readonly number[];
  /** Features and samples of the pass run by the executors. */
  readonly pass: { readonly features: number; readonly samples: number };
}

export const MICRO_SIZES: MicroSizes = Object.freeze({
  product: 1024,
  fused: [25, 100, 256, 400],
  pass: { features: 256, samples: 16_384 },
});

export interface Rate {
  readonly what: 'product' | 'fused' | 'pass' | 'blas';
  /** native, wasm or js; `blas` for the library itself. */
  readonly backend: string;
  readonly size: number;
  readonly precision: Precision;
  readonly threads: number;
  /** Speed of the fastest call. */
  readonly gflops: number;
  /** Relative to BLAS at the same precision and number of threads; null without NumPy. */
  readonly ofBlas: number | null;
}

export interface Micro {
  readonly rates: readonly Rate[];
  readonly blas: string;
  readonly skipped: ReadonlyArray<{ readonly what: string; readonly reason: string }>;
}

const BURST_SECONDS = 0.06;
const FEWEST_CALLS = 4;
const LONG_CALL_MS = 200;
const BACKENDS = ['native', 'wasm', 'js'] as const;
const PRECISIONS = ['f64', 'f32'] as const;
/** The reference kernels are a hundred times slower, and small matrices suffice to show it. */
const MOST_SIZE_JS = 256;

interface Measure extends Omit<Rate, 'gflops' | 'ofBlas'> {
  readonly flops: number;
  /** Seconds of the fastest call in a burst. */
  burst(): Promise<number>;
}

export async function measureRates(options: MicroOptions): Promise<Micro> {
  const sizes = { ...MICRO_SIZES, ...options.sizes };
  const skipped: { what: string; reason: string }[] = [];
  const closers: (() => unknown)[] = [];
  const { signal } = options;
  try {
    const references: Measure[] = [];
    let blas = 'none';
    for (const threads of new Set([1, Math.min(2, availableParallelism())])) {
      const rate = openBlasRate(sizes.product, threads, signal);
      if ('missing' in rate) {
        if (skipped.length === 0) skipped.push({ what: 'BLAS', reason: rate.missing });
        continue;
      }
      blas = rate.description;
      closers.push(() => rate.close());
      references.push(...PRECISIONS.map((precision) => reference(rate, sizes.product, precision, threads)));
    }
    const groups: Measure[][] = [];
    for (const backend of BACKENDS) {
      try {
        const { kernels } = await selectNodeKernels(backend);
        groups.push(...kernelMeasures(backend, kernels, sizes));
        if (backend === 'js') continue;
        for (const threads of [1, 2]) {
          const executor = await createNodeExecutor({ backend, threads });
          await executor.warm?.();
          closers.push(() => executor.close());
          groups.push(PRECISIONS.map((precision) => passMeasure(backend, executor, precision, sizes.pass, signal)));
        }
      } catch (error) {
        skipped.push({ what: backend, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return { rates: await inTurns(references, groups, options), blas, skipped };
  } finally {
    for (const close of closers) await close();
  }
}

/** Each round measures all groups, and the references before each group. */
async function inTurns(references: Measure[], groups: Measure[][], options: MicroOptions): Promise<Rate[]> {
  const best = new Map<Measure, number>();
  for (let round = 0; round < options.rounds; round++) {
    options.say?.(`rates: round ${round + 1} of ${options.rounds}`);
    for (const measure of groups.flatMap((group) => [...references, ...group])) {
      options.signal?.throwIfAborted();
      best.set(measure, Math.min(best.get(measure) ?? Infinity, await measure.burst()));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const gflops = (measure: Measure) => measure.flops / (best.get(measure) ?? Number.NaN) / 1e9;
  return [...references, ...groups.flat()].map((measure) => {
    const { what, backend, size, precision, threads } = measure;
    const ceiling = references.find((other) => other.precision === precision && other.threads === threads);
    const ofBlas = ceiling ? gflops(measure) / gflops(ceiling) : null;
    return { what, backend, size, precision, threads, gflops: gflops(measure), ofBlas };
  });
}

function reference(rate: BlasRate, size: number, precision: Precision, threads: number): Measure {
  const about = { what: 'blas', backend: 'blas', size, precision, threads } as const;
  return { ...about, flops: 2 * size ** 3, burst: () => rate.burst(precision, BURST_SECONDS) };
}

function kernelMeasures(backend: string, kernels: Kernels, sizes: MicroSizes): Measure[][] {
  const possible = (size: number) => backend !== 'js' || size <= MOST_SIZE_JS;
  const product = possible(sizes.product) ? sizes.product : MOST_SIZE_JS;
  return [
    PRECISIONS.map((precision) => productMeasure(backend, kernels, precision, product)),
    ...sizes.fused
      .filter(possible)
      .map((size) => PRECISIONS.map((precision) => fusedMeasure(backend, kernels, precision, size))),
  ];
}

function productMeasure(backend: string, kernels: Kernels, precision: Precision, size: number): Measure {
  const a = normal(size, size, precision);
  const about = { what: 'product', backend, size, precision, threads: 1 } as const;
  return { ...about, flops: 2 * size ** 3, burst: () => burst(() => kernels.multiply(a, a)) };
}

/** Measures one chunk of the size executors use. */
function fusedMeasure(backend: string, kernels: Kernels, precision: Precision, size: number): Measure {
  const rows = chunkRanges(1 << 20, size)[0].end;
  const request = { samples: normal(rows, size, precision), ...passParams(size, precision) };
  const about = { what: 'fused', backend, size, precision, threads: 1 } as const;
  return { ...about, flops: 4 * rows * size ** 2, burst: () => burst(() => kernels.correlate(request)) };
}

function passMeasure(
  backend: NodeBackendChoice,
  executor: Executor,
  precision: Precision,
  { features, samples }: MicroSizes['pass'],
  signal?: AbortSignal,
): Measure {
  const source = memorySource(normal(samples, features, precision));
  const params = passParams(features, precision);
  const about = { what: 'pass', backend, size: features, precision, threads: executor.threads } as const;
  return {
    ...about,
    flops: 4 * samples * features ** 2,
    burst: () => burst(() => executor.sum(correlatePass, params, source, signal)),
  };
}

function passParams(features: number, precision: Precision): Omit<CorrelateRequest, 'samples'> {
  const atoms = normal(features, features, precision, 1 / Math.sqrt(features));
  return { atoms, conditioning: { scale: 1 }, response: { kind: 'power', norm: 4 }, precision };
}

/** Calls repeatedly for a short time, at least FEWEST_CALLS times if calls are short; returns the seconds of the fastest. */
async function burst(call: () => unknown): Promise<number> {
  const end = performance.now() + BURST_SECONDS * 1000;
  let best = Infinity;
  for (let calls = 0; performance.now() < end || (calls < FEWEST_CALLS && best < LONG_CALL_MS); calls++) {
    const started = performance.now();
    const result = call();
    if (result instanceof Promise) await result;
    best = Math.min(best, performance.now() - started);
  }
  return best / 1000;
}

/** Normal random numbers in memory shared between threads. */
function normal(rows: number, cols: number, precision: Precision, scale = 1): Matrix {
  const length = rows * cols;
  const data: FloatArray =
    precision === 'f32'
      ? new Float32Array(new SharedArrayBuffer(length * 4))
      : new Float64Array(new SharedArrayBuffer(length * 8));
  const random = createRandom(1, 'bench rates');
  for (let i = 0; i < length; i++) data[i] = scale * random.normal();
  return { rows, cols, data };
}
