import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, type Matrix64, maxDifference, row, transpose, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { orthogonalToReflectors, reflectBack, reflectForward } from '#src/linalg/reflectors.ts';
import { productDistance } from '#src/metrics/product-distance.ts';

/** V as a matrix. */
function dense(reflectors: Matrix64, n: number): Matrix64 {
  const columns = identity(n);
  for (let i = 0; i < n; i++) reflectForward(reflectors, row(columns, i));
  return transpose(columns);
}

describe('orthogonalToReflectors', () => {
  it('factors any orthogonal matrix into at most as many reflectors as rows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer(), (n, seed) => {
        const V = randomOrthogonal(n, createRandom(seed, 'reflectors test'));
        const reflectors = orthogonalToReflectors(V);
        expect(reflectors.rows).toBeLessThanOrEqual(n);
        for (let k = 0; k < reflectors.rows; k++) expect(Math.hypot(...row(reflectors, k))).toBeCloseTo(1, 14);
        expect(maxDifference(dense(reflectors, n), V)).toBeLessThan(1e-13);
      }),
    );
  });

  it('needs none for the identity and one for a reflector, and resolves tiny rotations', () => {
    expect(orthogonalToReflectors(identity(4)).rows).toBe(0);
    const flip = identity(3);
    flip.data[4] = -1;
    expect(orthogonalToReflectors(flip).rows).toBe(1);
    const angle = 1e-9;
    const turn = identity(2);
    turn.data.set([Math.cos(angle), -Math.sin(angle), Math.sin(angle), Math.cos(angle)]);
    expect(maxDifference(dense(orthogonalToReflectors(turn), 2), turn)).toBeLessThan(1e-16 * 4);
  });
});

describe('a product of reflectors', () => {
  const reflectors = orthogonalToReflectors(randomOrthogonal(6, createRandom(3, 'reflectors test')));

  it('is undone by its transpose', () => {
    const y = Float64Array.from([1, -2, 3, 0, 5, 1e-3]);
    const x = y.slice();
    reflectForward(reflectors, x);
    reflectBack(reflectors, x);
    x.forEach((value, i) => {
      expect(value).toBeCloseTo(y[i], 13);
    });
  });

  it('has the same distance as the dense matrices', () => {
    const V = dense(reflectors, 6);
    const difference = V.data.reduce((sum, value, at) => sum + (value - identity(6).data[at]) ** 2, 0);
    expect(productDistance(reflectors, zeros(0, 6))).toBeCloseTo(Math.sqrt(difference), 12);
    expect(productDistance(reflectors, reflectors)).toBe(0);
  });
});

it('reflectors are not unique: H H₁ = H₂ H₃ with three others (Dash & Siripuram, Lemma 1)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.integer(), (n, seed) => {
      const [u, v] = [0, 1].map((k) => row(randomOrthogonal(n, createRandom(seed, 'lemma 1')), k));
      const product = fromRows([u, v]);
      const other = fromRows([u.map((x, i) => (x + v[i]) / Math.SQRT2), u.map((x, i) => (x - v[i]) / Math.SQRT2)]);
      expect(productDistance(product, other)).toBeLessThan(1e-14);
      for (const k of [0, 1]) {
        // ‖H − H_k‖² = 8(1 − cos²), and the angle is 45°
        expect(productDistance(fromRows([u]), fromRows([row(other, k)]))).toBeCloseTo(2, 12);
      }
    }),
    { numRuns: 30 },
  );
});
