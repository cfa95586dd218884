/**
 * Calls a system CBLAS through koffi: OpenBLAS, BLIS, MKL, Accelerate, or the library that `ORTHODICT_BLAS` names.
 *
 * Libraries with 64-bit integers (ILP64) use the same names with different arguments, and a wrong call may crash the
 * process. OpenBLAS reports its integer size; any other library is first tried in a separate process.
 */
import type { FloatArray } from '../../../core/matrix.ts';

/** Computes C ← α op(A) op(B) + β C, row-major; the last of each operand's arguments is its leading dimension. */
export type Gemm<D extends FloatArray> = (
  transposeA: boolean,
  transposeB: boolean,
  rows: number,
  cols: number,
  inner: number,
  a: D,
  lda: number,
  b: D,
  ldb: number,
  beta: number,
  c: D,
  ldc: number,
  alpha?: number,
) => void;

/** Computes the upper half of C ← AᵀA + β C, row-major; A is `rows` rows of `cols` numbers, `lda` apart. */
export type RankUpdate<D extends FloatArray> = (
  cols: number,
  rows: number,
  a: D,
  lda: number,
  beta: number,
  c: D,
  ldc: number,
) => void;

/** Computes ascending eigenvalues of a symmetric n×n matrix, overwritten by eigenvectors as rows. False: no convergence. */
export type SymmetricSolver = (n: number, matrix: Float64Array, values: Float64Array) => boolean;

export interface Blas {
  /** Library that was loaded, to pass on to other threads. */
  readonly library: string;
  /** The library's own description, or its name. */
  readonly description: string;
  readonly f64: Gemm<Float64Array>;
  readonly f32: Gemm<Float32Array>;
  readonly rankUpdate: { readonly f64: RankUpdate<Float64Array>; readonly f32: RankUpdate<Float32Array> };
  /** LAPACK's dsyevd, if the library has it. */
  readonly eigen?: SymmetricSolver | undefined;
  /** Sets the threads the library uses for one product; no effect on libraries without such a function. */
  setThreads(count: number): void;
}

const CANDIDATES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['libopenblas.so.0', 'libopenblas.so', 'libblis.so.4', 'libmkl_rt.so.2', 'libcblas.so.3', 'libblas.so.3'],
  darwin: ['/System/Library/Frameworks/Accelerate.framework/Accelerate', 'libopenblas.dylib'],
  win32: ['libopenblas.dll', 'openblas.dll', 'mkl_rt.2.dll'],
};

const ROW_MAJOR = 101;
const PLAIN = 111;
const TRANSPOSED = 112;
const UPPER = 121;

/** Returns the first library that works, or the reason why none does. */
export async function findBlas(): Promise<Blas | { readonly missing: string }> {
  if (!(await hasKoffi()))
    return { missing: 'the package koffi is needed to call a BLAS; install it with npm install koffi' };
  const named = process.env.ORTHODICT_BLAS;
  const reasons: string[] = [];
  for (const library of named ? [named] : (CANDIDATES[process.platform] ?? [])) {
    const found = await openBlas(library);
    if (!('missing' in found)) return found;
    reasons.push(`${library}: ${found.missing}`);
  }
  return { missing: named ? reasons[0] : `no BLAS library was found (${reasons.join('; ')})` };
}

const hasKoffi = (): Promise<boolean> =>
  import('koffi').then(
    () => true,
    () => false,
  );

