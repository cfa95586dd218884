/** The tab "Recover" in chromium: it recovers dictionaries, can be paused, stepped and cancelled, and draws its map. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { noChromium } from '../../helpers/chromium.ts';
import { patient } from '../../helpers/patience.ts';
import { describeUnless } from '../../helpers/skip.ts';
import { playground } from './playground.ts';

const text = async (locator: Locator) => (await locator.textContent())!.trim();
/** The value of a figure above the matrix. */
const figure = (page: Page, name: string) => text(page.locator('dl > div').filter({ hasText: name }).locator('dd'));

const settings = (page: Page) => page.getByRole('region', { name: 'Settings' });
const button = (page: Page, name: string) => settings(page).getByRole('button', { name, exact: true });
/** What is said about the race: the values of the sliders come first. */
const status = (page: Page) => text(settings(page).getByRole('status').last());
const iterations = async (page: Page) => Number((await figure(page, 'Iterations')).replace(/,/g, ''));
const slider = async (page: Page, name: string) =>
  settings(page).getByRole('slider', { name, exact: true }).getAttribute('aria-valuetext');

/**
 * Milliseconds of every task of the page's main thread meanwhile. They are of processor time: waiting for a core that
 * others use does not count.
 */
async function tasksOf(page: Page, meanwhile: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel'] });
  await meanwhile();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain';
  const main = new Set(traceEvents.filter(isMain).map(threadOf));
  const tasks = traceEvents.filter((event) => event.name.includes('RunTask') && main.has(threadOf(event)));
  return tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]));
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

describeUnless(noChromium, 'the tab Recover', () => {
  const { openPlayground } = playground();

  it('recovers 20 atoms to twelve digits, beside contenders that end where the samples end them', async () => {
    const page = await openPlayground({ tab: 'recover?n=20&p=4000&slow=false&contenders=msp-refined-l3-ica' });
    expect(await figure(page, 'Atoms recovered')).toBe('20 of 20');
    expect(Number(await figure(page, 'Recovery error'))).toBeLessThan(1e-12);
    await page
      .getByRole('img', { name: /^The matrix \|A Dᵀ\| of Refined after \d+ iterations: 20 of 20 atoms/ })
      .waitFor();
    const error = async (contender: string) =>
      Number(
        await page
          .getByRole('row', { name: `Run ${contender} ` })
          .getByRole('cell')
          .nth(2)
          .textContent(),
      );
    expect(await error('ℓ3, refined')).toBeLessThan(1e-12);
    for (const unrefined of ['MSP, as published', 'ICA']) {
      expect(await error(unrefined)).toBeGreaterThan(1e-4);
      expect(await error(unrefined)).toBeLessThan(0.1);
    }

    await page.getByRole('radio', { name: 'Show ICA' }).check();
    await page.getByRole('img', { name: /of ICA after/ }).waitFor();
    await page.getByRole('tab', { name: 'Take it home' }).click();
    const command = page.getByRole('article', { name: 'Recover' }).locator('pre').first();
    expect(await command.textContent()).toContain('--samples 4000 --features 20 --theta 0.3 --seed 1');
    expect(await command.textContent()).toContain('--method ica --refine none --seed 1');
  });

  it('shows dense codes, where some atoms are looked for beside certified ones', async () => {
    const page = await openPlayground({ tab: 'recover?n=10&p=200&theta=0.8&seed=2&slow=false&contenders=refined' });
    await expect.poll(() => status(page), { timeout: 40_000 }).toMatch(/^Done/);
    expect(await iterations(page)).toBeGreaterThan(50);
    await page.getByRole('img', { name: /^Objective against iterations.*At the end: Refined \d/ }).waitFor();
  });

  it('computes 100 atoms from 40,000 samples without keeping the page busy', async () => {
    const page = await openPlayground({ tab: 'recover?n=100&p=40000&slow=false&contenders=refined' });
    const tasks = await tasksOf(page, async () => {
      await button(page, 'Run').click();
      await button(page, 'Run').waitFor();
    });
    expect(await figure(page, 'Atoms recovered')).toBe('100 of 100');
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    expect(Number(await figure(page, 'Threads'))).toBe(cores);
    expect(page.workers().length).toBeGreaterThanOrEqual(cores); // the session computes too
    expect(tasks.length).toBeGreaterThan(50);
    expect(Math.max(...tasks)).toBeLessThan(50); // what browsers call a long task
  });

  it('stands still when paused, takes single steps, and ends when cancelled', async () => {
    const page = await openPlayground({ tab: 'recover?n=30&p=5000&contenders=msp' });
    await button(page, 'Step').click();
    await expect.poll(() => iterations(page)).toBe(1);
    await button(page, 'Step').click();
    await expect.poll(() => iterations(page)).toBe(2);
    expect(await status(page)).toMatch(/^Paused\. Iteration 2/);

    await button(page, 'Resume').click();
    await expect.poll(() => iterations(page)).toBeGreaterThan(4);
    await button(page, 'Pause').click();
    const before = await settled(() => iterations(page));
    await button(page, 'Step').click();
    await expect.poll(() => iterations(page)).toBe(before + 1);

    await button(page, 'Cancel').click();
    expect(await status(page)).toBe('Cancelled.');
    await button(page, 'Run').waitFor();
  });

  it('leaves no workers behind when it is started and cancelled 20 times', async () => {
    const page = await openPlayground({ tab: 'recover?n=40&p=8000&contenders=refined' });
    for (let k = 0; k < 20; k++) {
      await button(page, 'Run').click();
      await button(page, 'Cancel').click();
    }
    await button(page, 'Run').click();
    await expect.poll(() => status(page), { timeout: patient(20_000) }).toMatch(/^Done/);
    expect(await figure(page, 'Atoms recovered')).toBe('40 of 40');
    // the session, and at most one for each thread
    expect(page.workers().length).toBeLessThanOrEqual(1 + Number(await figure(page, 'Threads')));
  });

  it('draws the map, and runs the cell that is chosen by keyboard or click', async () => {
    const page = await openPlayground({ tab: 'recover?n=12&p=500&contenders=refined&slow=false&mapN=5&mapTrials=1' });
    const grid = page.getByRole('grid', { name: /^Phase-transition map/ });
    await grid.scrollIntoViewIfNeeded();
    await page.getByText(/^Refined recovers the dictionary in \d+ of 144 cells/).waitFor();
    expect(await grid.getByRole('row').count()).toBe(13);
    expect(await grid.getByRole('button', { name: /recovered 1\/1 times/ }).count()).toBeGreaterThan(30);
    expect(await grid.getByRole('button', { name: /recovered 0\/1 times/ }).count()).toBeGreaterThan(10);

    await grid.getByRole('button', { name: /^θ 0.21, 700 samples/ }).click();
    expect(await settled(() => figure(page, 'Atoms recovered'))).toBe('5 of 5');
    expect([
      await slider(page, 'Atoms n'),
      await slider(page, 'Samples p'),
      await slider(page, 'Density of codes θ'),
    ]).toEqual(['5', '700', '0.21']);

    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => slider(page, 'Density of codes θ')).toBe('0.28');
    await expect.poll(() => page.url()).toContain('theta=0.28');
  });
});

/** A value once it has been the same for a while. */
async function settled<T>(read: () => Promise<T>): Promise<T> {
  let last = await read();
  for (let same = 0; same < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    const now = await read();
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}
