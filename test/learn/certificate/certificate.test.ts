/** Both sides of every rule and constant of the certificate, on codes made for it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matrix64, type Precision, range, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { CERTIFICATE, certificate, digitsOf } from '#src/learn/certificate/certificate.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(31);
const kernels = fastKernels;

/** Codes of K atoms (rows) in samples (columns), given by sample. */
function codesOf(samples: readonly (readonly number[])[]): Matrix64 {
  const K = samples[0].length;
  const codes = zeros(K, samples.length);
  samples.forEach((sample, j) => {
    sample.forEach((code, i) => {
      codes.data[i * samples.length + j] = code;
    });
  });
  return codes;
}

/** Why each atom is refused; undefined: certified. */
const refusals = (samples: readonly (readonly number[])[], precision: Precision = 'f64') =>
  certificate(codesOf(samples), { kernels, precision }).map(({ refusal }) => refusal);
/** Why the first atom is refused; undefined: certified. */
const refusal = (samples: readonly (readonly number[])[], precision?: Precision) => refusals(samples, precision)[0];

/** Source of normal numbers, none near zero. */
function normals(purpose: string, from = seed): () => number {
  const random = createRandom(from, purpose);
  return () => {
    const x = random.normal();
    return x + Math.sign(x) * 0.1;
  };
}

const K = 6;
/** Samples in which a code is not zero with probability `density`. */
function sparse(count: number, { density = 0.4, atoms = K, from = seed } = {}): number[][] {
  const normal = normals('codes', from);
  const random = createRandom(from, 'support');
  return range(count).map(() => range(atoms).map(() => (random.uniform() < density ? normal() : 0)));
}
/** Samples without the first atom, and with all others. */
const without = (count: number, normal = normals('without')): number[][] =>
  range(count).map(() => [0, ...range(K - 1).map(normal)]);
/** Samples with the first atom and no other but one. */
const alone = (count: number, normal = normals('alone')): number[][] =>
  range(count).map((j) => [normal(), ...range(K - 1).map((k) => (k === j % (K - 1) ? normal() : 0))]);

describe('atoms are certified', () => {
  it('in sparse data, with every digit that zeros at rounding level tell', () => {
    const verdicts = certificate(codesOf(sparse(100)), { kernels });
    for (const { error } of verdicts) expect(digitsOf(error!)).toBeGreaterThanOrEqual(13);
  });

  it('from K + 2 samples that hold the hyperplane, and from no fewer', () => {
    // two of so few may happen to be nearly parallel where the others cannot see it
    const held = (by: number) =>
      range(5).map((k) => refusal([...without(by, normals('held', seed + k)), ...alone(30)]));
    expect(held(K + 2)).toContain(undefined);
    expect(new Set(held(K + 1))).toEqual(new Set(['undetermined']));
  });

  it('whatever the scale of the codes, the order and the signs of the atoms', () => {
    const samples = sparse(60);
    const expected = refusals(samples);
    expect(expected).toEqual(new Array(K).fill(undefined));
    for (const scale of [1e-120, 1e120]) {
      expect(refusals(samples.map((sample) => sample.map((code) => code * scale)))).toEqual(expected);
    }
    expect(refusals(samples.map((sample) => [...sample].reverse().map((code) => -code)))).toEqual(expected);
  });
});

describe('a code is zero below its limit', () => {
  const hold = without(K + 2, normals('hold', 31)); // of which no two are nearly parallel
  // a code as a share of the limit in the first sample that holds the hyperplane
  const leaking = (share: number, precision: Precision) => {
    const size = Math.hypot(...hold[0]);
    const leak = share * (CERTIFICATE.zero[precision] / Math.sqrt(K)) * size;
    return [[leak, ...hold[0].slice(1)], ...hold.slice(1), ...alone(30)];
  };

  it.each(['f32', 'f64'] as const)('relative to its sample, in %s', (precision) => {
    expect(CERTIFICATE.zero).toEqual({ f32: 1e-6, f64: 1e-8 });
    expect(refusal(leaking(0.99, precision), precision)).toBeUndefined();
    expect(refusal(leaking(1.01, precision), precision)).toBe('imprecise'); // one of K + 2 zeros is only nearly zero
    expect(refusal(leaking(1.01 * CERTIFICATE.nearlyZero, precision), precision)).toBe('undetermined');
  });

  it('and zeros that leak cost digits', () => {
    const [exact, leaky] = [[...hold, ...alone(30)], leaking(0.9, 'f64')].map((samples) => {
      return certificate(codesOf(samples), { kernels })[0].error!;
    });
    expect(exact).toBeLessThan(1e-12);
    expect(leaky).toBeGreaterThan(1e-9);
  });
});

