/** Closed-form angles against every angle of a fine grid. */
import { describe, expect, it } from 'vitest';
import { copy, fromRows, type Matrix64, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { planeSums, rotateRows } from '#src/kernels/planes.ts';
import { cubicRotation } from '#src/rotations/cubic-angle.ts';
import { l4Rotation } from '#src/rotations/l4-objective.ts';
import { testSeed } from '../helpers/seed.ts';

const random = createRandom(testSeed(71), 'angles');
const GRID = 20_000;

function bruteForce(f: (angle: number) => number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < GRID; k++) best = Math.max(best, f((2 * Math.PI * k) / GRID));
  return best;
}

describe('cubic form', () => {
  const form = (a: number, b: number, e: number, f: number) => (angle: number) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return a * c ** 3 + 3 * b * c * c * s + 3 * e * c * s * s + f * s ** 3;
  };
  const special = [
    [1, 0, 0, 0],
    [0, 0, 0, 1],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [2, 0, 0, 0.5],
    [0, 0, 0, 0],
    [-1, 0, 0, 0],
    [1, 1e-9, 0, 0.3],
    [1, 0, 1e-12, 0.3],
    [1, -1, -1, 1],
  ];
  const drawn = Array.from({ length: 60 }, () => [0, 0, 0, 0].map(() => random.normal() * 10 ** (3 * random.normal())));
  it.each([...special, ...drawn])('%d c³ + 3·%d c²s + 3·%d cs² + %d s³', (a, b, e, f) => {
    const g = form(a, b, e, f);
    const { angle, gain, slope } = cubicRotation(a, b, e, f);
    const size = Math.abs(a) + Math.abs(b) + Math.abs(e) + Math.abs(f);
    expect(g(angle)).toBeGreaterThanOrEqual(bruteForce(g) - 1e-13 * size);
    expect(Math.abs(g(angle) - g(0) - gain)).toBeLessThanOrEqual(1e-13 * size);
    expect(gain).toBeGreaterThanOrEqual(0);
    expect(Math.abs(slope - (g(1e-6) - g(-1e-6)) / 2e-6)).toBeLessThanOrEqual(1e-8 * size); // central difference
  });

  it('finds small angles to full relative precision', () => {
    for (const tilt of [1e-3, 1e-6, 1e-9, 1e-12]) {
      // 2c³ turned by a tilt
      const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
      const { angle } = cubicRotation(2 * c ** 3, 2 * c * c * s, 2 * c * s * s, 2 * s ** 3);
      expect(Math.abs(angle / tilt - 1)).toBeLessThan(1e-6);
    }
  });

  it('finds flat maxima to rounding: the slope there is zero', () => {
    for (let trial = 0; trial < 2000; trial++) {
      const flat = [1, 0.01 * random.normal(), 0.45 + 0.05 * random.normal(), 0.1 * random.normal()] as const; // 2e ≈ a
      const { angle, gain } = cubicRotation(...flat);
      if (gain < 1e-6) continue; // a small step to the nearest maximum, not the maximum
      const [a, b, e, f] = flat;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const slope = 3 * (c * c * (b * c + (2 * e - a) * s) + s * s * ((f - 2 * b) * c - e * s));
      expect(Math.abs(slope)).toBeLessThan(1e-14);
    }
  });
});

describe('quartic of codes', () => {
  const best = (codes: Matrix64) => l4Rotation(planeSums(codes, 0, 1, 'quartic'), 'f64');
  const l4 = ({ data }: Matrix64) => data.reduce((sum, x) => sum + x ** 4, 0);
  const turned = (codes: Matrix64, angle: number) => {
    const out = copy(codes);
    rotateRows(out, 0, 1, Math.cos(angle), Math.sin(angle));
    return l4(out);
  };
  it.each([1, 2, 5, 40])('of %d samples', (p) => {
    for (let trial = 0; trial < 5; trial++) {
      const codes = normalMatrix(2, p, random);
      const { angle, gain, slope } = best(codes);
      const reached = turned(codes, angle);
      for (let k = 0; k < 2000; k++) {
        expect(turned(codes, (Math.PI * k) / 2000)).toBeLessThanOrEqual(reached * (1 + 1e-13));
      }
      expect(Math.abs(reached - l4(codes) - gain)).toBeLessThan(1e-12 * reached);
      expect(Math.abs(slope - (turned(codes, 1e-6) - turned(codes, -1e-6)) / 2e-6)).toBeLessThan(1e-7 * reached);
      expect(Math.abs(angle)).toBeLessThanOrEqual(Math.PI / 4 + 1e-15);
    }
  });

  it('does not rotate codes that are the same at every angle', () => {
    const angles = Array.from({ length: 16 }, (_, k) => (2 * Math.PI * k) / 16);
    expect(best(fromRows([angles.map(Math.cos), angles.map(Math.sin)])).angle).toBe(0);
    expect(best(zeros(2, 2)).angle).toBe(0);
  });
});
