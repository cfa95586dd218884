/** The forecast of loops and counts that go steadily: the share that is done and the time left are exact. */
import { expect, it } from 'vitest';
import { Forecast, type Goals, type Step } from '#src/engine/forecast.ts';

/** A forecast with a clock that `wait` moves. */
function started(goals: Goals = {}) {
  const time = { now: 50 };
  const forecast = new Forecast(goals, () => time.now);
  const wait = (seconds: number) => {
    time.now += seconds;
  };
  const step = (iteration: number, change: number, more: Partial<Step> = {}) =>
    forecast.step({ solver: 'loop', iteration, change, recentObjectives: [], seconds: 0, ...more });
  return { forecast, wait, step };
}

it.each([0.01, 0.5, 30])('the share grows with the steps of a loop whose change falls steadily: %d s each', (pace) => {
  const { forecast, wait, step } = started();
  for (let k = 1; k <= 60; k++) {
    wait(pace);
    step(k, 10 ** (-k / 10), { seconds: k * pace, ends: { change: 1e-6 } });
    if (k >= 3) expect(forecast.share).toBeCloseTo((0.9 * k) / 60, 9);
    else expect(forecast.share).toBe(0); // a line through two points says little
  }
});

it.each([
  ['its change', (left: number) => ({ change: 1e-4 * 10 ** left, ends: { change: 1e-4 } })],
  ['what is left to gain', (left: number) => ({ left: 1e-3 * 10 ** left, ends: { left: 1e-3 } })],
  ['its iterations', () => ({ ends: { iterations: 40 } })],
])('a loop that is ended by %s tells the seconds left', (_, at) => {
  const { forecast, wait, step } = started();
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
  const { forecast, wait } = started();
  const told: string[] = [];
  for (let done = 400; done <= 1000; done += 100) {
    forecast.count('rows', done, 1000);
    told.push(forecast.words);
    wait(6);
  }
  expect(told).toEqual(['', '', '', 'about 18 s left', 'about 12 s left', 'about 6 s left', 'about 1 s left']);
  expect(forecast.share).toBe(1);
});