describe('an atom is refused for want of', () => {
  it('energy', () => {
    const faint = (share: number) => {
      const samples = sparse(60);
      const energy = (k: number) => samples.reduce((sum, sample) => sum + sample[k] ** 2, 0);
      const mean = range(K).reduce((sum, k) => sum + (k === 0 ? 0 : energy(k)), 0) / K;
      const factor = Math.sqrt((share * CERTIFICATE.leastEnergy * mean) / energy(0));
      return samples.map(([first, ...others]) => [first * factor, ...others]);
    };
    expect(refusal(faint(1.1))).toBeUndefined();
    expect(refusal(faint(0.9))).toBe('no energy');
  });

  it('samples that use it', () => {
    const used = (times: number) => [...sparse(60).map(([, ...others]) => [0, ...others]), ...alone(times)];
    expect(CERTIFICATE.fewestCodes).toBe(3);
    expect(refusal(used(3))).toBeUndefined();
    expect(refusal(used(2))).toBe('no energy');
  });

  it('zeros', () => {
    const normal = normals('dense');
    expect(refusal(range(60).map(() => range(K).map(normal)))).toBe('no zeros');
    expect(refusal([...without(3), ...alone(40)])).toBe('undetermined');
  });

  it('samples with another atom and not with it', () => {
    const apart = (times: number) => {
      const normal = normals('apart');
      const nested = sparse(80).map(([first, second, ...others]) => [first, first === 0 ? 0 : second, ...others]);
      return [...nested, ...range(times).map(() => [0, normal(), normal(), ...new Array(K - 2).fill(0).slice(1)])];
    };
    expect(CERTIFICATE.fewestApart).toBe(2);
    // what holds two directions by one sample each is refused as well: see the leverages
    expect(refusal(apart(1))).toBe('few zeros');
    expect(refusal(apart(3))).not.toBe('few zeros');
  });

  it('samples beside any two that hold it: leverages below 1', () => {
    const normal = normals('leverage');
    const rest = sparse(200).map(([first, second, third, ...others]) =>
      first === 0 ? [0, 0, 0, ...others] : [first, second, third, ...others],
    );
    // `by` samples determine the directions of the second and the third atom
    const held = (by: number) => [...rest, ...range(by).map(() => [0, ...range(K - 1).map(normal)])];
    for (const by of [2, 3]) expect(refusal(held(by))).toMatch(/undetermined|shared/);
    expect(refusals(held(40))).not.toContain('undetermined');
  });

  it('samples that differ in direction: tr G⁻¹', () => {
    const nearlyTied = (by: number) => {
      const normal = normals('tied');
      return [...sparse(80)].map(([first, second, third, ...others]) =>
        first === 0 ? [0, second, second * (1 + by * normal()), ...others] : [first, second, third, ...others],
      );
    };
    expect(refusal(nearlyTied(1))).toBeUndefined();
    expect(refusal(nearlyTied(1e-2))).toBeUndefined();
    expect(refusal(nearlyTied(1e-5))).toBe('undetermined');
  });
});

