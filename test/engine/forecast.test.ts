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
