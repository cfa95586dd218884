/** The tab "Your picture" in chromium: it learns, rebuilds, denoises, and refuses what is no picture. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { learn, loadModel, readPicture } from '../../../src/node/index.ts';
import { encodePng } from '../../../src/pictures/png.ts';
import { callCli } from '../../helpers/call-cli.ts';
import { noChromium } from '../../helpers/chromium.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { describeUnless } from '../../helpers/skip.ts';
import { quality } from '../../pictures/scenes.ts';
import { playground } from './playground.ts';

describeUnless(noChromium, 'Your picture', () => {
  const { openPlayground } = playground();
  const scratch = scratchDirectory();

  it('learns from an included picture what Node learns from it: closer than PCA and DCT with few codes, and closer with more', async () => {
    const page = await openPlayground({ tab: 'picture?patches=5000' });
    await page.getByRole('img', { name: '64 atoms of 8 by 8 pixels, those with the most energy first' }).waitFor();
    const few = await decibels(page, 4);
    expect(few.learned).toBeGreaterThan(few.pca);
    expect(few.learned).toBeGreaterThan(few.dct);

    await moveTo(page, 'k, codes kept of every patch', 4);
    const more = await decibels(page, 8);
    for (const name of BASES) expect(more[name], name).toBeGreaterThan(few[name] + 3);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#picture?patches=5000&k=8');

    await moveTo(page, 'Follow an atom', 1);
    await page.getByText(/Atom 1 holds 9\d % of the energy/).waitFor();

    await page.getByRole('tab', { name: 'Take it home' }).click();
    for (const name of ['model.npz', 'picture.png']) await save(page, name, scratch.file(name));
    const { dictionary, meta } = await loadModel(scratch.file('model.npz'));
    expect(meta.patch).toEqual({ width: 8, height: 8, channels: 1 });
    const pictures = { patches: { width: 8, height: 8 }, limit: 5000 };
    const here = await learn(
      scratch.file('picture.png'),
      { norm: 3 },
      { pictures, backend: 'wasm', threads: 1, onWarning: () => {} },
    );
    expect(meta).toEqual(here.meta);
    expect(meta.precision).toBe('f32'); // patches are float32
    expect(dictionary.atoms.data).toEqual(here.dictionary.atoms.data.map(Math.fround));
  });

  it('takes a picture of your own, in colour and in grey, adds noise and takes it out again', async () => {
    const page = await openPlayground({ tab: 'picture?side=4&patches=2000&colour=rgb&sigma=30' });
    await choose(page, 'stripes.png', encodePng(stripes(56, 48)));
    await page.getByText('stripes.png, 56 × 48 pixels').waitFor();
    await page.getByRole('img', { name: /48 atoms of 4 by 4 pixels, those/ }).waitFor();

    await page.getByText('Grey', { exact: true }).click();
    await page.getByRole('img', { name: /16 atoms of 4 by 4 pixels, those/ }).waitFor();
    await page.getByRole('region', { name: 'Denoise' }).scrollIntoViewIfNeeded();
    await page.getByText('The noise is estimated at').waitFor();
    const [noisy, clean] = await Promise.all(['noisy', 'both'].map((name) => figure(page, `[data-denoised=${name}]`)));
    expect(noisy).toBeCloseTo(20 * Math.log10(255 / 30), 0); // cutting at black and white takes some of the noise
    expect(clean).toBeGreaterThan(noisy + 5);

    await choose(page, 'words.png', Buffer.from('no picture'));
    await page
      .getByRole('alert')
      .getByText(/words\.png.*picture/)
      .waitFor();
    await page.getByText('stripes.png, 56 × 48 pixels').waitFor();
  });

  it('prints the command that makes the picture it shows of the one it saves', async () => {
    const page = await openPlayground({ tab: 'picture?side=4&patches=2000&sigma=30' });
    await choose(page, 'stripes.png', encodePng(stripes(190, 180))); // so large that the browser writes it, in colour
    await page.getByRole('img', { name: /16 atoms of 4 by 4 pixels, those/ }).waitFor();
    await page.getByRole('region', { name: 'Denoise' }).scrollIntoViewIfNeeded();
    await page.getByText('The noise is estimated at').waitFor({ timeout: 120_000 });
    await page.getByRole('tab', { name: 'Take it home' }).click();
    for (const name of ['noisy.png', 'denoised.png']) await save(page, name, scratch.file(name));
    const command = await page.getByText('orthodict image denoise').first().textContent();
    expect(command).toContain('orthodict image denoise noisy.png --stride 2 --out denoised.png');
    const out = scratch.file('here.png');
    const flags = ['--stride', '2', '--backend', 'wasm', '--out', out];
    expect((await callCli(['image', 'denoise', scratch.file('noisy.png'), ...flags])).code).toBe(0);
    const [there, here, noisy] = await Promise.all(
      [scratch.file('denoised.png'), out, scratch.file('noisy.png')].map((path) => readPicture(path, 'grey')),
    );
    expect(quality(there, here)).toBeGreaterThan(50); // browsers may use other instructions, and round otherwise
    expect(quality(there, noisy)).toBeLessThan(25);
  }, 240_000);
});

const BASES = ['learned', 'pca', 'dct'] as const;

/** PSNR by basis, when the pictures of k codes are there. */
async function decibels(page: Page, k: number): Promise<Record<(typeof BASES)[number], number>> {
  await page
    .getByRole('img', { name: new RegExp(`^The picture from ${k} of`) })
    .first()
    .waitFor();
  const [learned, pca, dct] = await Promise.all(BASES.map((name) => figure(page, `[data-psnr=${name}]`)));
  return { learned, pca, dct };
}

const figure = async (page: Page, selector: string): Promise<number> =>
  Number.parseFloat((await page.locator(selector).textContent()) ?? '');

/** Moves a slider `places` places to the right. */
async function moveTo(page: Page, label: string, places: number): Promise<void> {
  const slider = page.getByRole('slider', { name: label });
  for (let k = 0; k < places; k++) await slider.press('ArrowRight');
}

async function save(page: Page, name: string, path: string): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${name}` }).click(),
  ]);
  await download.saveAs(path);
}

const choose = (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
  page
    .getByLabel('Choose a picture')
    .last()
    .setInputFiles({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) });

/** Waves in three colours. */
function stripes(width: number, height: number) {
  const pixels = Uint8Array.from({ length: 3 * width * height }, (_, k) => {
    const [x, y, c] = [Math.floor(k / 3) % width, Math.floor(k / 3 / width), k % 3];
    return 128 + 70 * Math.sin(x / (3 + c) + y / (5 - c));
  });
  return { width, height, channels: 3, pixels } as const;
}
