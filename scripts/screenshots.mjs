// Makes the pictures of the playground from the built page: docs/images/playground-TAB.png, light, 1280×800.
// `--all DIR` makes one of every tab, size and colour scheme into DIR instead, to look at.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen } from '../dist/cli/page-server/listen.js';
import { readSite } from '../dist/cli/page-server/site.js';
import { load, newPage, SCHEMES, SIZES, TABS, untilReady } from '../test/browser/pages/page.ts';
import { openChromium } from '../test/helpers/chromium.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { folder, looks } = wanted(process.argv.slice(2));

mkdirSync(folder, { recursive: true });
const server = await listen(await readSite(join(root, 'dist/playground')), 0);
const browser = await openChromium();
try {
  for (const look of looks) await makePicture(look);
} finally {
  await Promise.all([browser.close(), server.close()]);
}

/** The pictures to make, and their files. */
function wanted(args) {
  if (args.length === 0) {
    const looks = TABS.map((tab) => ({ name: `playground-${tab}`, tab, colorScheme: 'light', ...SIZES.laptop }));
    return { folder: join(root, 'docs/images'), looks };
  }
  if (args[0] !== '--all' || args.length !== 2)
    throw new Error('screenshots: must be called with --all DIR or nothing.');
  const looks = TABS.flatMap((tab) =>
    Object.entries(SIZES).flatMap(([size, shape]) =>
      SCHEMES.map((colorScheme) => ({ name: `${tab}-${size}-${colorScheme}`, tab, colorScheme, ...shape })),
    ),
  );
  return { folder: args[1], looks };
}

/** Makes one picture. On a phone it shows the whole page, since people scroll there. */
async function makePicture({ name, tab, ...look }) {
  const page = await newPage(browser, look);
  await load(page, server.address, tab === 'home' ? 'data' : tab);
  if (tab === 'home') await takeHome(page);
  const isPhone = look.width === SIZES.phone.width;
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide', fullPage: isPhone });
  await page.context().close();
  const path = join(folder, `${name}.png`);
  const small = await reduced(png);
  writeFileSync(path, small);
  console.log(`${path}: ${Math.ceil(small.length / 1000)} kB`);
}

/** Goes from the result of another tab to the tab where it can be downloaded. */
async function takeHome(page) {
  await page.getByRole('button', { name: 'Take it home' }).click();
  await untilReady(page, 'home');
  await page.evaluate('scrollTo(0, 0)');
}

/** Reduces a picture to a palette of 256 colours, if sharp is installed. */
async function reduced(png) {
  try {
    const { default: sharp } = await import('sharp');
    return await sharp(png).png({ palette: true, effort: 10 }).toBuffer();
  } catch {
    return png;
  }
}
