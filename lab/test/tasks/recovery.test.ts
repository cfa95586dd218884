/** Snapshots of any contender are scored by the objective; contenders take turns, and their times are compared. */

import type { Matrix64 } from 'orthodict';
import { identity } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import type { Contender, Snapshot } from '#lab/contenders/contender.ts';
import type { DataSet, Planted } from '#lab/tasks/recovery/data-sets.ts';
import { plantedData, reachedBy } from '#lab/tasks/recovery/objective.ts';
import { recover } from '#lab/tasks/recovery/recovery.ts';
import { runOnce } from '#lab/tasks/turns.ts';
import { scratchDirectory } from '../../../test/helpers/scratch.ts';
import { testSeed } from '../../../test/helpers/seed.ts';

const scratch = scratchDirectory();
const n = 6;

/** The identity with its first two rows turned by `angle`: 1 − g = (1 − cos⁴ − sin⁴)·2/n. */
function turned(angle: number): Matrix64 {
  const A = identity(n);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  A.data.set([c, s], 0);
  A.data.set([-s, c], n);
  return A;
}
const errorOf = (angle: number) => ((1 - Math.cos(angle) ** 4 - Math.sin(angle) ** 4) * 2) / n;
const angles = [0.7, 0.2, 0.01, 0.05, 0];
const snapshots: Snapshot[] = angles.map((angle, k) => ({ seconds: k + 1, found: { atoms: turned(angle) } }));

const samples = { rows: 10, cols: n, data: new Float64Array(10 * n) };
const sessionOf = (list: readonly Snapshot[]) => ({ description: '', run: async () => list, close: async () => {} });

async function marksOf(list: readonly Snapshot[]) {
  const round = { data: plantedData(samples, identity(n)), file: scratch.file('a.npy'), seed: 1 };
  return (await runOnce(sessionOf(list), round, undefined, 10)).marks;
}

describe('objective', () => {
  it('marks every snapshot with its recovery error, up to sign and order', async () => {
    const shuffled = snapshots.map(({ seconds, found: { atoms } }) => ({
      seconds,
      found: { atoms: { ...atoms, data: atoms.data.map((x) => -x) } },
    }));
    for (const list of [snapshots, shuffled]) {
      const marks = await marksOf(list);
      marks.forEach((mark, k) => {
        expect(mark.seconds).toBe(k + 1);
        expect(Math.abs(mark.score - errorOf(angles[k]))).toBeLessThan(1e-15); // rounding of a sum of n terms
      });
    }
  });

  it('takes the first time the target is reached, or else the smallest error', async () => {
    const marks = await marksOf(snapshots);
    expect(reachedBy(marks, 1).seconds).toBe(1);
    expect(reachedBy(marks, 5e-3).seconds).toBe(3);
    expect(reachedBy(marks, 1e-10)).toMatchObject({ seconds: 5, score: 0 });
    const never = reachedBy(marks.slice(0, 4), 1e-10);
    expect(never.seconds).toBeNull();
    expect(never.score).toBe(marks[2].score);
    expect(reachedBy([], 1)).toEqual({ seconds: null, score: null });
  });

  it('gives non-finite atoms the worst error', async () => {
    const atoms = { rows: n, cols: n, data: new Float64Array(n * n).fill(Number.NaN) };
    expect(await marksOf([{ seconds: 1, found: { atoms } }])).toEqual([{ seconds: 1, passes: null, score: 1 }]);
  });
});

describe('recovery', () => {
  const set: DataSet = { features: n, samples: 10, theta: 0.3, seed: testSeed(1), mostRuns: 3, limitSeconds: 0.2 };
  const data: Planted = { set, file: scratch.file('a.npy'), file32: '', samples, truth: identity(n) };
  const order: string[] = [];

  /** Its k-th run takes factors[k] times as long. */
  function contender(name: string, about: Partial<Contender>, factors: number[], list = snapshots) {
    const full: Contender = {
      name,
      ours: false,
      open: async () => ({ missing: 'never opened' }),
      ...about,
    };
    let run = 0;
    const session = {
      description: '',
      run: async () => {
        order.push(name);
        const factor = factors[run++];
        return list.map(({ seconds, found }) => ({ seconds: seconds * factor, found }));
      },
      close: async () => {},
    };
    return { contender: full, session };
  }

  it('lets contenders take turns, and compares best and median', async () => {
    const opened = [
      contender('ours', { ours: true, targeted: true }, [1, 1, 3, 3, 2, 2]),
      contender('other', {}, [40, 10, 20]),
      contender('coarse', {}, [1, 1, 1], snapshots.slice(0, 3)),
      contender('too large', { excuse: () => 'too large' }, []),
    ];
    const { results, ratios, curves } = await recover(opened, data, { targets: [5e-3, 1e-10], rounds: 5 });
    const round = ['ours', 'ours', 'other', 'coarse'];
    expect(order).toEqual([...round, ...round, ...round]);
    const of = (name: string, target: number) => results.find((r) => r.contender === name && r.target === target)!;
    expect(of('ours', 5e-3)).toMatchObject({ seconds: 3, medianSeconds: 6, runs: 3 });
    expect(of('other', 1e-10)).toMatchObject({ seconds: 50, medianSeconds: 100, error: 0 });
    expect(of('coarse', 1e-10)).toMatchObject({ seconds: null, reason: expect.stringMatching(/^ended at error /) });
    expect(of('too large', 5e-3)).toMatchObject({ seconds: null, error: null, runs: 0, reason: 'too large' });
    expect(ratios.find(({ other, target }) => other === 'other' && target === 5e-3)).toMatchObject({
      best: 10,
      median: 10,
    });
    expect(ratios.some(({ other, target }) => other === 'coarse' && target === 1e-10)).toBe(false);
    const seconds = (name: string) =>
      curves.find(({ contender }) => contender === name)!.marks.map((mark) => mark.seconds);
    expect(seconds('other')).toEqual([20, 40, 60, 80, 100]); // the run in the middle
    expect(seconds('ours')).toHaveLength(2 * snapshots.length); // one for each target
    expect(seconds('too large')).toEqual([]);
  });

  it('stops a run at its time limit, reports a failure, and repeats neither', async () => {
    const slow = contender('slow', {}, []);
    let asked = 0;
    const hanging = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    slow.session.run = (async (task: { signal: AbortSignal }) => {
      asked++;
      return hanging(task.signal);
    }) as never;
    const failing = contender('failing', {}, []);
    failing.session.run = async () => {
      throw new Error('no such thing');
    };
    const { results } = await recover([slow, failing], data, { targets: [1e-10], rounds: 2 });
    expect(asked).toBe(1);
    expect(results.map(({ reason }) => reason)).toEqual(['did not finish within 0.2 s', 'no such thing']);
  });
});
