/** The experiments on exact recovery: their grids, and what they are made of. What they claim: recovery.slow.test.ts. */

import { learn } from 'orthodict';
import { norm, range, referenceKernels, row, transpose, zeros } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { summarise } from '#lab/experiments/framework/summary.ts';
import { bernoulliGaussian, singleThread } from '#lab/experiments/l4/l4-runs.ts';
import { certificate } from '#lab/experiments/recovery/certificate.ts';
import { checkCertificate } from '#lab/experiments/recovery/check-certificate.ts';
import { FAMILIES, familyOf, LAPLACE } from '#lab/experiments/recovery/families.ts';
import { certificateLimit, equationLimit } from '#lab/experiments/recovery/limits.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';
import { describeGrids } from '../claims.ts';

describeGrids('recovery');

it('at the limit of equations, n p (1 − θ) zeros are as many as n (n − 1)/2 unknowns', () => {
  const point = { n: 50, theta: 0.3 };
  expect(point.n * equationLimit(point) * (1 - point.theta)).toBeCloseTo((50 * 49) / 2, 9);
  expect(certificateLimit(point) * (1 - point.theta)).toBeCloseTo(50, 9);
});

describe('checkCertificate', () => {
  it('finds nothing wrong with exact atoms, and all wrong if the truth is another', async () => {
    const seed = testSeed(1);
    const { samples, atoms } = bernoulliGaussian({ n: 20, p: 1000, theta: 0.3 }, seed);
    const executor = await singleThread();
    const result = await learn(samples, { seed }, { executor });
    const check = (truth: typeof atoms) => checkCertificate(result, truth);
    expect(check(atoms)).toEqual({ certified: 20, wrong: 0, stray: 0 });
    expect(check(bernoulliGaussian({ n: 20, p: 1, theta: 0.3 }, seed + 1).atoms)).toEqual({
      certified: 20,
      wrong: 20,
      stray: 20,
    });
  });

  it('says which atoms are wrong if only some are certified', async () => {
    const seed = testSeed(2);
    const { samples, atoms } = bernoulliGaussian({ n: 20, p: 1000, theta: 0.3 }, seed);
    const executor = await singleThread();
    const result = await learn(samples, { seed }, { executor });
    const turned = turnFirstTwo(result.dictionary.atoms.data, 20);
    const claimed = (certified: number) => ({
      ...result,
      dictionary: { ...result.dictionary, atoms: turned },
      // the last ones are certified
      certainty: {
        certified,
        atoms: 20,
        errors: range(20).map((i) => (i < 20 - certified ? undefined : 1e-9)),
        reproducible: false,
      },
    });
    const check = (certified: number) => checkCertificate(claimed(certified), atoms);
    expect(check(18)).toEqual({ certified: 18, wrong: 0, stray: 0 });
    expect(check(19)).toEqual({ certified: 19, wrong: 1, stray: 1 });
  });
});

/** The atoms with the first two mixed evenly. */
function turnFirstTwo(atoms: Float64Array, n: number) {
  const mixed = { ...zeros(n, n), data: Float64Array.from(atoms) };
  for (let j = 0; j < n; j++) {
    const [a, b] = [atoms[j], atoms[n + j]];
    mixed.data[j] = (a + b) * Math.SQRT1_2;
    mixed.data[n + j] = (a - b) * Math.SQRT1_2;
  }
  return mixed;
}

it('Laplacian codes have variance 1 where they are not zero, and a fourth moment of 6', () => {
  const { samples } = familyOf({ n: 1, p: 200_000, theta: 0.5, family: LAPLACE }, testSeed(1));
  const moment = (k: number) => Array.from(samples.data).reduce((sum, x) => sum + x ** k, 0) / (0.5 * samples.rows);
  expect(moment(2)).toBeCloseTo(1, 1); // standard error .008
  expect(Math.abs(moment(4) - 6)).toBeLessThan(1); // standard error .16
});

