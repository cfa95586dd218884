/** The progress line on a terminal of its own and a clock of its own: the bar, the time left, what is shown. */
import { describe, expect, it } from 'vitest';
import { progressLine } from '#src/cli/terminal/progress-line.ts';
import type { Goals } from '#src/engine/forecast.ts';
import { type Ends, endsOf, type Progress, stopAfterIterations, stopWhenChangeBelow } from '#src/engine/stop.ts';
import { learn } from '#src/learn/learn.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { testSeed } from '../../helpers/seed.ts';

/** A terminal that keeps what is written; `ends`: where loops end that do not say. */
function terminal({ maxSeconds, loops, ...ends }: Goals & Ends, columns = 200) {
  const lines: string[] = [];
  const time = { now: 100 };
  const write = (text: string) => lines.push(text.replace('\r\x1b[2K', '')) > 0;
  const line = progressLine({ maxSeconds, loops }, { isTTY: true, columns, write }, () => time.now);
  const step = (solver: string, iteration: number, change: number, more: Partial<Progress> = {}) => {
    const none = { objective: 1, recentObjectives: [], recentChanges: [], seconds: 0, samplesPerSecond: 1000, ends };
    line.update({ ...none, solver, iteration, change, ...more });
  };
  return { line, lines, time, step, bars: () => lines.map(barOf), last: () => lines[lines.length - 1] };
}

const barOf = (text: string): number => text.match(/█/g)?.length ?? 0;

/** The seconds of `about 12 s left`; undefined if there is none. */
function leftOf(text: string): number | undefined {
  const [, value, unit] = text.match(/about ([\d.]+) (s|min|h) left/) ?? [];
  return value === undefined ? undefined : Number(value) * { s: 1, min: 60, h: 3600 }[unit as 's' | 'min' | 'h'];
}

/** A repeatable jitter from -1 to 1. */
const jitter = (k: number): number => (Math.sin(12.9898 * k) * 43758.5453) % 1;

const isRising = (bars: number[]) => bars.every((bar, k) => k === 0 || bar >= bars[k - 1]);

describe('a loop that converges', () => {
  /** Steps of half a second; the change falls by a tenth in ten of them, with noise; the end is at 60 steps. */
  const run = (goals: Goals & Ends, noise = 0.3) => {
    const shown = terminal(goals);
    const seen: { ahead: number; left: number | undefined }[] = [];
    for (let k = 1; k <= 60; k++) {
      shown.time.now += 0.5;
      shown.step('msp', k, 10 ** (-k / 10 + noise * jitter(k)));
      seen.push({ ahead: (60 - k) * 0.5, left: leftOf(shown.last()) });
    }
    return { ...shown, seen };
  };

  it('has a bar that never goes back and ends nearly full', () => {
    const { bars } = run({ change: 1e-6 });
    expect(isRising(bars())).toBe(true);
    expect(bars().at(-1)).toBeGreaterThanOrEqual(17);
    expect(bars()[29]).toBeGreaterThanOrEqual(6);
    expect(bars()[29]).toBeLessThanOrEqual(12);
  });

  it('tells no time before there is a basis, then one near the truth that does not jump', () => {
    const { seen } = run({ change: 1e-6 });
    expect(seen.slice(0, 3).map(({ left }) => left)).toEqual([undefined, undefined, undefined]);
    const told = seen.slice(12);
    for (const { ahead, left } of told) expect(Math.abs(left! - ahead)).toBeLessThanOrEqual(2 + 0.4 * ahead);
    for (const [k, { left }] of told.entries()) {
      if (k > 0) expect(Math.abs(left! - told[k - 1].left!)).toBeLessThanOrEqual(5);
    }
  });

  it('ends sooner by a budget of iterations or seconds', () => {
    expect(run({ change: 1e-6, iterations: 40 }, 0).seen[19].left).toBeCloseTo(10, 0);
    expect(run({ change: 1e-6, maxSeconds: 15 }, 0).seen[19].left).toBeCloseTo(5, 0);
    expect(run({ maxSeconds: 1000 }, 0).seen[39].left).toBe(16 * 60);
  });

  it('tells nothing where nothing ends it, or the change does not fall', () => {
    expect(run({}).seen.every(({ left }) => left === undefined)).toBe(true);
    const stuck = terminal({ change: 1e-6 });
    for (let k = 1; k <= 30; k++) {
      stuck.time.now += 1;
      stuck.step('msp', k, 1 + k);
    }
    expect(leftOf(stuck.last())).toBeUndefined();
    expect(stuck.bars().at(-1)).toBe(0);
  });
});

