import { fromRows, generateHouseholder, learnHouseholder, metrics } from 'orthodict';
import { eigh, type Matrix64, reflectBack, row, select, selectKernels, zeros } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { spectralReflectors } from '#lab/methods/householder/spectral.ts';

const { productDistance } = metrics;
const kernels = await selectKernels('auto');

const data = (samples: number, features: number, reflectors = 2) =>
  generateHouseholder({ samples, features, reflectors, theta: 0.2, seed: 8, entries: 'normal' });

describe('spectralReflectors', () => {
  it('takes the eigenvector of the smallest eigenvalue', () => {
    const { samples } = data(10, 40);
    const options = { reflectors: 1, codes: 8, maxIterations: 1, start: 'identity' } as const;
    const found = spectralReflectors(samples, options, kernels);
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
    const options = { reflectors: 2, codes: 6, start: 'identity' } as const;
    const runs = [1, 2, 5, 30].map((maxIterations) =>
      spectralReflectors(samples, { ...options, maxIterations }, kernels),
    );
    for (let k = 1; k < runs.length; k++) {
      expect(runs[k].residual).toBeLessThanOrEqual(runs[k - 1].residual + 1e-12);
    }
    const nothing = productDistance(zeros(0, 30), reflectors);
    expect(productDistance(runs[3].reflectors, reflectors)).toBeLessThan(0.5 * nothing);
  });

  it('skips reflectors that would not help: sparse samples need none', () => {
    const { codes } = data(30, 50);
    const options = { reflectors: 3, codes: 50, start: 'identity' } as const;
    const { reflectors, residual } = spectralReflectors(codes, options, kernels);
    expect([reflectors.rows, residual]).toEqual([0, 0]);
  });

  it('starts from the codes in the left singular vectors: here one reflector maps those to unit vectors', () => {
    const few = fromRows([[2, 3, 6]]); // p < n; singular vector (2, 3, 6)/7
    const enough = fromRows([
      [3 * 0.8, 3 * 0.6],
      [2 * 0.6, -2 * 0.8],
    ]);
    for (const [samples, codes] of [
      [few, [7, 0, 0]],
      [enough, [3, 0, 0, 2]],
    ] as const) {
      const options = { reflectors: 1, codes: samples.cols, maxIterations: 1 };
      const { reflectors } = spectralReflectors(samples, options, kernels);
      for (let j = 0; j < samples.rows; j++) reflectBack(reflectors, row(samples, j));
      codes.forEach((code, at) => {
        expect(samples.data[at]).toBeCloseTo(code, 7);
      });
    }
  });

  it('is exact for one reflector if the codes are known, and goes on from given reflectors', () => {
    const { samples, codes, reflectors } = data(12, 60, 1);
    const known = spectralReflectors(samples, { reflectors: 1, codes: 12, knownCodes: codes }, kernels);
    expect(productDistance(known.reflectors, reflectors)).toBeLessThan(1e-6);
    expect(known.residual).toBeLessThan(1e-6);
    const from = spectralReflectors(samples, { reflectors: 1, codes: 60, start: reflectors }, kernels);
    expect([from.residual, from.iterations]).toEqual([0, 2]);
  });

  it('from its own start or from first moments, is not near for several reflectors and few samples', async () => {
    const planted = generateHouseholder({ samples: 20, features: 1000, reflectors: 3, theta: 0.3, seed: 1 });
    const { reflectors: moments } = await learnHouseholder(planted.samples, { reflectors: 3, refine: 'none' });
    for (const start of ['svd', moments] as const) {
      const options = { reflectors: 3, codes: 300, maxIterations: 2, start };
      const { reflectors } = spectralReflectors(planted.samples, options, kernels);
      expect(productDistance(reflectors, planted.reflectors)).toBeGreaterThan(1);
    }
  });
});
