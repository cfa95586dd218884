// Learns the same dictionary in Node and in chromium, from the same samples and start on the same number of threads, and prints
// the median times, their ratio, whether the atoms are the same bytes, and the page's tasks of more than 50 ms. The
// refinement estimates its thresholds with Math.exp and similar functions, which round differently in Node and in a browser,
// so the bytes are compared without refinement.
//
//     npm run compare:browser [-- --threads 2 --samples 40000 --features 100 --times 5]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../dist/core/random.js';
import { randomOrthogonal } from '../dist/linalg/qr.js';
import { createNodeExecutor, learn, shareMatrix } from '../dist/node/index.js';
import { generate } from '../dist/synthetic/bernoulli-gaussian.js';
import { bundle } from '../test/helpers/bundlers.ts';
import { ISOLATED, openChromium, serveFolder } from '../test/helpers/chromium.ts';

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '2' },
    samples: { type: 'string', default: '40000' },
    features: { type: 'string', default: '100' },
    times: { type: 'string', default: '5' },
  },
});
const [threads, p, features, times] = ['threads', 'samples', 'features', 'times'].map((name) => Number(values[name]));
const samples = shareMatrix(generate({ samples: p, features, theta: 0.3, seed: 1 }).samples);
const start = randomOrthogonal(features, createRandom(1, 'start'));
const PLAIN = { refine: 'none' };
const bytesOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** Median time, without the first run, which includes compilation. */
function median([, ...seconds]) {
  return seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)];
}

async function inNode() {
  const executor = await createNodeExecutor({ threads, backend: 'wasm' });
  await executor.warm?.();
  const results = [];
  for (let k = 0; k <= times; k++) results.push(await learn(samples, { start }, { executor }));
  const { dictionary } = await learn(samples, { start, ...PLAIN }, { executor });
  await executor.close();
  const atoms = bytesOf(dictionary.atoms).toString('base64');
  return { backend: results[0].backend, seconds: results.map(({ seconds }) => seconds), atoms };
}

async function inPage(folder) {
  const page = await bundle('vite', folder);
  writeFileSync(join(page, 'samples.bin'), bytesOf(samples));
  writeFileSync(join(page, 'start.bin'), bytesOf(start));
  const server = await serveFolder(page, { headers: ISOLATED });
  const browser = await openChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(server.url);
    await tab.waitForFunction('window.learn');
    const learnIn = (options, repeat) =>
      tab.evaluate(`window.learn(${JSON.stringify({ threads, backend: 'wasm', features, options, times: repeat })})`);
    const { atoms } = await learnIn(PLAIN, 1);
    return { ...(await learnIn({}, times + 1)), atoms };
  } finally {
    await browser.close();
    await server.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'orthodict-compare-'));
try {
  const [node, page] = [await inNode(), await inPage(folder)];
  for (const [where, { backend, seconds }] of Object.entries({ node, page })) {
    console.log(`${where}: ${median(seconds).toFixed(3)} s (first ${seconds[0].toFixed(3)} s) on ${backend}`);
  }
  console.log(`ratio: ${(median(page.seconds) / median(node.seconds)).toFixed(2)}`);
  console.log(`the same bytes: ${page.atoms === node.atoms ? 'yes' : 'no'}`);
  console.log(`tasks of the page over 50 ms: ${page.longTasks.map(Math.round).join(', ') || 'none'}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
