/** The variational step against its formulas, word by word; ψ against its values and its recurrence. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Counts } from '#src/core/counts.ts';
import { type Matrix64, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { digamma, documentReader, firstMixtures, variationalStep } from '#src/models/topics/variational.ts';
import { testSeed } from '../../helpers/seed.ts';

const EULER = 0.5772156649015329;

describe('digamma', () => {
  it.each([
    [1, -EULER],
    [0.5, -EULER - 2 * Math.log(2)],
    [2, 1 - EULER],
    [1 / 3, -EULER - Math.PI / (2 * Math.sqrt(3)) - 1.5 * Math.log(3)],
    [6, 137 / 60 - EULER],
    [100, 4.600161852738087],
  ])('ψ(%d)', (x, value) => {
    expect(Math.abs(digamma(x) - value)).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
  });

  it('ψ(x + 1) = ψ(x) + 1/x', () => {
    const x = fc.double({ min: 1e-3, max: 50, noNaN: true });
    fc.assert(
      fc.property(x, (x) => {
        expect(Math.abs(digamma(x + 1) - digamma(x) - 1 / x)).toBeLessThan(1e-9 * Math.max(1, 1 / x));
      }),
      { seed: testSeed(6) },
    );
  });
});

const [D, V, K] = [6, 9, 3];
const random = createRandom(testSeed(7), 'variational');
/** Every document has some of the words, one of them none; the last topic has no words at all. */
const dense = Array.from({ length: D }, (_, l) =>
  Array.from({ length: V }, () => (l === 2 || random.uniform() < 0.4 ? 0 : 1 + random.integer(4))),
);
const counts: Counts = (() => {
  const rows = dense.map((row) => row.flatMap((c, v) => (c > 0 ? [[v, c]] : [])));
  const indptr = Int32Array.from([0, ...rows.map((_, l) => rows.slice(0, l + 1).flat().length)]);
  const flat = rows.flat();
  return {
    rows: D,
    cols: V,
    data: Float64Array.from(flat, ([, c]) => c),
    indices: Int32Array.from(flat, ([v]) => v),
    indptr,
  };
})();
const topics: Matrix64 = zeros(K, V);
for (let k = 0; k < K; k++) {
  const row = Array.from({ length: V }, () => 0.1 + random.uniform());
  const sum = row.reduce((a, b) => a + b, 0);
  topics.data.set(
    row.map((x) => x / sum),
    k * V,
  );
}
const alpha = Float64Array.of(0.3, 0.7, 1.1);
const sumOf = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);

/** r_vk of a document with γ. */
function shares(gamma: readonly number[], mu: Matrix64): number[][] {
  return Array.from({ length: V }, (_, v) => {
    const weights = gamma.map((g, k) => Math.exp(digamma(g)) * mu.data[k * V + v]);
    const total = sumOf(weights);
    return weights.map((w) => (total > 0 ? w / total : 0));
  });
}
const next = (l: number, gamma: readonly number[], mu = topics): number[] => {
  const r = shares(gamma, mu);
  return gamma.map((_, k) => alpha[k] + sumOf(dense[l].map((c, v) => c * r[v][k])));
};
const gammaOf = (M: Matrix64, l: number) => [...M.data.subarray(l * K, (l + 1) * K)];
const close = (a: readonly number[], b: readonly number[]) =>
  a.forEach((x, k) => {
    expect(Math.abs(x - b[k])).toBeLessThan(1e-9 * Math.max(1, Math.abs(b[k])));
  });

describe('a step', () => {
  const first = firstMixtures(counts, alpha);

  it('begins with all topics alike', () => {
    for (let l = 0; l < D; l++)
      close(
        gammaOf(first, l),
        [...alpha].map((a) => a + sumOf(dense[l]) / K),
      );
  });

  it.each([1, 2, 3, 50])('takes at most %d rounds for a document, until γ moves by 0.2 %% of its length', (rounds) => {
    const { mixtures } = variationalStep(counts, topics, alpha, first, rounds);
    for (let l = 0; l < D; l++) {
      let gamma = gammaOf(first, l);
      for (let k = 0; k < rounds; k++) {
        const after = next(l, gamma);
        const moved = sumOf(after.map((x, j) => Math.abs(x - gamma[j])));
        gamma = after;
        if (moved <= 2e-3 * sumOf(dense[l])) break;
      }
      close(gammaOf(mixtures, l), gamma);
    }
    expect(first.data).toEqual(firstMixtures(counts, alpha).data); // not written to
  });

  it('gives topics, their totals and the mean logarithm by the formulas', () => {
    const step = variationalStep(counts, topics, alpha, first, 2);
    const sums = Array.from({ length: K }, () => Array<number>(V).fill(0));
    let logarithms = 0;
    for (let l = 0; l < D; l++) {
      const gamma = gammaOf(step.mixtures, l);
      const r = shares(gamma, topics);
      const all = digamma(sumOf(gamma));
      for (let v = 0; v < V; v++) {
        if (dense[l][v] === 0) continue;
        const p = sumOf(gamma.map((g, k) => Math.exp(digamma(g) - all) * topics.data[k * V + v]));
        logarithms += dense[l][v] * Math.log(p);
        for (let k = 0; k < K; k++) sums[k][v] += dense[l][v] * r[v][k];
      }
    }
    expect(step.logProbability).toBeCloseTo(logarithms / sumOf(dense.flat()), 9);
    for (let k = 0; k < K; k++) {
      const total = sumOf(sums[k]);
      close([step.totals[k]], [total]);
      close(
        [...step.topics.data.subarray(k * V, (k + 1) * V)],
        sums[k].map((x) => (x + 0.05) / (total + 0.05 * V)),
      );
    }
  });

  it('leaves a topic without words as it was, and words that no topic has out', () => {
    const few = { ...topics, data: topics.data.slice() };
    few.data.fill(0, 2 * V, 3 * V);
    for (let k = 0; k < K; k++) few.data[k * V] = 0;
    const step = variationalStep(counts, few, alpha, first, 3);
    expect([...step.topics.data.subarray(2 * V)]).toEqual(Array(V).fill(0));
    expect(step.totals[2]).toBe(0);
    expect(Number.isFinite(step.logProbability)).toBe(true);
    for (const value of step.mixtures.data) expect(Number.isFinite(value)).toBe(true);
  });

  it('settles a document in one round where it stands still', () => {
    const reader = documentReader(counts, topics, alpha);
    const gamma = Float64Array.from(gammaOf(variationalStep(counts, topics, alpha, first, 500).mixtures, 0));
    const before = [...gamma];
    expect(reader.settle(0, gamma, 1000)).toBe(sumOf(dense[0]));
    close([...gamma], next(0, before));
  });
});
