import { describe, expect, it } from 'vitest';
import { Quadrature } from '#src/models/householder/quadrature.ts';

const normal = (x: number, mean: number, deviation: number) =>
  Math.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI));

describe('Quadrature', () => {
  it.each([1, 1e-3, 1e-6])('finds a peak of width %d between its nodes', (deviation) => {
    const nodes = new Quadrature((x) => -0.5 * ((x - 0.123) / deviation) ** 2);
    for (let g = 0; g <= 20; g++) nodes.add(-10 + g);
    const integral = Math.exp(nodes.integrate());
    const ratio = integral / (deviation * Math.sqrt(2 * Math.PI));
    expect(Math.abs(ratio - 1)).toBeLessThan(0.25); // no node has more than .3 of it
    expect(Math.abs(nodes.centre(0) - 0.123)).toBeLessThan(0.25 * deviation);
  });

  it('centres two peaks by the fourth power of the distance', () => {
    const nodes = new Quadrature((x) => Math.log(0.8 * normal(x, 0, 0.01) + 0.2 * normal(x, 1, 0.01) + 1e-300));
    for (let g = 0; g <= 20; g++) nodes.add(-2 + g / 5);
    nodes.addPeak(0.001, 0.01);
    nodes.addPeak(1.001, 0.01);
    nodes.integrate();
    expect(Math.abs(nodes.centre(0.2) - 1 / (1 + Math.cbrt(4)))).toBeLessThan(0.05); // .8 a³ = .2 (1 − a)³
  });
});
