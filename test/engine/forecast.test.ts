/** Forecasts of the end of a loop: from levels that fall exponentially, from limits, and from earlier starts. */
import { describe, expect, it } from 'vitest';
import { Forecast, type Goals, type Step } from '#src/engine/forecast.ts';

/** Runs a loop whose change falls by a factor of ten per step, a second each. */
function loop(steps: number, goals: Goals, rest: Partial<Step> = {}): Forecast {
  let now = 0;
  const forecast = new Forecast(goals, () => now);
  for (let iteration = 1; iteration <= steps; iteration++) {
    now = iteration;
    const change = 10 ** -iteration;
    forecast.step({ solver: 'msp', iteration, change, recentObjectives: [], seconds: now, spent: now, ...rest });
  }
  return forecast;
}

describe('Forecast', () => {
  it('gives no time before it has seen a few steps', () => {
    expect(loop(3, {}, { ends: { change: 1e-12 } }).words).toBe('');
  });

  it('follows a change that falls exponentially to the tolerance', () => {
    const forecast = loop(8, {}, { ends: { change: 1e-12 } });
    expect(forecast.words).toBe('about 4 s left');
    expect(forecast.share).toBeCloseTo(0.9 * (8 / 12), 6);
  });

  it.each<[string, Goals, Partial<Step>]>([
    ['the limit of seconds', { maxSeconds: 10 }, { ends: { change: 1e-12 } }],
    ['the limit of iterations', {}, { ends: { change: 1e-12, iterations: 10 } }],
  ])('ends no later than %s', (_, goals, rest) => {
    expect(loop(8, goals, rest).words).toBe('about 2 s left');
  });

  it('leaves room on the bar for the loops that follow', () => {
    const [one, three] = [{}, { loops: 3 }].map((goals) => loop(8, goals, { ends: { change: 1e-12 } }).share);
    expect(three).toBeCloseTo((1 / 3) * (8 / 12), 6);
    expect(one).toBeGreaterThan(three);
  });

  it('counts things of the same kind at the pace so far', () => {
    let now = 0;
    const forecast = new Forecast({}, () => now);
    for (let done = 0; done <= 5; done++) {
      now = 2 * done;
      forecast.count('trials', done, 20);
    }
    expect([forecast.share, forecast.words]).toEqual([0.25, 'about 30 s left']);
  });
});

/** A forecast with a clock that `wait` moves. */
function withClock(goals: Goals = {}) {
  const time = { now: 50 };
  const forecast = new Forecast(goals, () => time.now);
  const wait = (seconds: number) => {
    time.now += seconds;
  };
  const step = (iteration: number, change: number, more: Partial<Step> = {}) =>
    forecast.step({ solver: 'loop', iteration, change, recentObjectives: [], seconds: 0, ...more });
  return { forecast, wait, step };
}

describe('a loop that goes steadily', () => {
  it.each([0.01, 0.5, 30])(
    'the share grows with the steps of a loop whose change falls steadily: %d s each',
    (pace) => {
      const { forecast, wait, step } = withClock();
      for (let k = 1; k <= 60; k++) {
        wait(pace);
        step(k, 10 ** (-k / 10), { seconds: k * pace, ends: { change: 1e-6 } });
        if (k >= 3) expect(forecast.share).toBeCloseTo((0.9 * k) / 60, 9);
        else expect(forecast.share).toBe(0); // a line through two points says little
      }
    },
  );

  it.each([
    ['its change', (left: number) => ({ change: 1e-4 * 10 ** left, ends: { change: 1e-4 } })],
    ['what is left to gain', (left: number) => ({ left: 1e-3 * 10 ** left, ends: { left: 1e-3 } })],
    ['its iterations', () => ({ ends: { iterations: 40 } })],
  ])('a loop that is ended by %s tells the seconds left', (_, at) => {
    const { forecast, wait, step } = withClock();
    const told: string[] = [];
    for (let k = 1; k <= 36; k++) {
      wait(3);
      step(k, 1, { seconds: 3 * k, ...at((40 - k) / 10) });
      told.push(forecast.words);
    }
    expect(told.slice(0, 3)).toEqual(['', '', '']);
    expect(told[9]).toBe('about 2 min left'); // 90 s
    expect([told[31], told[34], told[35]]).toEqual(['about 25 s left', 'about 15 s left', 'about 12 s left']);
  });

  it('a count goes on from where it began, to its end', () => {
    const { forecast, wait } = withClock();
    const told: string[] = [];
    for (let done = 400; done <= 1000; done += 100) {
      forecast.count('rows', done, 1000);
      told.push(forecast.words);
      wait(6);
    }
    expect(told).toEqual(['', '', '', 'about 18 s left', 'about 12 s left', 'about 6 s left', 'about 1 s left']);
    expect(forecast.share).toBe(1);
  });
});