/** Loads a library. With `trusted`, skips the trial in a separate process. */
export async function openBlas(library: string, trusted = false): Promise<Blas | { readonly missing: string }> {
  try {
    const { default: koffi } = await import('koffi');
    const lib = koffi.load(library);
    const config = optional(() => lib.func('str openblas_get_config()')() as string);
    if (config?.includes('USE64BITINT')) return { missing: 'it uses 64-bit integers (ILP64)' };
    if (!config && !trusted && !(await survivesTrial(library))) return { missing: 'it failed a trial product' };
    const gemm = (name: string, type: CType) =>
      checkedGemm(
        lib.func(
          `void ${name}(int, int, int, int, int, int, ${type}, ${type}*, int, ${type}*, int, ${type}, ${type}*, int)`,
        ) as Call,
        ARRAY_OF[type],
      );
    const rankUpdate = (name: string, type: CType) =>
      checkedRankUpdate(
        lib.func(`void ${name}(int, int, int, int, int, ${type}, ${type}*, int, ${type}, ${type}*, int)`) as Call,
        ARRAY_OF[type],
      );
    const setThreads = ['openblas_set_num_threads', 'bli_thread_set_num_threads', 'MKL_Set_Num_Threads']
      .map((name) => optional(() => lib.func(`void ${name}(int)`) as (count: number) => void))
      .find((found) => found !== undefined);
    const blas: Blas = {
      library,
      description: config?.trim() ?? library,
      f64: gemm('cblas_dgemm', 'double') as Gemm<Float64Array>,
      f32: gemm('cblas_sgemm', 'float') as Gemm<Float32Array>,
      rankUpdate: {
        f64: rankUpdate('cblas_dsyrk', 'double') as RankUpdate<Float64Array>,
        f32: rankUpdate('cblas_ssyrk', 'float') as RankUpdate<Float32Array>,
      },
      eigen: optional(() => symmetricSolver(lib)),
      setThreads: (count) => setThreads?.(count),
    };
    return multipliesRightly(blas) ? blas : { missing: 'a trial product gave a wrong result' };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

type Call = (...values: unknown[]) => void;
type CType = 'double' | 'float';
const ARRAY_OF = { double: Float64Array, float: Float32Array } as const;

function checkedGemm(call: Call, type: typeof Float64Array | typeof Float32Array): Gemm<FloatArray> {
  return (transposeA, transposeB, rows, cols, inner, a, lda, b, ldb, beta, c, ldc, alpha = 1) => {
    requireOperand('A', type, a, transposeA ? inner : rows, transposeA ? rows : inner, lda);
    requireOperand('B', type, b, transposeB ? cols : inner, transposeB ? inner : cols, ldb);
    requireOperand('C', type, c, rows, cols, ldc);
    if (rows === 0 || cols === 0) return;
    const [ta, tb] = [transposeA ? TRANSPOSED : PLAIN, transposeB ? TRANSPOSED : PLAIN];
    call(ROW_MAJOR, ta, tb, rows, cols, inner, alpha, a, lda, b, ldb, beta, c, ldc);
  };
}

function checkedRankUpdate(call: Call, type: typeof Float64Array | typeof Float32Array): RankUpdate<FloatArray> {
  return (cols, rows, a, lda, beta, c, ldc) => {
    requireOperand('A', type, a, rows, cols, lda);
    requireOperand('C', type, c, cols, cols, ldc);
    if (cols === 0) return;
    call(ROW_MAJOR, UPPER, TRANSPOSED, cols, rows, 1, a, lda, beta, c, ldc);
  };
}

/** Largest number that a CBLAS takes. */
const LARGEST = 2 ** 31 - 1;

/**
 * Throws unless `rows` rows of `cols` numbers, `stride` apart, are inside the array: the library would read or write
 * memory beyond it.
 */
function requireOperand(
  name: string,
  type: typeof Float64Array | typeof Float32Array,
  data: FloatArray,
  rows: number,
  cols: number,
  stride: number,
): void {
  const isCount = (n: number) => Number.isInteger(n) && n >= 0 && n <= LARGEST;
  const needed = rows > 0 ? (rows - 1) * stride + cols : 0;
  const fits = isCount(rows) && isCount(cols) && isCount(stride) && stride >= cols && data.length >= needed;
  if (fits && data instanceof type) return;
  const size = `${rows}×${cols} with stride ${stride}`;
  throw new RangeError(`native kernels: ${name} must be ${size} in a ${type.name}; got ${data.length} numbers.`);
}

/** Wraps dsyevd. Fortran passes everything by reference. Row or column order does not matter for a symmetric matrix. */
function symmetricSolver(lib: { func(definition: string): unknown }): SymmetricSolver {
  const call = lib.func(
    'void dsyevd_(char*, char*, int*, double*, int*, double*, double*, int*, int*, int*, _Inout_ int*)',
  ) as (...values: unknown[]) => void;
  const letter = (text: string) => Buffer.from(text);
  return (n, matrix, values) => {
    requireOperand('the matrix', Float64Array, matrix, n, n, n);
    requireOperand('the eigenvalues', Float64Array, values, 1, n, n);
    const [size, info] = [Int32Array.of(n), Int32Array.of(0)];
    const [real, whole] = [1 + 6 * n + 2 * n * n, 3 + 5 * n]; // workspace that dsyevd needs with vectors
    const work: [Float64Array, Int32Array] = [new Float64Array(real), new Int32Array(whole)];
    const lengths = [Int32Array.of(real), Int32Array.of(whole)];
    call(letter('V'), letter('L'), size, matrix, size, values, work[0], lengths[0], work[1], lengths[1], info);
    return info[0] === 0;
  };
}

/** Computes (1 2; 3 4)·(5 6; 7 8)ᵀ + 1 in both precisions, which reveals misinterpreted arguments. */
function multipliesRightly({ f64, f32 }: Blas): boolean {
  const expected = [18, 24, 40, 54];
  const c64 = Float64Array.of(1, 1, 1, 1);
  const c32 = Float32Array.of(1, 1, 1, 1);
  f64(false, true, 2, 2, 2, Float64Array.of(1, 2, 3, 4), 2, Float64Array.of(5, 6, 7, 8), 2, 1, c64, 2);
  f32(false, true, 2, 2, 2, Float32Array.of(1, 2, 3, 4), 2, Float32Array.of(5, 6, 7, 8), 2, 1, c32, 2);
  return expected.every((value, i) => c64[i] === value && c32[i] === value);
}

/** Whether a process that uses the library survives. */
async function survivesTrial(library: string): Promise<boolean> {
  const [{ spawnSync }, { fileURLToPath }] = await Promise.all([import('node:child_process'), import('node:url')]);
  const script = fileURLToPath(new URL('./blas-trial.js', import.meta.url));
  return spawnSync(process.execPath, [script, library], { timeout: 10_000, stdio: 'ignore' }).status === 0;
}

function optional<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
