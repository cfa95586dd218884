/** Part of the quick form of every experiment that generates its own data must show what it claims. */
import { describe, expect, it } from 'vitest';
import type { Experiment, Point } from '#src/experiments/framework/experiment.ts';
import { runExperiment } from '#src/experiments/framework/run.ts';
import { summarise } from '#src/experiments/framework/summary.ts';
import { experiments } from '#src/experiments/index.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

export interface Part {
  readonly trials: number;
  /** Which points of the quick grid; default: all. */
  readonly where?: (point: Point) => boolean;
  /** Smaller points to use instead. */
  readonly points?: readonly Point[];
  /** Claims known to fail here or to need other points, by part of their text. */
  readonly without?: readonly string[];
}

/** Parameters that bound the effort may be smaller in the quick grid. */
const EFFORT = { sweeps: 0, limit: 0 };

/** Seeds are fixed: with few trials, a claim about most trials may fail for other seeds. */
export function describeParts(group: string, parts: Readonly<Record<string, Part>>): void {
  const scratch = scratchDirectory();
  const own = experiments.filter((experiment) => experiment.group === group && !experiment.data);

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

    it('has points with all parameters in both grids; the quick grid is part of the full one, up to effort', () => {
      for (const { points } of [experiment.full, experiment.quick]) {
        for (const point of points) expect(Object.keys(point).sort()).toEqual([...experiment.parameters].sort());
      }
      const key = (point: Point) => JSON.stringify(Object.entries({ ...point, ...EFFORT }).sort());
      const full = new Set(experiment.full.points.map(key));
      expect(experiment.quick.points.filter((point) => !full.has(key(point)))).toEqual([]);
    });

    it('has a different text for every claim', () => {
      const { claims }: Experiment = experiment;
      expect(new Set(claims.map(({ words }) => words)).size).toBe(claims.length);
    });
  });
}
