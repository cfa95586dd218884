/** Samples held out are not learned from, and are evaluated as by `evaluate`; several starts give the best of them. */
import { describe, expect, it } from 'vitest';
import { type Matrix64, selectRows } from '#src/core/matrix.ts';
import { pcaAtoms } from '#src/dictionaries/pca.ts';
import type { RunOptions } from '#src/engine/run.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { rangesInWhole } from '#src/engine/source/views.ts';
import type { Progress } from '#src/engine/stop.ts';
import { holdOut } from '#src/learn/holdout.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import { agreement } from '#src/metrics/agreement.ts';
import { evaluate } from '#src/metrics/evaluate.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { topResiduals } from '#src/metrics/top-residual.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { testSeed } from '../helpers/seed.ts';
import { memoryStore } from '../helpers/store.ts';

const seed = testSeed(41);
const { samples, atoms } = generate({ samples: 1500, features: 9, theta: 0.3, noise: 0.2, seed });
/** Ends in different places: few samples without structure. */
const loose = generate({ samples: 120, features: 12, theta: 1, seed }).samples;

function rowsOf(side: 'learned' | 'held', held: number): Matrix64 {
  const rows = side === 'held' ? held : samples.rows - held;
  const ranges = rangesInWhole(0, rows, samples.rows, { held, side });
  const numbers = ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));
  return selectRows(samples, numbers);
}

describe('samples held out', () => {
  const held = 150;

  it('are not learned from, and judged beside principal components of the others', async () => {
    const { holdout, samples: count, dictionary } = await learn(samples, { holdout: 0.1, seed, center: true });
    const alone = await learn(rowsOf('learned', held), { seed, center: true });
    expect(count).toBe(1350);
    expect(dictionary.atoms).toEqual(alone.dictionary.atoms);
    const expected = await evaluate(dictionary, rowsOf('held', held));
    expect(holdout).toMatchObject({
      samples: held,
      pcaOf: 'learned samples',
      model: expected.model,
      dct: expected.dct,
    });
  });

  it('have no part in the principal components', async () => {
    const { holdout } = await learn(samples, { holdout: 0.1, method: 'pca' });
    const expected = topResiduals(rowsOf('held', held), await pcaAtoms(rowsOf('learned', held)), [1, 2, 5]);
    expect(holdout?.pca?.missing).toEqual(expected.map((value) => expect.closeTo(value, 10)));
    expect(holdout?.model.missing).toEqual(expected.map((value) => expect.closeTo(value, 10)));
  });

  it('work for a method that does the whole job', async () => {
    const few = generateHouseholder({ samples: 400, features: 20, theta: 0.3, reflectors: 1, seed });
    const { holdout } = await learn(few.samples, { method: 'householder', reflectors: 1, holdout: 0.5 });
    expect(holdout?.samples).toBe(200);
    expect(holdout!.model.codesFor99).toBeLessThan(holdout!.pca!.codesFor99 / 2);
  });

  it.each([3, 700, 1499])('are checked before the work: NaN in row %i is reported as that', async (row) => {
    const data = Float64Array.from(samples.data);
    data[row * 9 + 2] = Number.NaN;
    const broken = { ...memorySource({ rows: 1500, cols: 9, data }), locator: undefined };
    await expect(learn(broken, { holdout: 0.3 })).rejects.toThrow(`got NaN at row ${row}, column 2`);
  });

  it('are those of holdOut, and judged so by evaluate', async () => {
    const { holdout, dictionary } = await learn(samples, { holdout: 0.1, seed });
    const { learned, heldOut } = holdOut(samples, 0.1);
    expect(await evaluate(dictionary, heldOut, { learned })).toEqual(holdout);
    expect(() => holdOut(samples, 0.6)).toThrow('holdOut: share must be a number above 0, at most 0.5; got 0.6');
    await expect(evaluate(dictionary, heldOut, { learned: 'no' as never })).rejects.toThrow(
      'evaluate: learned must be a matrix or a source',
    );
    const wider = generate({ samples: 20, features: 10, theta: 0.5, seed }).samples;
    await expect(evaluate(dictionary, heldOut, { learned: wider })).rejects.toThrow('evaluate: learned must');
  });

  it('leave samples to learn from', async () => {
    await expect(learn({ rows: 1, cols: 1, data: Float64Array.of(1) }, { holdout: 0.5 })).rejects.toThrow(
      'at least two',
    );
    await expect(learn(samples, { holdout: 0.6 })).rejects.toThrow('holdout must be a number above 0, at most 0.5');
  });
});

