/** What the experiments of a paper that make their own data have in common: sound grids, and claims that a part of them shows. */
import { describe, expect, it } from 'vitest';
import type { Experiment, Point } from '#lab/experiments/framework/experiment.ts';
import { summarise } from '#lab/experiments/framework/summary.ts';
import { experiments } from '#lab/experiments/index.ts';
import { scratchDirectory } from '../../../test/helpers/scratch.ts';
import { testSeed } from '../../../test/helpers/seed.ts';
import { runExperiment } from './run-experiment.ts';

export interface Part {
  readonly trials: number;
  /** Which points of the quick grid; default: all. */
  readonly where?: (point: Point) => boolean;
  /** Smaller points to use instead. */
  readonly points?: readonly Point[];
  /** Claims known to fail here or to need other points, each by a part of its text; all claims that have it are left out. */
  readonly without?: readonly string[];
}

/** Parameters that bound the effort may be smaller in the quick grid. */
const EFFORT = { sweeps: 0, limit: 0 };

const experimentsOf = (group: string): readonly Experiment[] =>
  experiments.filter((experiment) => experiment.group === group && !experiment.data);

/** The claims are those of fixed seeds: of a few trials a claim about most may fail. */
export function describeClaims(group: string, parts: Readonly<Record<string, Part>>): void {
  const scratch = scratchDirectory();
  const own = experimentsOf(group);

  it('leaves out claims that exist', () => {
    const unknown = own.flatMap(({ name, claims }) =>
      (parts[name]?.without ?? [])
        .filter((part) => !claims.some(({ words }) => words.includes(part)))
        .map((part) => `${name}: ${part}`),
    );
    expect(unknown).toEqual([]);
  });

  it('covers every experiment of the paper', () => {
    expect(Object.keys(parts).sort()).toEqual(own.map(({ name }) => name).sort());
  });

  describe.each(own.map((experiment) => ({ name: experiment.name, experiment })))('$name', ({ name, experiment }) => {
    it('shows what it claims', async () => {
      const { trials, where = () => true, points, without = [] } = parts[name];
      const quick = { ...experiment.quick, points: points ?? experiment.quick.points.filter(where) };
      const options = { quick: true, trials, seed: testSeed(1) };
      const measured = await runExperiment({ ...experiment, quick }, options, { csv: scratch.file(`${name}.csv`) });
      const summary = summarise(experiment, measured);
      const failed = experiment.claims
        .map((claim) => ({ words: claim.words, ...claim.check(summary) }))
        .filter(({ words, holds }) => holds !== true && !without.some((part) => words.includes(part)));
      expect(failed).toEqual([]);
    });
  });
}

export function describeGrids(group: string): void {
  const own = experimentsOf(group);

  describe.each(own.map((experiment) => ({ name: experiment.name, experiment })))('$name', ({ experiment }) => {
    it('has points with all parameters in both grids, and the quick one is a part of the full one but for its effort', () => {
      for (const { points } of [experiment.full, experiment.quick]) {
        for (const point of points) expect(Object.keys(point).sort()).toEqual([...experiment.parameters].sort());
      }
      const key = (point: Point) => JSON.stringify(Object.entries({ ...point, ...EFFORT }).sort());
      const full = new Set(experiment.full.points.map(key));
      expect(experiment.quick.points.filter((point) => !full.has(key(point)))).toEqual([]);
    });

    it('has different words for every claim', () => {
      const { claims } = experiment;
      expect(new Set(claims.map(({ words }) => words)).size).toBe(claims.length);
    });
  });
}
