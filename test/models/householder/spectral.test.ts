import { describe, expect, it } from 'vitest';
import { type Matrix64, zeros } from '#src/core/matrix.ts';
import { eigh } from '#src/linalg/eigh.ts';
import { productDistance } from '#src/metrics/product-distance.ts';
import { spectralReflectors } from '#src/models/householder/spectral.ts';
import { select } from '#src/passes/select-codes.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { fastKernels } from '../../helpers/kernels.ts';

const data = (samples: number, features: number, reflectors = 2) =>
  generateHouseholder({ samples, features, reflectors, theta: 0.2, seed: 8, entries: 'normal' });

describe('spectralReflectors', () => {
  it('takes the eigenvector of the smallest eigenvalue', () => {
    const { samples } = data(10, 40);
    const [found] = [spectralReflectors(samples, { reflectors: 1, codes: 8, maxIterations: 1 }, fastKernels)];
    const codes: Matrix64 = { ...samples, data: Float64Array.from(samples.data) };
    select(codes, { keep: 8 });
    const n = 40;
    const symmetric = zeros(n, n);
    for (let j = 0; j < 10; j++) {
      for (let a = 0; a < n; a++) {
        for (let b = 0; b < n; b++) {
          const [xa, xb, ya, yb] = [codes.data, codes.data, samples.data, samples.data].map(
            (source, k) => source[j * n + (k % 2 ? b : a)],
          );
          symmetric.data[a * n + b] += xa * yb + xb * ya;
        }
      }
    }
    const { values, vectors } = eigh(symmetric);
    if (values[n - 1] >= 0) expect(found.reflectors.rows).toBe(0);
    else {
      const cosine = found.reflectors.data.reduce((sum, u, i) => sum + u * vectors.data[(n - 1) * n + i], 0);
      expect(Math.abs(cosine)).toBeCloseTo(1, 10);
    }
  });

  it('recovers a dictionary from many samples, and lowers the residual with every iteration', () => {
    const { samples, reflectors } = data(400, 30);
    const residuals = [1, 2, 5, 30].map(
      (maxIterations) => spectralReflectors(samples, { reflectors: 2, codes: 6, maxIterations }, fastKernels).residual,
    );
    for (let k = 1; k < residuals.length; k++) expect(residuals[k]).toBeLessThanOrEqual(residuals[k - 1] + 1e-12);
    const { reflectors: found } = spectralReflectors(samples, { reflectors: 2, codes: 6 }, fastKernels);
    expect(productDistance(found, reflectors)).toBeLessThan(0.5 * productDistance(zeros(0, 30), reflectors));
  });

  it('skips reflectors that would not help: sparse samples need none', () => {
    const { codes } = data(30, 50);
    const { reflectors, residual } = spectralReflectors(codes, { reflectors: 3, codes: 50 }, fastKernels);
    expect([reflectors.rows, residual]).toEqual([0, 0]);
  });
});
