/** Direct calls of this machine's BLAS: products of parts of arrays, and operands of a wrong size, which C would not notice. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRandom } from '#src/core/random.ts';
import { type Blas, findBlas, openBlas } from '#src/node/threads/native/blas.ts';
import { withEigenvalues } from '../../../helpers/matrices.ts';
import { testSeed } from '../../../helpers/seed.ts';
import { describeUnless } from '../../../helpers/skip.ts';

const found = await findBlas();

afterEach(() => void vi.unstubAllEnvs());

describe('a library that cannot be used', () => {
  it('is told by its name if it was asked for', async () => {
    vi.stubEnv('ORTHODICT_BLAS', 'libnothing.so');
    expect(await findBlas()).toEqual({ missing: expect.stringMatching(/^libnothing\.so: .+/) });
  });

  it('is one without products', async () => {
    for (const trusted of [false, true]) expect(await openBlas('libm.so.6', trusted)).toHaveProperty('missing');
  });
});

describeUnless('missing' in found ? found.missing : undefined, 'a BLAS', () => {
  const blas = found as Blas;
  const whole = (length: number, type: typeof Float64Array | typeof Float32Array) => {
    const random = createRandom(testSeed(4), 'blas');
    return new type(length).map(() => random.integer(19) - 9); // exact in both precisions
  };

  it.each([
    ['f64', Float64Array],
    ['f32', Float32Array],
  ] as const)('multiplies parts of larger matrices, whichever is transposed: %s', (precision, type) => {
    const [rows, cols, inner] = [3, 4, 5];
    for (const transposeA of [false, true]) {
      for (const transposeB of [false, true]) {
        for (const [beta, alpha] of [[0], [1], [2, -3]]) {
          const [lda, ldb, ldc] = [transposeA ? rows + 1 : inner + 1, transposeB ? inner + 2 : cols + 2, cols + 3];
          const a = whole((transposeA ? inner : rows) * lda, type);
          const b = whole((transposeB ? cols : inner) * ldb, type);
          const c = whole(rows * ldc, type);
          const right = c.slice();
          for (let i = 0; i < rows; i++) {
            for (let j = 0; j < cols; j++) {
              let sum = 0;
              for (let k = 0; k < inner; k++) {
                sum += a[transposeA ? k * lda + i : i * lda + k] * b[transposeB ? j * ldb + k : k * ldb + j];
              }
              right[i * ldc + j] = beta * c[i * ldc + j] + (alpha ?? 1) * sum;
            }
          }
          const gemm = blas[precision] as Blas['f64'];
          gemm(
            transposeA,
            transposeB,
            rows,
            cols,
            inner,
            a as Float64Array,
            lda,
            b as Float64Array,
            ldb,
            beta,
            c as Float64Array,
            ldc,
            alpha,
          );
          expect(c).toEqual(right);
        }
      }
    }
  });

  it.each([
    ['f64', Float64Array],
    ['f32', Float32Array],
  ] as const)('adds the upper half of the square of a part: %s', (precision, type) => {
    const [rows, cols, lda, ldc] = [5, 3, 4, 6];
    const [a, c] = [whole(rows * lda, type), whole(cols * ldc, type)];
    for (const beta of [0, 2]) {
      const right = c.slice();
      for (let i = 0; i < cols; i++) {
        for (let j = i; j < cols; j++) {
          let sum = 0;
          for (let k = 0; k < rows; k++) sum += a[k * lda + i] * a[k * lda + j];
          right[i * ldc + j] = beta * c[i * ldc + j] + sum;
        }
      }
      (blas.rankUpdate[precision] as Blas['rankUpdate']['f64'])(
        cols,
        rows,
        a as Float64Array,
        lda,
        beta,
        c as Float64Array,
        ldc,
      );
      expect(c).toEqual(right);
    }
  });

  it('has nothing to do for empty results, and clears those of empty sums', () => {
    const [none, c] = [new Float64Array(0), Float64Array.of(1, 2, 3, 4)];
    blas.f64(false, false, 0, 2, 2, none, 2, c, 2, 0, none, 2);
    blas.f64(false, false, 2, 0, 2, c, 2, none, 0, 0, none, 0);
    blas.rankUpdate.f64(0, 2, none, 0, 0, none, 0);
    expect([...c]).toEqual([1, 2, 3, 4]);
    blas.f64(false, false, 2, 2, 0, none, 0, none, 2, 0, c, 2);
    expect([...c]).toEqual([0, 0, 0, 0]);
  });

  describe('refuses', () => {
    const numbers = (length: number) => new Float64Array(length).fill(1);
    const [a, b, c] = [numbers(6), numbers(12), numbers(8)]; // 2×3 · 3×4
    const multiply = (change: Partial<Record<'rows' | 'cols' | 'inner' | 'lda' | 'ldb' | 'ldc', number>>) => () => {
      const { rows, cols, inner, lda, ldb, ldc } = { rows: 2, cols: 4, inner: 3, lda: 3, ldb: 4, ldc: 4, ...change };
      blas.f64(false, false, rows, cols, inner, a, lda, b, ldb, 0, c, ldc);
    };

    it('no operands that just fit', () => {
      expect(multiply({})).not.toThrow();
      expect(c).toEqual(numbers(8).fill(3));
      // of a last row, what lies beyond its numbers need not be there
      expect(() => blas.f64(false, false, 2, 2, 3, a, 3, b, 4, 0, numbers(6), 4)).not.toThrow();
    });

    it.each([
      ['A', '3×3 with stride 3 in a Float64Array; got 6', { rows: 3 }],
      ['A', '2×3 with stride 4 in a Float64Array; got 6', { lda: 4 }],
      ['A', '2×3 with stride 2 in a Float64Array; got 6', { lda: 2 }],
      ['A', '-1×3 with stride 3 in a Float64Array; got 6', { rows: -1 }],
      ['A', '1.5×3 with stride 3 in a Float64Array; got 6', { rows: 1.5 }],
      ['A', '2×3 with stride 2147483648 in a Float64Array; got 6', { lda: 2 ** 31 }],
      ['A', '0×3 with stride 2147483648 in a Float64Array; got 6', { rows: 0, lda: 2 ** 31 }],
      ['B', '3×4 with stride 5 in a Float64Array; got 12', { ldb: 5 }],
      ['B', '3×4 with stride 3 in a Float64Array; got 12', { ldb: 3 }],
      ['C', '2×4 with stride 5 in a Float64Array; got 8', { ldc: 5 }],
      ['C', '2×4 with stride 3 in a Float64Array; got 8', { ldc: 3 }],
    ])('%s that must be %s numbers', (name, words, change) => {
      expect(multiply(change)).toThrow(new RangeError(`native kernels: ${name} must be ${words} numbers.`));
    });

    it('numbers of another precision', () => {
      const single = new Float32Array(6) as never;
      expect(() => blas.f64(false, false, 2, 4, 3, single, 3, b, 4, 0, c, 4)).toThrow('A must be');
      expect(() => blas.f32(false, false, 2, 2, 3, single, 3, single, 2, 0, numbers(4) as never, 2)).toThrow('C must');
    });

    it('squares and symmetric matrices that do not fit', () => {
      expect(() => blas.rankUpdate.f64(3, 3, a, 3, 0, numbers(9), 3)).toThrow('A must be 3×3');
      expect(() => blas.rankUpdate.f64(3, 2, a, 3, 0, numbers(8), 3)).toThrow('C must be 3×3');
      expect(() => blas.eigen?.(3, numbers(8), numbers(3))).toThrow('the matrix must be 3×3');
      expect(() => blas.eigen?.(3, numbers(9), numbers(2))).toThrow('the eigenvalues must be 1×3');
    });
  });

  it('finds eigenvalues in ascending order', () => {
    for (const n of [1, 2, 30]) {
      const right = Float64Array.from({ length: n }, (_, i) => i - 3);
      const symmetric = withEigenvalues(right, createRandom(testSeed(4), 'eigenvalues'));
      const values = new Float64Array(n);
      expect(blas.eigen!(n, symmetric.data, values)).toBe(true);
      for (const [i, value] of values.entries()) expect(value).toBeCloseTo(right[i], 10);
      for (let i = 0; i < n; i++) expect(Math.hypot(...symmetric.data.subarray(i * n, (i + 1) * n))).toBeCloseTo(1, 10);
    }
  });

  it('is found again by its name', async () => {
    vi.stubEnv('ORTHODICT_BLAS', blas.library);
    const again = await findBlas();
    expect(again).toMatchObject({ library: blas.library, description: blas.description });
  });
});
