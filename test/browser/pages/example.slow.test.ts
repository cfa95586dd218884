/** The page of docs/browser.md, in chromium. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../../helpers/bundlers.ts';
import { complaintsOf, ISOLATED, noChromium, openChromium, serveFolder } from '../../helpers/chromium.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { itUnless } from '../../helpers/skip.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'examples/page');
const scratch = scratchDirectory();
let browser: Browser | undefined;

beforeAll(async () => {
  if (!noChromium) browser = await openChromium();
});
afterAll(async () => void (await browser?.close()));

it('is printed as it is', () => {
  const text = readFileSync(join(root, 'docs/browser.md'), 'utf8');
  for (const name of ['index.html', 'main.js']) expect(text).toContain(readFileSync(join(folder, name), 'utf8'));
});

itUnless(noChromium, 'learns from a file, offers the model, and says what is wrong with another file', async () => {
  const server = await serveFolder(await bundle('vite', scratch.path, folder), { headers: ISOLATED });
  const page = await browser!.newPage();
  const complaints = complaintsOf(page);
  try {
    await page.goto(server.url);
    await page.locator('input').setInputFiles(join(root, 'data/digits.npz'));
    const words = page.getByText(
      /^5 numbers per row keep \d\d\.\d % of the energy; of principal components, \d\d\.\d %\.$/,
    );
    await words.waitFor();
    const kept = [...(await words.textContent())!.matchAll(/\d\d\.\d/g)].map(Number);
    expect(kept[0]).toBeGreaterThan(kept[1]);
    const download = page.waitForEvent('download');
    await page.getByText('Take the model home').click();
    expect((await download).suggestedFilename()).toBe('model.npz');
    await page.locator('input').setInputFiles(join(root, 'package.json'));
    await page.getByText(/^package\.json: .*\.$/).waitFor();
    expect([complaints, server.missing]).toEqual([[], []]);
  } finally {
    await page.close();
    await server.close();
  }
});