describe('families of data', () => {
  it('each have words of their own', () => {
    expect(new Set(FAMILIES.map(({ words }) => words)).size).toBe(FAMILIES.length);
  });

  it.each(FAMILIES.map(({ words }, family) => ({ words, family })))('$words', ({ family }) => {
    const point = { n: 8, p: 400, theta: 0.3, family };
    const seed = testSeed(1);
    const { samples, atoms } = familyOf(point, seed);
    expect([samples.rows, samples.cols, atoms.cols]).toEqual([point.p, point.n, point.n]);
    expect(samples.data.every(Number.isFinite)).toBe(true);
    for (const i of range(atoms.rows)) expect(norm(row(atoms, i))).toBeCloseTo(1, 12);
    expect(familyOf(point, seed).samples).toEqual(samples);
    expect(familyOf(point, seed + 1).samples).not.toEqual(samples);
  });

  /** Codes of an orthogonal family. */
  const codesOf = (words: string, theta = 0.3) => {
    const family = FAMILIES.findIndex((each) => each.words === words);
    const { samples, atoms } = familyOf({ n: 8, p: 4000, theta, family }, testSeed(2));
    return referenceKernels.multiply(samples, transpose(atoms));
  };
  const isUsed = (code: number) => Math.abs(code) > 1e-12;

  it('pairs share their samples, and nested atoms are used only with their first', () => {
    const pairs = codesOf('pairs of atoms used by the same samples');
    const nested = codesOf('pairs of atoms of which one is used only with the other');
    for (const j of range(4000)) {
      const [both, inner] = [row(pairs, j), row(nested, j)];
      for (let i = 0; i < 8; i += 2) {
        expect(isUsed(both[i])).toBe(isUsed(both[i + 1]));
        if (isUsed(inner[i + 1])) expect(isUsed(inner[i])).toBe(true);
      }
    }
  });

  it('codes −1, 0, 1 are these, and exactly θn are used where they are counted', () => {
    const signs = codesOf('codes −1, 0, 1').data;
    expect(signs.every((code) => Math.abs(code - Math.round(code)) < 1e-12 && Math.abs(code) < 1.5)).toBe(true);
    const counted = codesOf('exactly θn codes in every sample', 0.5);
    for (const j of range(4000)) expect(row(counted, j).filter(isUsed).length).toBe(4);
  });

  it('outliers are as many and as large as the words say', () => {
    const codes = codesOf('30 % of the samples dense, 10 times as large');
    const dense = range(4000).filter((j) => row(codes, j).every(isUsed));
    expect(Math.abs(dense.length / 4000 - 0.3)).toBeLessThan(0.04); // standard error .007
    const squares = dense.reduce((sum, j) => sum + norm(row(codes, j)) ** 2, 0);
    expect(squares / (8 * dense.length) / 0.3).toBeGreaterThan(90);
    expect(squares / (8 * dense.length) / 0.3).toBeLessThan(110);
  });
});

describe('recovery-certificate', () => {
  const [point] = certificate.quick.points.filter(({ p, n }) => p >= 8 * n);
  const claimsOf = (measured: Readonly<Record<string, number>>) => {
    const trials = [{ trial: 0, seed: 1, point, measured, seconds: 1 }];
    const summary = summarise(certificate, trials);
    const failed = certificate.claims.filter((claim) => claim.check(summary).holds === false);
    return { failed: failed.map(({ words }) => words.split(':')[0]), overview: certificate.overview!(summary) };
  };

  it('fails a claim if a single atom is further off than its certificate says, and counts it', () => {
    const { failed, overview } = claimsOf({ all: 1e-7, certified: 25, wrong: 1, stray: 0 });
    expect(failed).toEqual(['Every certified atom is right']);
    expect(overview).toContain('| all | 1 | 0 | 0 | 1 | 0 | 25 | 1 | – |');
  });

  it('fails a claim if exact runs are not certified, and names the refusal', () => {
    const { failed, overview } = claimsOf({ some: 1e-12, certified: 20, wrong: 0, stray: 0, refusal: 3 });
    expect(failed).toEqual([expect.stringContaining('At least 90 % of the exact runs')]);
    expect(overview).toContain('| all | 1 | 0 | 1 | 0 | 1 | 20 | 0 | few zeros |');
  });

  it('counts runs that learn rejects', async () => {
    const family = FAMILIES.findIndex(({ condition }) => condition === 1e3);
    const point = { family, n: 8, theta: 0.3, p: 4 }; // rank 4
    expect(await certificate.trial(point, testSeed(1), new AbortController().signal)).toEqual({ rejected: 1 });
  });
});
