/**
 * How much faster structured dictionaries encode than a matrix: the encode pass on the same executor and samples,
 * taking turns. A matrix takes 2n² operations per sample, m reflectors 4mn, g rotations 6g.
 */
import type { Executor, FloatArray, Matrix, Precision } from 'orthodict';
import {
  createRandom,
  type EncodeParams,
  encodePass,
  memorySource,
  normalMatrix,
  type Random,
  reflectorTransform,
  type Transform,
  unitRows,
  zeros,
} from 'orthodict/extend';
import { createNodeExecutor } from 'orthodict/node';

export interface StructuredSizes {
  readonly features: number;
  readonly samples: number;
  readonly reflectors: number;
  readonly rotations: number;
}

/** 10 reflectors, and 10 n log₂ n rotations. */
export const STRUCTURED_SIZES: StructuredSizes = Object.freeze({
  features: 1000,
  samples: 10_000,
  reflectors: 10,
  rotations: 99_658,
});

export interface StructuredTime {
  readonly kind: 'householder' | 'givens';
  readonly factors: number;
  readonly features: number;
  readonly backend: string;
  readonly threads: number;
  readonly precision: Precision;
  /** The fastest call. */
  readonly seconds: number;
  /** The fastest call with a matrix. */
  readonly denseSeconds: number;
}

export interface StructuredOptions {
  readonly rounds: number;
  readonly sizes?: StructuredSizes | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

const BACKENDS = ['native', 'wasm'] as const;
const PRECISIONS = ['f64', 'f32'] as const;

export async function timeStructured(options: StructuredOptions): Promise<StructuredTime[]> {
  const { sizes = STRUCTURED_SIZES, rounds, signal, say } = options;
  const random = createRandom(1, 'bench structured');
  const encoder = normalMatrix(sizes.features, sizes.features, random);
  const maps = {
    dense: { kind: 'dense', encoder },
    householder: reflectorTransform(unitRows(normalMatrix(sizes.reflectors, sizes.features, random))),
    givens: rotations(sizes.rotations, sizes.features, random),
  } as const satisfies Record<string, Transform>;
  const times: StructuredTime[] = [];
  for (const backend of BACKENDS) {
    for (const threads of [1, 2]) {
      const executor = await createNodeExecutor({ backend, threads }).catch(() => undefined);
      if (!executor) continue; // no BLAS here: the table of speeds says so
      await executor.warm?.();
      say?.(`structured dictionaries: ${backend}, ${threads} threads`);
      try {
        for (const precision of PRECISIONS) {
          const samples = shared(sizes.samples, sizes.features, precision, random);
          const best = await bestTimes(executor, maps, samples, rounds, signal);
          const about = { features: sizes.features, backend, threads, precision, denseSeconds: best.dense };
          times.push({ kind: 'householder', factors: sizes.reflectors, ...about, seconds: best.householder });
          times.push({ kind: 'givens', factors: sizes.rotations, ...about, seconds: best.givens });
        }
      } finally {
        await executor.close();
      }
    }
  }
  return times;
}

async function bestTimes<K extends string>(
  executor: Executor,
  maps: Record<K, Transform>,
  samples: Matrix,
  rounds: number,
  signal: AbortSignal | undefined,
): Promise<Record<K, number>> {
  const source = memorySource(samples);
  const best = Object.fromEntries(Object.keys(maps).map((name) => [name, Infinity])) as Record<K, number>;
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(maps) as K[]) {
      const params: EncodeParams = { transform: maps[name], conditioning: { scale: 1 }, selection: {} };
      const started = performance.now();
      for await (const _ of executor.map(encodePass, params, source, signal)); // let go, as when written to a file
      best[name] = Math.min(best[name], (performance.now() - started) / 1000);
    }
  }
  return best;
}

function rotations(count: number, n: number, random: Random) {
  const list = zeros(count, 4);
  for (let r = 0; r < count; r++) {
    const i = random.integer(n);
    const angle = 2 * Math.PI * random.uniform();
    list.data.set([i, (i + 1 + random.integer(n - 1)) % n, Math.cos(angle), Math.sin(angle)], 4 * r);
  }
  const order = Int32Array.from({ length: n }, (_, k) => k);
  return { kind: 'rotations', rotations: list, order, signs: new Float64Array(n).fill(1) } as const;
}

function shared(rows: number, cols: number, precision: Precision, random: Random): Matrix {
  const length = rows * cols;
  const data: FloatArray =
    precision === 'f32'
      ? new Float32Array(new SharedArrayBuffer(length * 4))
      : new Float64Array(new SharedArrayBuffer(length * 8));
  for (let i = 0; i < data.length; i++) data[i] = random.normal();
  return { rows, cols, data };
}
