/** Eigenvectors, inverses and singular values beside those of NumPy, all from one run of Python. */
import { beforeAll, expect, it } from 'vitest';
import { identity, maxDifference } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { eigh } from '#src/linalg/eigh.ts';
import { solve } from '#src/linalg/lu.ts';
import { svd } from '#src/linalg/svd.ts';
import { maxAbs, symmetrised } from '../../helpers/matrices.ts';
import { describeWithNumpy, python } from '../../helpers/numpy.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(22);

const SCRIPT = `
import sys, json, numpy as np
S, M, G = (np.array(numbers).reshape(n, n) for n, numbers in json.loads(sys.argv[1]))
values, vectors = np.linalg.eigh(S)
print(json.dumps({
    "values": values[::-1].tolist(),
    "vectors": vectors.T[::-1].ravel().tolist(),
    "inverse": np.linalg.inv(M).ravel().tolist(),
    "singular": np.linalg.svd(G)[1].tolist(),
}))`;

describeWithNumpy('NumPy agrees', () => {
  const S = symmetrised(normalMatrix(30, 30, createRandom(seed, 'eigh numpy')));
  const M = normalMatrix(20, 20, createRandom(seed, 'lu numpy'));
  const G = normalMatrix(25, 25, createRandom(seed, 'svd numpy'));
  let theirs: Record<'values' | 'vectors' | 'inverse' | 'singular', number[]>;
  beforeAll(() => {
    const numbers = [S, M, G].map(({ rows, data }) => [rows, [...data]]);
    theirs = JSON.parse(python(SCRIPT, JSON.stringify(numbers)));
  });

  it('on eigenvalues and the projections onto eigenspaces', () => {
    const { values, vectors } = eigh(S);
    expect(theirs.values).toHaveLength(30);
    for (let i = 0; i < 30; i++) {
      expect(Math.abs(values[i] - theirs.values[i])).toBeLessThan(1e-12 * maxAbs(S));
      // up to sign; gaps of normal matrices of this size are far above 1e-3
      let cosine = 0;
      for (let j = 0; j < 30; j++) cosine += vectors.data[i * 30 + j] * theirs.vectors[i * 30 + j];
      expect(Math.abs(cosine)).toBeGreaterThan(1 - 1e-10);
    }
  });

  it('on an inverse', () => {
    const inverse = { rows: 20, cols: 20, data: Float64Array.from(theirs.inverse) };
    expect(maxDifference(solve(M, identity(20))!, inverse)).toBeLessThan(1e-11 * maxAbs(inverse) ** 2);
  });

  it('on singular values', () => {
    const { values } = svd(G);
    expect(theirs.singular).toHaveLength(25);
    for (let i = 0; i < 25; i++) expect(Math.abs(values[i] - theirs.singular[i])).toBeLessThan(1e-12 * maxAbs(G));
  });
});
