/** How the page is opened and looked at: by its tests, and by the script that makes its pictures. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The tabs, by the hash that leads to them. */
export const TABS = ['recover', 'picture', 'data', 'home'] as const;
export type Tab = (typeof TABS)[number];

/** Width and height of a laptop's window and of a phone, in pixels. */
export const SIZES = {
  laptop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

export const SCHEMES = ['light', 'dark'] as const;

export interface Look {
  /** What the address ends with after `#`: a tab, perhaps with settings. The page's own choice if left out. */
  readonly tab?: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: (typeof SCHEMES)[number];
}

/** A fresh window, without anything that earlier ones have left; nothing is loaded yet. */
export async function newPage(browser: Browser, look: Look = {}, more: BrowserContextOptions = {}): Promise<Page> {
  const { width = SIZES.laptop.width, height = SIZES.laptop.height, colorScheme = 'light' } = look;
  const viewport = { width, height };
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: 'reduce', // nothing is still on its way when a picture is said to be drawn
    deviceScaleFactor: 1,
    ...more,
  });
  return context.newPage();
}

/** Opens the page at an address, and waits until the first picture of the tab is drawn. */
export async function load(page: Page, address: string, tab?: string): Promise<void> {
  await page.goto(tab === undefined ? address : `${address}#${tab}`);
  await untilReady(page, tab);
}

/** Waits until the tab has drawn its first picture; without a tab, until any has. */
export async function untilReady(page: Page, tab?: string): Promise<void> {
  const name = tab?.split(/[?&]/)[0];
  await page.waitForFunction((wanted) => {
    const { ready } = document.documentElement.dataset;
    return wanted === undefined ? ready !== undefined : ready === wanted;
  }, name);
}
