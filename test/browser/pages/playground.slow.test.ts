/** What holds for the built page whatever it shows: it is isolated, keeps to its origin, and everybody can use it. */
import { cpSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noChromium, type ServedFolder, serveFolder } from '../../helpers/chromium.ts';
import { DIST } from '../../helpers/run.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { describeUnless } from '../../helpers/skip.ts';
import { findings } from './axe.ts';
import { load, SIZES, TABS, untilReady } from './page.ts';
import { playground } from './playground.ts';

/** The tab that computes nothing. */
const AT_REST = 'home';

/** Opens all explanations in turn; the first words of those whose lines do not break. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const bubble of document.querySelectorAll<HTMLElement>('[role=tabpanel]:not([hidden]) [popover]')) {
      bubble.showPopover();
      await new Promise(requestAnimationFrame);
      if (bubble.scrollWidth > bubble.clientWidth) found.push(bubble.textContent.trim().slice(0, 40));
      bubble.hidePopover();
    }
    return found;
  });

describeUnless(noChromium, 'the playground', () => {
  const { openPlayground, openWindow, address } = playground();

  it('has a title, a language and nothing to complain of', async () => {
    const page = await openPlayground({ tab: AT_REST });
    expect(await page.title()).toMatch(/orthodict/);
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });

  it('is isolated by the headers of serve, without a service worker and at the first load', async () => {
    const page = await openWindow();
    const loads = countLoads(page);
    await load(page, address(), AT_REST);
    expect(await isolation(page)).toEqual({ isolated: true, memory: true, workers: 0 });
    expect(loads()).toBe(1);
  });

  describe.each(TABS)('#%s', (tab) => {
    it('is for everybody: axe finds nothing, on a laptop in light and on a phone in dark', async () => {
      const page = await openPlayground({ tab });
      // what axe finds by colours depends on the theme, what it finds by layout on the size
      for (const [name, size, colorScheme] of [
        ['laptop', SIZES.laptop, 'light'],
        ['phone', SIZES.phone, 'dark'],
      ] as const) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        const width = () => page.evaluate(() => document.documentElement.scrollWidth);
        const message = `the width of the page on a ${name}, once its plots have followed`;
        await expect.poll(width, { message }).toBeLessThanOrEqual(size.width);
        expect(await findings(page), `${name}, ${colorScheme}`).toEqual([]);
        expect(await tooWide(page), `explanations on a ${name}`).toEqual([]);
      }
    });
  });

  describe('in a folder of a host that sends no headers', () => {
    const scratch = scratchDirectory();
    let host: ServedFolder;

    beforeAll(async () => {
      cpSync(`${DIST}playground`, scratch.file('some/folder'), { recursive: true });
      writeFileSync(scratch.file('some/folder/outer.js'), OUTER_WORKER);
      writeFileSync(scratch.file('some/folder/inner.js'), 'postMessage(crossOriginIsolated);');
      writeFileSync(
        scratch.file('some/folder/other.html'),
        '<!doctype html><title>other</title><link rel="icon" href="data:,">',
      );
      host = await serveFolder(scratch.path);
    });
    afterAll(() => host.close());

    it('is isolated by its service worker after one reload, and so are its workers and theirs', async () => {
      const page = await openWindow();
      const loads = countLoads(page);
      await page.goto(`${host.url}some/folder/#${AT_REST}`);
      await page.waitForFunction(() => crossOriginIsolated);
      await untilReady(page, AT_REST);
      expect(await isolation(page)).toEqual({ isolated: true, memory: true, workers: 1 });
      expect(loads()).toBe(2);
      expect(await page.evaluate(askWorkers)).toEqual([true, true]);
      expect(host.missing).toEqual([]);

      await load(page, `${host.url}some/folder/index.html?x=1`, AT_REST);
      expect((await isolation(page)).isolated).toBe(true);
      expect(loads()).toBe(3);

      await page.goto(`${host.url}some/folder/other.html`);
      expect((await isolation(page)).isolated, 'a page that is not ours').toBe(false);
    });

    it.each([
      ['do not exist', () => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')],
      [
        'are refused',
        () => {
          ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('no', 'SecurityError'));
        },
      ],
    ])('works on messages where service workers %s', async (_, forbid) => {
      const page = await openWindow();
      await page.addInitScript(forbid);
      const loads = countLoads(page);
      await load(page, `${host.url}some/folder/`, AT_REST);
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      expect(loads()).toBe(1);
    });

    it('loads itself again only once where the service worker has no effect', async () => {
      const page = await openWindow();
      await page.addInitScript(() => Object.defineProperty(window, 'crossOriginIsolated', { value: false }));
      const loads = countLoads(page);
      await page.goto(`${host.url}some/folder/#${AT_REST}`);
      await expect.poll(loads).toBe(2);
      await untilReady(page, AT_REST);
      expect(loads()).toBe(2);
    });
  });
});

const OUTER_WORKER = `
const inner = new Worker('inner.js');
inner.onmessage = ({ data }) => postMessage([crossOriginIsolated, data]);`;

/** Whether a worker, and a worker of that worker, are isolated. */
const askWorkers = () =>
  new Promise<boolean[]>((resolve, reject) => {
    const worker = new Worker('outer.js');
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  });

const isolation = (page: Page) =>
  page.evaluate(async () => ({
    isolated: crossOriginIsolated,
    memory: typeof SharedArrayBuffer === 'function',
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));

/** How often a page was loaded from now on; changes of the hash do not count. */
function countLoads(page: Page): () => number {
  let count = 0;
  page.on('domcontentloaded', () => count++);
  return () => count;
}
