/** Bounds of every stopping rule: the first step at which it ends a loop, and the last at which it does not. */
import { describe, expect, it } from 'vitest';
import {
  type Progress,
  STALL_STEPS,
  type StopRule,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
} from '#src/engine/stop.ts';

const ask = (rule: StopRule, progress: Partial<Progress>) => rule(progress as Progress, undefined);

describe('stopWhenChangeBelow', () => {
  it('ends at the tolerance, not above it', () => {
    const rule = stopWhenChangeBelow(0.5);
    expect(ask(rule, { change: 0.5 })).toEqual({ status: 'converged', code: 'change', reason: 'change 5.0e-1 ≤ 0.5' });
    expect(ask(rule, { change: 0.5 + 1e-15 })).toBeUndefined();
    expect(ask(rule, { change: Number.NaN })).toBeUndefined();
  });
});

describe('stopWhenObjectiveStalls', () => {
  const rule = stopWhenObjectiveStalls(0.25);
  const stalls = (...recentObjectives: number[]) => ask(rule, { recentObjectives })?.status;

  it('looks at STALL_STEPS steps, not fewer', () => {
    expect(stalls(...Array(STALL_STEPS).fill(1))).toBeUndefined();
    expect(stalls(...Array(STALL_STEPS + 1).fill(1))).toBe('converged');
  });

  it('compares the gain of all of them with the first, of whatever sign', () => {
    expect(stalls(4, 4, 4, 5)).toBe('converged');
    expect(stalls(4, 4, 4, 5.01)).toBeUndefined();
    expect(stalls(-4, -4, -4, -3)).toBe('converged');
    expect(stalls(-4, -4, -4, -2.99)).toBeUndefined();
    expect(stalls(4, 6, 4, 4)).toBeUndefined(); // the best of them
    expect(stalls(4, 3, 2, 1)).toBe('converged');
    expect(stalls(0, 0, 0, 0)).toBe('converged');
    expect(stalls(0, 0, 0, 1e-9)).toBeUndefined();
  });
});

describe.each([
  ['iterations', (limit: number, earlier?: number) => stopAfterIterations(limit, earlier), 'iteration'],
  ['seconds', (limit: number, earlier?: number) => stopAfterSeconds(limit, earlier), 'seconds'],
] as const)('a limit of %s', (name, rule, field) => {
  it('ends at the limit, those before the loop included', () => {
    const verdict = { status: 'exhausted', code: name, reason: `7 ${name}` };
    expect(ask(rule(7), { [field]: 6 })).toBeUndefined();
    expect(ask(rule(7), { [field]: 7 })).toEqual(verdict);
    expect(ask(rule(7, 3), { [field]: 3 })).toBeUndefined();
    expect(ask(rule(7, 3), { [field]: 4 })).toEqual(verdict);
  });
});
