/**
 * The built page in chromium, for a test file: served by `orthodict serve`, one browser for all tests, a fresh window for
 * each. After every test its windows must have nothing to complain of: no warning or error on the console, no uncaught
 * exception, no violation of the policy, no request that failed or left the origin.
 *
 * ```ts
 * const { openPlayground } = playground();
 *
 * it('draws atoms', async () => {
 *   const page = await openPlayground({ tab: 'picture', ...SIZES.phone, colorScheme: 'dark' });
 * });
 * ```
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { complaintsOf, openChromium } from '../../helpers/chromium.ts';
import { type Served, serve } from '../../helpers/serve.ts';
import { type Look, load, newPage } from './page.ts';

export interface Playground {
  /** The page, with the first picture of its tab drawn. */
  openPlayground(look?: Look): Promise<Page>;
  /** An empty window that is watched as well, for pages at other addresses. */
  openWindow(look?: Look, more?: BrowserContextOptions): Promise<Page>;
  /** Where the page is served; ends with a slash. */
  address(): string;
}

/** Call it where the tests are declared. */
export function playground(): Playground {
  let browser: Browser;
  let server: Served;
  const opened: { page: Page; complaints: string[] }[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([serve(), openChromium()]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), server?.end('SIGTERM')]);
  });
  afterEach(async () => {
    const windows = opened.splice(0);
    await Promise.all(windows.map(({ page }) => page.context().close()));
    expect(windows.flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  const openWindow = async (look?: Look, more?: BrowserContextOptions) => {
    const page = await newPage(browser, look, more);
    opened.push({ page, complaints: watched(page) });
    return page;
  };
  return {
    openWindow,
    address: () => server.address,
    async openPlayground(look = {}) {
      const page = await openWindow(look);
      await load(page, server.address, look.tab);
      return page;
    },
  };
}

/** Everything that a page should not do, from now on, as text. Violations of the policy come as errors on the console. */
function watched(page: Page): string[] {
  const complaints = complaintsOf(page);
  const context = page.context();
  let home: string | undefined;
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    home ??= origin;
    if (origin !== home && !['blob:', 'data:'].includes(protocol)) complaints.push(`left the origin: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    if (why !== 'net::ERR_ABORTED') complaints.push(`${why}: ${request.url()}`); // the page gave it up itself
  });
  context.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  return complaints;
}
