/** The loop with a solver that counts: each rule alone, combinations, abort, positions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IterateOptions, iterate, type Outcome, type Position } from '#src/engine/iterate.ts';
import type { Solver } from '#src/engine/solver.ts';
import { whole } from '#src/engine/state-shape.ts';
import {
  type Progress,
  STALL_STEPS,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
} from '#src/engine/stop.ts';

type Count = { readonly count: number };

/** Step k moves by 2^−k and has the objective `objective(k)`. */
function counter(objective: (k: number) => number = (k) => k, onStep: (k: number) => void = () => {}): Solver<Count> {
  return {
    name: 'counter',
    shape: { count: whole() },
    init: async () => ({ count: 0 }),
    async step({ count }) {
      onStep(count + 1);
      return { count: count + 1 };
    },
    report: ({ count }) => ({ objective: objective(count), change: 2 ** -count }),
  };
}

async function drive(
  solver: Solver<Count>,
  options: Partial<IterateOptions<Count>>,
): Promise<{ outcome: Outcome<Count>; seen: Progress[] }> {
  const steps = iterate(solver, { stop: [], samplesPerStep: 100, ...options });
  const seen: Progress[] = [];
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return { outcome: value, seen };
    seen.push(value);
  }
}

describe('stopping rules', () => {
  it('stops after the maximum number of iterations: exhausted', async () => {
    const { outcome, seen } = await drive(counter(), { stop: [stopAfterIterations(7)] });
    expect(outcome).toEqual({
      state: { count: 7 },
      iterations: 7,
      status: 'exhausted',
      code: 'iterations',
      reason: '7 iterations',
    });
    expect(seen.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('stops when the atoms move by no more than the tolerance: converged', async () => {
    const { outcome } = await drive(counter(), { stop: [stopWhenChangeBelow(2 ** -5)] });
    expect(outcome).toMatchObject({ iterations: 5, status: 'converged' });
    expect(outcome.reason).toMatch(/^change 3\.1e-2 ≤ 0\.03125$/);
  });

  it('stops when the objective has not risen over several steps, not at the first pause', async () => {
    const pausing = (k: number) => (k < 10 ? Math.floor(k / STALL_STEPS) + 1 : 4);
    const { outcome } = await drive(counter(pausing), { stop: [stopWhenObjectiveStalls(1e-8)] });
    expect(outcome).toMatchObject({ iterations: 9 + STALL_STEPS, status: 'converged' });
  });

  it('does not mistake a fall of the objective for a rise, and waits for enough steps', async () => {
    const { outcome } = await drive(
      counter((k) => -k),
      { stop: [stopWhenObjectiveStalls(0)] },
    );
    expect(outcome.iterations).toBe(STALL_STEPS + 1);
  });

  it('stops after a given time', async () => {
    const slow = { ...counter(), step: async ({ count }: Count) => sleep(15).then(() => ({ count: count + 1 })) };
    const { outcome, seen } = await drive(slow, { stop: [stopAfterSeconds(0.04), stopAfterIterations(10_000)] });
    expect(outcome).toMatchObject({ status: 'exhausted', reason: '0.04 seconds' });
    expect(seen[seen.length - 1].seconds).toBeGreaterThanOrEqual(0.04);
    expect(seen[seen.length - 2]?.seconds ?? 0).toBeLessThan(0.04);
  });

  it('stops by the first of several rules, in their order if several apply', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), async (limit, bits) => {
        const rules = [stopWhenChangeBelow(2 ** -bits), stopAfterIterations(limit)];
        const { outcome } = await drive(counter(), { stop: rules });
        expect(outcome.iterations).toBe(Math.min(limit, bits));
        expect(outcome.status).toBe(bits <= limit ? 'converged' : 'exhausted');
      }),
    );
  });
});

