/**
 * Where codes are zero: for every atom how many of its codes vanish, and for every two how often both do not. A code
 * vanishes if |x| < cut·√(e/K), e = Σ x² over the K codes of the sample. Samples without energy do not count, and neither do
 * those without a zero: outliers are of this kind, and show nothing of which atoms go together.
 */
import { firstRows, type Matrix64, toFloat64, zeros } from '../core/matrix.ts';
import { accumulate } from '../engine/pass.ts';
import { definePass } from '../engine/registry.ts';
import type { Conditioning } from '../kernels/kernels.ts';

export interface SupportsParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  readonly cut: number;
}

export interface Supports {
  /** Samples with energy and at least one zero. */
  readonly telling: number;
  /** Number of zeros of every atom. */
  readonly zeros: Float64Array;
  /** Sum of the squares of its codes. */
  readonly energies: Float64Array;
  /** K×K: in how many samples the codes of both atoms are not zero. */
  readonly both: Matrix64;
}

export const supportsPass = definePass<SupportsParams, Supports>(import.meta.url, {
  name: 'supports',
  contribute({ samples }, { atoms, conditioning, cut }, kernels) {
    const X = toFloat64(kernels.project(samples, atoms, conditioning, 'f64'));
    const K = X.cols;
    const support = zeros(X.rows, K);
    const counts = { telling: 0, zeros: new Float64Array(K), energies: new Float64Array(K) };
    for (let at = 0; at < X.data.length; at += K) {
      const codes = X.data.subarray(at, at + K);
      const energy = codes.reduce((sum, x) => sum + x * x, 0);
      const least = cut * Math.sqrt(energy / K);
      if (energy === 0 || codes.every((x) => Math.abs(x) >= least)) continue;
      counts.telling++;
      for (let i = 0; i < K; i++) {
        counts.energies[i] += codes[i] ** 2;
        if (Math.abs(codes[i]) < least) counts.zeros[i]++;
        else support.data[at + i] = 1;
      }
    }
    return { ...counts, both: kernels.multiply(support, support, 'tn') };
  },
  add(total, part) {
    accumulate(total.zeros, part.zeros);
    accumulate(total.energies, part.energies);
    accumulate(total.both.data, part.both.data);
    return { ...total, telling: total.telling + part.telling };
  },
  example: (samples) => ({ params: { atoms: firstRows(samples), conditioning: { scale: 1 }, cut: 0.5 } }),
});