describe('data that is not generic', () => {
  it('counts multiples of a sample once', () => {
    const few = [...without(K + 1), ...alone(30)];
    const repeated = [...few, ...few.map((sample) => sample.map((code) => -2.5 * code))];
    expect(refusal(repeated)).toBe('undetermined');
    const more = [...without(K + 4), ...alone(30)];
    expect(refusal([...more, ...more.map((sample) => sample.map((code) => 0.3 * code))])).toBeUndefined();
  });

  it('counts samples of one atom if no others are repeated', () => {
    const singles = range(40).map((j) => range(K).map((k) => (k === j % K ? 1 + j / 7 : 0)));
    expect(refusals(singles)).not.toContain(undefined);
    expect(refusals([...singles, ...sparse(60)])).toEqual(new Array(K).fill(undefined));
  });

  it('is refused where a value recurs three times, at two signs, and not where two do', () => {
    const recurring = (times: number) => {
      let left = times;
      return sparse(60).map(([first, ...others]) => [
        first !== 0 && left-- > 0 ? (left % 2 ? 1.25 : -1.25) : first,
        ...others,
      ]);
    };
    expect(refusal(recurring(2))).toBeUndefined();
    expect(refusal(recurring(3))).toBe('few values');
  });

  it('is refused where a ratio to another atom recurs three times, and not where two do', () => {
    const tied = (times: number) => {
      let left = times;
      return sparse(80).map(([first, second, ...others]) =>
        first !== 0 && second !== 0 && left-- > 0 ? [first, 1.5 * first, ...others] : [first, second, ...others],
      );
    };
    expect(refusal(tied(2))).toBeUndefined();
    expect(refusal(tied(3))).toBe('few values');
  });

  it('is refused where codes are −1, 0 and 1, also turned by 45°', () => {
    const signs = sparse(400, { density: 0.6 }).map((sample) => sample.map(Math.sign));
    const turned = signs.map(([a, b, ...others]) => [(a + b) / Math.SQRT2, (a - b) / Math.SQRT2, ...others]);
    for (const samples of [signs, turned]) expect(new Set(refusals(samples))).not.toContain(undefined);
  });

  it('is refused where nearly zero codes are more than a tenth of the zeros', () => {
    const smeared = (count: number) => {
      const samples = [...without(20), ...alone(40)];
      return samples.map(([first, ...others], j) => {
        const limit = (CERTIFICATE.zero.f64 / Math.sqrt(K)) * Math.hypot(...others);
        return [j < count ? 50 * limit * (1 + j / 100) : first, ...others];
      });
    };
    expect(refusal(smeared(1))).toBeUndefined(); // 1 of 19
    expect(refusal(smeared(2))).toBe('imprecise'); // 2 of 18
  });

  it('is refused where its zeros are the middle of a noise', () => {
    const normal = normals('noise');
    const noisy = sparse(400).map((sample) => sample.map((code) => code + 3e-8 * normal()));
    expect(new Set(refusals(noisy))).toEqual(new Set(['imprecise']));
  });

  it('is refused where another atom is used by nearly the same samples: φ', () => {
    // four kinds of samples: both atoms, one, the other, none
    const kinds = (both: number, one: number) => {
      const normal = normals('kinds');
      const of = (count: number, first: boolean, second: boolean) =>
        sparse(count, { from: seed + count }).map(([, , ...others]) => [
          first ? normal() : 0,
          second ? normal() : 0,
          ...others,
        ]);
      return [
        ...of(both, true, true),
        ...of(one, true, false),
        ...of(one + 1, false, true),
        ...of(both + 1, false, false),
      ];
    };
    // with a shares of both and of none, φ = 2a − 1/2 … : .5 at three quarters
    expect(refusal(kinds(70, 30))).toBeUndefined();
    expect(refusal(kinds(80, 20))).toBe('shared');
  });

  it('is refused where samples have an offset that the codes do not know', () => {
    const offset = normals('offset');
    const by = range(K).map(offset);
    // a mixture of two atoms whose offset is nothing: its zeros are the samples that use neither
    const [c, s] = [by[1] / Math.hypot(by[0], by[1]), -by[0] / Math.hypot(by[0], by[1])];
    const turned = sparse(300).map((sample) => {
      const [a, b, ...others] = sample.map((code, k) => code + by[k]);
      return [c * a + s * b, -s * a + c * b, ...others];
    });
    expect(new Set(refusals(turned))).not.toContain(undefined);
  });

  it.each(['f32', 'f64'] as const)('is certified to fewer digits than the largest error in %s', (precision) => {
    // zeros that leak, in a loose frame: the bound exceeds what is worth a certificate
    const normal = normals('loose');
    const leak = (others: number[]) => [
      0.5 * (CERTIFICATE.zero[precision] / Math.sqrt(K)) * Math.hypot(...others),
      ...others,
    ];
    const samples = sparse(80).map(([first, second, third, ...others]) =>
      first === 0 ? leak([second, second * (1 + 5e-3 * normal()), ...others]) : [first, second, third, ...others],
    );
    expect(refusal(samples, precision)).toBe(precision === 'f32' ? 'imprecise' : undefined);
  });
});