describe('progress', () => {
  it('reports the solver, objective, change and rate', async () => {
    const { seen } = await drive(counter(), { stop: [stopAfterIterations(6)] });
    expect(seen[5]).toMatchObject({ solver: 'counter', iteration: 6, objective: 6, change: 2 ** -6 });
    expect(seen[5].recentObjectives).toEqual([3, 4, 5, 6]);
    for (const { samplesPerSecond, seconds } of seen) {
      expect(samplesPerSecond).toBeGreaterThan(0);
      expect(seconds).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('progress of a solver', () => {
  it('has its atoms where it tells them, in its current scale', async () => {
    const asked: unknown[] = [];
    const atoms = ({ count }: Count, wanted: boolean) => {
      asked.push(wanted);
      return { rows: 1, cols: 1, data: Float64Array.of(count) };
    };
    const { seen } = await drive({ ...counter(), atoms } as Solver<Count>, { stop: [stopAfterIterations(2)] });
    expect(seen.map((progress) => progress.atoms!().data[0])).toEqual([1, 2]);
    expect(asked).toEqual([false, false]);
    const { seen: plain } = await drive(counter(), { stop: [stopAfterIterations(1)] });
    expect(plain[0]).not.toHaveProperty('atoms');
  });

  it('judges stalls by its merit, which is the objective unless it says otherwise', async () => {
    const solver = counter();
    const report = (state: Count) => ({ ...solver.report(state), merit: -state.count, left: 1 / state.count });
    const { seen } = await drive({ ...solver, report }, { stop: [stopAfterIterations(2)] });
    expect(seen[1]).toMatchObject({ objective: 2, recentObjectives: [-1, -2], left: 0.5 });
    expect(seen[1].recentChanges).toEqual([0.5, 0.25]);
  });

  it('counts the seconds before a resume', async () => {
    const resume = { state: { count: 4 }, iteration: 4, recentObjectives: [4], recentChanges: [1], seconds: 1000 };
    const { seen } = await drive(counter(), { stop: [stopAfterIterations(5)], resume });
    expect(seen).toHaveLength(1);
    expect(seen[0].seconds).toBeGreaterThanOrEqual(1000);
    expect(seen[0].seconds).toBeLessThan(1900);
    expect(seen[0].recentObjectives).toEqual([4, 5]);
  });
});

it.each([
  ['solver', null, {}, 'iterate: solver must be a solver with init, step and report; got null.'],
  ['solver', { init: 1, step: 1 }, {}, 'iterate: solver must be a solver with init, step and report'],
  ['options', counter(), undefined, 'iterate: options must be an object with stop and samplesPerStep'],
  ['options', counter(), {}, 'iterate: options must be an object with stop and samplesPerStep'],
])('refuses what is no %s', async (_, solver, options, words) => {
  await expect(iterate(solver as never, options as never).next()).rejects.toThrow(words);
});

describe('abort', () => {
  it('between steps keeps the last state and takes no further step', async () => {
    const controller = new AbortController();
    const steps: number[] = [];
    const solver = counter(undefined, (k) => {
      steps.push(k);
      if (k === 3) controller.abort();
    });
    const { outcome } = await drive(solver, { signal: controller.signal, stop: [stopAfterIterations(9)] });
    expect(outcome).toEqual({
      state: { count: 3 },
      iterations: 3,
      status: 'aborted',
      code: 'aborted',
      reason: 'aborted',
    });
    expect(steps).toEqual([1, 2, 3]);
  });

  it('within a step returns to the state before it', async () => {
    const controller = new AbortController();
    const solver = counter(undefined, (k) => {
      if (k !== 4) return;
      controller.abort(new Error('enough'));
      controller.signal.throwIfAborted();
    });
    const { outcome } = await drive(solver, { signal: controller.signal });
    expect(outcome).toMatchObject({ state: { count: 3 }, iterations: 3, status: 'aborted' });
  });

  it('before the first step leaves the initial state', async () => {
    const { outcome, seen } = await drive(counter(), { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ state: { count: 0 }, iterations: 0, status: 'aborted' });
    expect(seen).toEqual([]);
  });

  it('is not confused with an error of the solver', async () => {
    const solver = counter(undefined, (k) => {
      if (k === 2) throw new Error('broken');
    });
    await expect(drive(solver, { signal: new AbortController().signal })).rejects.toThrow('broken');
  });
});

describe('positions', () => {
  it('are reported after every step, before its progress', async () => {
    const order: string[] = [];
    const steps = iterate(counter(), {
      stop: [stopAfterIterations(2)],
      samplesPerStep: 1,
      onStep: async ({ iteration }) => void order.push(`position ${iteration}`),
    });
    for await (const { iteration } of steps) order.push(`progress ${iteration}`);
    expect(order).toEqual(['position 1', 'progress 1', 'position 2', 'progress 2']);
  });

  it.each([
    ['an iteration limit', [stopAfterIterations(9)]],
    ['a change', [stopWhenChangeBelow(2 ** -9)]],
    ['a stalled objective', [stopWhenObjectiveStalls(0.5)]],
  ])('lead to the same end when resumed, the last one without another step: %s', async (_, stop) => {
    const positions: Position<Count>[] = [];
    const { outcome } = await drive(counter(), { stop, onStep: async (position) => void positions.push(position) });
    expect(positions.length).toBeGreaterThan(3);
    for (const resume of positions) expect((await drive(counter(), { stop, resume })).outcome).toEqual(outcome);
  });
});

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