describe('several starts', () => {
  const options = { starts: 3, refine: 'none', maxIterations: 15 } as const;

  it('give the best of the runs from each, and count the atoms they share', async () => {
    const found = await learn(loose, { ...options, seed: 5 });
    const runs: LearnResult[] = [];
    for (const own of [5, 6, 7]) runs.push(await learn(loose, { ...options, starts: 1, seed: own }));
    const objectives = runs.map(({ objective }) => objective);
    const best = runs[objectives.indexOf(Math.max(...objectives))];
    expect(found.starts?.map(({ objective }) => objective)).toEqual(objectives);
    expect(found.starts?.map(({ kept }) => kept)).toEqual(runs.map((run) => run === best));
    expect([found.dictionary.atoms, found.iterations]).toEqual([best.dictionary.atoms, best.iterations]);
    const others = runs.filter((run) => run !== best).map(({ dictionary }) => dictionary.atoms);
    expect(found.agreement).toEqual(agreement(best.dictionary.atoms, others));
    expect(found.agreement!.byAll).toBeLessThan(12);
  });

  it('prefer one that was refined: truer atoms have a lower objective', async () => {
    const noisy = generate({ samples: 3000, features: 16, theta: 0.3, noise: 0.08, seed: 20 });
    const { starts, dictionary, refined } = await learn(noisy.samples, { starts: 3, fallback: 'none' });
    expect(starts?.map(({ refined, kept }) => [refined, kept])).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    expect(refined).toBe(true);
    expect(starts![1].objective).toBeGreaterThan(starts![2].objective);
    const other = await learn(noisy.samples, { seed: 1, fallback: 'none' });
    const error = (found: LearnResult['dictionary']) => recoveryError(found.atoms, noisy.atoms);
    expect(error(dictionary)).toBeLessThan(0.5 * error(other.dictionary));
  });

  it('agree on a dictionary that is there', async () => {
    const { agreement, dictionary } = await learn(samples, { starts: 2, seed });
    expect(agreement).toEqual({ atoms: 9, byAll: 9, found: new Array(9).fill(2) });
    expect(matchAtoms(dictionary.atoms, atoms).matched).toBe(9);
  });

  it('do not count directions in which the samples have no energy', async () => {
    const flat = { ...loose, data: loose.data.map((value, i) => (i % 12 < 2 ? 0 : value)) };
    expect((await learn(flat, options)).agreement?.atoms).toBe(10);
  });

  it('go on after an interruption as if there had been none', async () => {
    const whole = await learn(loose, options);
    const steps = whole.starts!.reduce((sum, { iterations }) => sum + iterations, 0);
    for (let k = 2; k < steps; k += 9) {
      const checkpoint = memoryStore();
      const first = await learn(loose, options, { checkpoint, ...abortAfter(k) });
      expect(first.status).toBe('aborted');
      const resumed = await learn(loose, options, { checkpoint, resume: true });
      expect([resumed.dictionary.atoms, resumed.starts, resumed.agreement, resumed.passes]).toEqual([
        whole.dictionary.atoms,
        whole.starts,
        whole.agreement,
        whole.passes,
      ]);
    }
  });

  it('tell which one a step belongs to, and the seconds spent, those before a resume included', async () => {
    const checkpoint = memoryStore();
    const seen: Progress[] = [];
    const onProgress = (progress: Progress) => progress.iteration > 0 && seen.push(progress);
    const aborting = abortAfter(20);
    await learn(loose, options, {
      checkpoint,
      signal: aborting.signal,
      onProgress: (progress) => {
        onProgress(progress);
        aborting.onProgress!(progress);
      },
    });
    await learn(loose, options, { checkpoint, resume: true, onProgress });
    const numbers = seen.map(({ start }) => start!.number);
    expect([...new Set(numbers)]).toEqual([1, 2, 3]);
    expect(seen.every(({ start }) => start!.of === 3)).toBe(true);
    expect(seen.every(({ spent }, k) => k === 0 || spent! >= seen[k - 1].spent!)).toBe(true);
  });

  it('go on from a checkpoint with more or fewer of them, but not with another share held out', async () => {
    const checkpoint = memoryStore();
    await learn(loose, options, { checkpoint, ...abortAfter(3) });
    const resumed = (other: { starts?: number; holdout?: number }) =>
      learn(loose, { ...options, ...other }, { checkpoint, resume: true });
    await expect(resumed({ holdout: 0.1 })).rejects.toThrow('got another holdout (not set there, 0.1 here)');
    for (const starts of [2, 4]) {
      const { dictionary } = await resumed({ starts });
      const { dictionary: atOnce } = await learn(loose, { ...options, starts });
      expect(dictionary.atoms).toEqual(atOnce.atoms);
    }
  });

  it('are refused where there is one start only', async () => {
    const given = learn(samples, { starts: 2, start: atoms });
    await expect(given).rejects.toThrow('starts must be given without start; got both');
    for (const method of ['pca', 'dct', 'householder'] as const) {
      const options = { method, starts: 2 };
      await expect(learn(samples, options)).rejects.toThrow('starts must be given with another method');
    }
  });
});

/** Aborts after `k` steps, counted over all starts. */
function abortAfter(k: number): Pick<RunOptions, 'signal' | 'onProgress'> {
  const controller = new AbortController();
  let steps = 0;
  return {
    signal: controller.signal,
    onProgress: ({ iteration }) => {
      if (iteration > 0 && ++steps === k) controller.abort(new Error('interrupted'));
    },
  };
}

describe('an evaluation of the samples held out', () => {
  it('that is cut off can be taken up again', async () => {
    const checkpoint = memoryStore();
    const controller = new AbortController();
    const options = { holdout: 0.2, seed } as const;
    const stopping: RunOptions = {
      signal: controller.signal,
      onProgress: ({ solver }) => {
        if (solver === 'evaluate') controller.abort(new Error('interrupted'));
      },
    };
    const first = await learn(samples, options, { checkpoint, ...stopping });
    expect([first.status, first.holdout]).toEqual(['aborted', undefined]);
    const steps: string[] = [];
    const onProgress: RunOptions['onProgress'] = ({ solver }) => void steps.push(solver);
    const resumed = await learn(samples, options, { checkpoint, resume: true, onProgress });
    expect(steps).toEqual(['evaluate']);
    expect(resumed.holdout).toEqual((await learn(samples, options)).holdout);
  });
});
