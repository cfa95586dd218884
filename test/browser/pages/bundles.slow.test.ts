/**
 * A page that learns, bundled by Vite, webpack and esbuild, in chromium: on two threads, to the bytes of Node. Samples and
 * start come from Node: browsers and Node round `Math.cos` and its like differently, and these make random numbers.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createRandom } from '#src/core/random.ts';
import { learn } from '#src/learn/learn.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { bundle, bundlers } from '../../helpers/bundlers.ts';
import { bytesOf } from '../../helpers/bytes.ts';
import { complaintsOf, ISOLATED, noChromium, openChromium, serveFolder } from '../../helpers/chromium.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { itUnless } from '../../helpers/skip.ts';

const features = 30;
const { samples } = generate({ samples: 12_000, features, theta: 0.3, seed: 1 });
const start = randomOrthogonal(features, createRandom(1, 'start'));

const scratch = scratchDirectory();
let browser: Browser;
const pages = new Map<string, string>();

/** What Node learns. */
async function learnInNode(backend: 'wasm' | 'js', options: object) {
  const executor = await createNodeExecutor({ threads: 2, backend });
  const { dictionary, ...result } = await learn(samples, { ...options, start }, { executor });
  await executor.close();
  const atoms = Buffer.from(bytesOf(dictionary.atoms.data)).toString('base64');
  return { backend: result.backend, status: result.status, atoms };
}

interface Learned {
  readonly isolated: boolean;
  readonly threads: number;
  readonly backend: string;
  readonly status: string;
  readonly atoms: string;
}

/** What the page learns, and what it complains about. */
async function learnInPage(folder: string, headers: Readonly<Record<string, string>>, options: object) {
  const server = await serveFolder(folder, { headers });
  const page = await browser.newPage();
  const complaints = complaintsOf(page);
  try {
    await page.goto(server.url);
    await page.waitForFunction('window.learn');
    const call = `window.learn(${JSON.stringify({ threads: 2, features, options })})`;
    const learned = (await page.evaluate(call)) as Learned;
    for (let k = 0; k < 100 && page.workers().length > 0; k++) await page.waitForTimeout(20); // they end soon, not at once
    return { ...learned, complaints, missing: server.missing, workers: page.workers().length };
  } finally {
    await page.close();
    await server.close();
  }
}

beforeAll(async () => {
  if (noChromium) return;
  const making = bundlers.map(async (bundler) => pages.set(bundler, await bundle(bundler, scratch.path)));
  [browser] = await Promise.all([openChromium(), ...making]);
  for (const page of pages.values()) {
    writeFileSync(join(page, 'samples.bin'), bytesOf(samples.data));
    writeFileSync(join(page, 'start.bin'), bytesOf(start.data));
  }
});
afterAll(async () => void (await browser?.close()));

describe.each(bundlers)('bundled by %s', (bundler) => {
  itUnless(noChromium, `a page learns on two threads, isolated or not (${bundler})`, async () => {
    const node = await learnInNode('wasm', {});
    for (const isolated of [true, false]) {
      const { atoms, ...learned } = await learnInPage(pages.get(bundler)!, isolated ? ISOLATED : {}, {});
      const missing = bundler === 'esbuild' ? ['/page-worker.js'] : []; // the worker starts from text
      expect(learned).toMatchObject({ isolated, threads: 2, backend: node.backend, status: 'converged' });
      expect([learned.complaints, learned.missing, learned.workers]).toEqual([[], missing, 0]);
      expect(atoms === node.atoms).toBe(true);
    }
  });
});

itUnless(noChromium, 'where a policy forbids WebAssembly, a page learns with js and says so', async () => {
  const options = { refine: 'none', maxIterations: 3 };
  const node = await learnInNode('js', options);
  const policy = { 'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'" };
  const { atoms, complaints, ...learned } = await learnInPage(pages.get('vite')!, { ...ISOLATED, ...policy }, options);
  expect(learned).toMatchObject({ isolated: true, threads: 2, backend: 'js', status: node.status });
  expect(complaints.length).toBe(1);
  expect(complaints[0]).toMatch(
    /^orthodict: WebAssembly cannot be used \(.*\): computing with the slower js kernels\.$/,
  );
  expect(atoms === node.atoms).toBe(true);
});

itUnless(noChromium, 'a page writes and reads pictures that are larger than its canvas may be', async () => {
  const server = await serveFolder(pages.get('vite')!);
  const page = await browser.newPage();
  try {
    await page.goto(server.url);
    await page.waitForFunction('window.keepsPicture');
    for (const [width, height] of [
      [3, 2],
      [70_000, 2],
      [5, 4100],
    ]) {
      expect(await page.evaluate(`window.keepsPicture(${width}, ${height})`)).toEqual([width, height, true]);
    }
  } finally {
    await page.close();
    await server.close();
  }
});