describe('mixtures', () => {
  it('of true atoms are refused, and the others are certified', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 2, max: 5 }),
        fc.double({ min: 0.1, max: 0.6, noNaN: true }),
        (from, mixed, density) => {
          const atoms = 8;
          const codes = codesOf(sparse(500, { atoms, density, from }));
          const turn = zeros(atoms, atoms);
          const Q = randomOrthogonal(mixed, createRandom(from, 'mixture'));
          for (const i of range(atoms)) {
            for (const k of range(atoms)) {
              turn.data[i * atoms + k] = i < mixed && k < mixed ? Q.data[i * mixed + k] : Number(i === k);
            }
          }
          const verdicts = certificate(kernels.multiply(turn, codes), { kernels });
          const certified = verdicts.map(({ error }) => error !== undefined);
          expect(certified).toEqual(range(atoms).map((i) => i >= mixed));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('turned to hold as many more samples as they can are refused', () => {
    // two atoms turned so that a sample that uses both has a zero
    const samples = sparse(60);
    const both = samples.find(([a, b]) => a !== 0 && b !== 0)!;
    const length = Math.hypot(both[0], both[1]);
    const [c, s] = [both[1] / length, -both[0] / length];
    const turned = samples.map(([a, b, ...others]) => [c * a + s * b, -s * a + c * b, ...others]);
    expect(Math.abs(turned[samples.indexOf(both)][0])).toBeLessThan(1e-12);
    expect(refusal(turned)).not.toBeUndefined();
  });
});

describe('many atoms', () => {
  const many = CERTIFICATE.largestGroup + 6;
  const samples = sparse(700, { atoms: many, density: 0.2 });

  it('are judged in groups of dependent supports', () => {
    expect(new Set(refusals(samples))).toEqual(new Set([undefined]));
    const turned = samples.map(([a, b, ...others]) => [(a + b) / Math.SQRT2, (a - b) / Math.SQRT2, ...others]);
    const [first, second, ...rest] = refusals(turned);
    expect([first, second]).toEqual(['few zeros', 'few zeros']);
    expect(new Set(rest)).toEqual(new Set([undefined]));
  });

  it('are refused where the group is too large: all supports depend on each other', () => {
    const [often, rarely] = [0.5, 0.02].map((density) => sparse(350, { atoms: many, density }));
    expect(new Set(refusals([...often, ...rarely]))).toEqual(new Set(['undetermined']));
  });

  it('need more zeros than a turned atom can have', () => {
    const most = CERTIFICATE.zerosPerAtom * many;
    const normal = normals('few zeros');
    const used = (zerosOfFirst: number) => {
      let left = zerosOfFirst;
      return samples.map(([, ...others]) => [left-- > 0 ? 0 : normal(), ...others]);
    };
    expect(refusal(used(Math.floor(most) + 1))).toBeUndefined();
    expect(refusal(used(Math.floor(most)))).toBe('few zeros');
  });

  it.each([9, 40])('are refused beside %i that hold what they lack', (mixed) => {
    // the first is a mixture of two atoms; the other mixture of the two is spread over further atoms
    const Q = randomOrthogonal(mixed, createRandom(seed, 'spread'));
    const turned = samples.map(([a, b, ...others]) => {
      const spread = [(a - b) / Math.SQRT2, ...others.slice(0, mixed - 1)];
      const turnedSpread = range(mixed).map((i) =>
        range(mixed).reduce((sum, k) => sum + Q.data[i * mixed + k] * spread[k], 0),
      );
      return [(a + b) / Math.SQRT2, ...turnedSpread, ...others.slice(mixed - 1)];
    });
    expect(refusal(turned)).toBe('undetermined');
  });
});

it('digits are those of the largest error, sixteen at most', () => {
  expect([1e-9, 2e-9, 9.9e-10, 1e-4, 0].map(digitsOf)).toEqual([9, 8, 9, 4, 15]);
});