describe('several loops', () => {
  it('share one bar that never goes back, and each has its own time', () => {
    const { time, step, bars, last, lines } = terminal({ change: 1e-4 });
    for (const [solver, steps, digits] of [
      ['scout', 10, 2],
      ['msp', 30, 4],
      ['refine', 12, 11],
      ['msp', 5, 3],
    ] as const) {
      step(solver, 0, Number.NaN);
      for (let k = 1; k <= steps; k++) {
        time.now += 0.4;
        const left = solver === 'msp' ? 10 ** (1 - (2 * k) / steps) : undefined;
        step(solver, k, 10 ** ((-digits * k) / steps), { left });
      }
    }
    expect(isRising(lines.filter((text) => text.startsWith('█')).map(barOf))).toBe(true);
    expect(bars().at(-1)).toBeLessThanOrEqual(20);
    expect(last()).toContain('msp 5');
  });

  it('of a known number fill equal parts', () => {
    const { time, step, bars } = terminal({ change: 1e-4, loops: 4 });
    const ends: number[] = [];
    for (let loop = 0; loop < 4; loop++) {
      for (let k = 1; k <= 20; k++) {
        time.now += 0.2;
        step('tensor', k, 10 ** (-k / 5));
      }
      ends.push(bars().at(-1)!);
    }
    expect(ends[0]).toBeGreaterThanOrEqual(3);
    expect(ends[0]).toBeLessThanOrEqual(6);
    expect(ends[1]).toBeLessThanOrEqual(11);
    expect(ends[3]).toBeGreaterThanOrEqual(15);
  });
});

it('believes the rules of a loop, where several say when it ends', () => {
  const ends = endsOf([
    stopWhenChangeBelow(1e-3),
    stopWhenChangeBelow(1e-5),
    stopAfterIterations(60, 20),
    () => undefined,
  ]);
  expect(ends).toEqual({ change: 1e-3, iterations: 40 });
  const { time, step, last } = terminal({});
  for (let k = 1; k <= 20; k++) {
    time.now += 0.5;
    step('approach', k, 10 ** (-k / 10), { ends });
    if (k > 4) expect(Math.abs(leftOf(last())! - (30 - k) / 2)).toBeLessThanOrEqual(1);
  }
});

it('is told by learning where its loops end', async () => {
  const { samples } = generate({ samples: 700, features: 20, theta: 0.3, seed: testSeed(3) });
  const seen = new Map<string, Ends | undefined>();
  await learn(
    samples,
    { seed: 1 },
    { onProgress: ({ solver, iteration, ends }) => void (iteration > 0 && seen.set(solver, ends)) },
  );
  expect(seen.get('approach')?.change).toBe(1e-3);
  expect(seen.get('refine')?.change).toBe(1e-11);
  expect(seen.get('msp')?.iterations).toBeGreaterThan(0);
});

describe('several starts', () => {
  /** Runs four starts of `steps` steps, half a second each; `before`: seconds spent before the first step. */
  const run = (goals: Goals & Ends, steps: number, before = 3) => {
    const of = 4;
    const shown = terminal(goals);
    const seen: { start: number; ahead: number; left: number | undefined; bar: number }[] = [];
    for (let at = 0; at < steps * of; at++) {
      const [number, k] = [Math.floor(at / steps) + 1, (at % steps) + 1];
      shown.time.now += 0.5;
      const clocks = { seconds: k / 2, spent: before + (at + 1) / 2 };
      shown.step('ksvd', k, 1, { ...clocks, start: { number, of } });
      const ahead = (steps * of - at - 1) / 2;
      seen.push({ start: number, ahead, left: leftOf(shown.last()), bar: barOf(shown.last()) });
    }
    return seen;
  };

  it('divide the bar and the time among them', () => {
    const seen = run({ iterations: 20 }, 20);
    for (const { left, ahead, bar } of seen.slice(5)) {
      expect(Math.abs(left! - ahead)).toBeLessThanOrEqual(2.5); // from 20 seconds on the time is told in steps of 5
      expect(Math.abs(bar - (20 * (40 - ahead)) / 40)).toBeLessThanOrEqual(1);
    }
  });

  it('that are short are expected to take as long as those before them', () => {
    const seen = run({ change: 1e-6, iterations: 1000 }, 3);
    for (const { left, ahead } of seen.slice(3)) expect(Math.abs(left! - ahead)).toBeLessThanOrEqual(1);
    expect(seen.at(-1)!.bar).toBeGreaterThanOrEqual(15);
  });

  it('share the limit of seconds', () => {
    for (const { left, ahead } of run({ maxSeconds: 40 }, 20, 0).slice(5)) {
      expect(Math.abs(left! - ahead)).toBeLessThanOrEqual(2.5);
    }
  });
});

it('counts the seconds before a resume', () => {
  const { time, step, last, bars } = terminal({ maxSeconds: 12 });
  for (let k = 1; k <= 10; k++) {
    time.now += 0.5;
    step('pga', 12 + k, 1, { seconds: 5 + k / 2, spent: 6 + k / 2 });
    if (k > 3) expect(Math.abs(leftOf(last())! - (6 - k / 2))).toBeLessThanOrEqual(0.5); // whole seconds
  }
  expect(bars()[3]).toBeGreaterThanOrEqual(11);
});

it('sees a loop come to an end whose objective stalls', () => {
  const { time, step, last, bars } = terminal({ change: 1e-9, gain: 1e-8, iterations: 1000 });
  const objective = (k: number) => 5 - 10 ** (-k / 5); // gains 1e-8 of 5 in three steps after about 38
  for (let k = 1; k <= 38; k++) {
    time.now += 0.5;
    step('pga', k, 0.01, { seconds: k / 2, recentObjectives: [3, 2, 1, 0].map((back) => objective(k - back)) });
    if (k > 20) expect(Math.abs(leftOf(last())! - (38 - k) / 2)).toBeLessThanOrEqual(2);
  }
  expect(bars().at(-1)).toBeGreaterThanOrEqual(17);
});

it('counts to the end, with the time that is left', () => {
  const { line, time, bars, lines, last } = terminal({});
  for (let k = 1; k <= 10; k++) {
    time.now += 1;
    line.count('encoded samples', 100 * k, 1000);
  }
  expect(lines[7]).toContain('encoded samples 800 of 1,000');
  expect(leftOf(lines[7])).toBe(2);
  expect(bars()).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  expect(last()).toContain('1,000 of 1,000');
});

it('shows words, after a bar if they come with a share, which never goes back', () => {
  const { line, lines, bars } = terminal({});
  line.say('reading …');
  line.say('half', 0.5);
  line.say('less', 0.2);
  expect(lines[0]).toBe('reading …');
  expect(bars()).toEqual([0, 10, 10]);
});

it('is no wider than the terminal, and silent elsewhere', () => {
  const narrow = terminal({ change: 1e-6 }, 60);
  narrow.step('msp', 1, 0.1);
  expect(narrow.last().length).toBe(59);
  const lines: string[] = [];
  const silent = progressLine({}, { isTTY: false, columns: 80, write: (text: string) => lines.push(text) > 0 });
  silent.say('x');
  silent.count('x', 1, 2);
  silent.clear();
  expect(lines).toEqual([]);
});
