/** The tab "Your data" in chromium: tables in, models and codes out, as the command line and NumPy read and make them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { callCli } from '../../helpers/call-cli.ts';
import { noChromium } from '../../helpers/chromium.ts';
import { describeWithNumpy, python } from '../../helpers/numpy.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { testSeed } from '../../helpers/seed.ts';
import { describeUnless } from '../../helpers/skip.ts';
import { playground } from './playground.ts';

const NAMES = ['length', 'width', 'height', 'weight', 'age', 'speed'];
const { samples } = generate({ samples: 600, features: NAMES.length, theta: 0.3, seed: testSeed(7) });

/** The table as text, with a column of words. */
function tableText(change: (row: number, fields: string[]) => string[] = (_, fields) => fields): string {
  const lines = Array.from({ length: samples.rows }, (_, k) => {
    const row = samples.data.subarray(k * samples.cols, (k + 1) * samples.cols);
    return change(k, [k % 2 ? 'odd' : 'even', ...Array.from(row, String)]).join(',');
  });
  return `${[['kind', ...NAMES].join(','), ...lines].join('\n')}\n`;
}

describeUnless(noChromium, 'your data', () => {
  const scratch = scratchDirectory();
  const { openPlayground } = playground();
  /** Nothing is learned before the test asks for it. */
  const openEmpty = () => openPlayground({ tab: 'data?data=own' });
  const csv = scratch.file('table.csv');
  beforeAll(() => writeFileSync(csv, tableText()));

  it('learns from a dropped CSV with a column of words what the command line learns', async () => {
    const page = await openEmpty();
    await drop(page, csv);
    await page.getByText('6 of 7 columns used (1 is text)').waitFor();
    expect(await page.getByRole('checkbox', { name: 'kind' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'age' }).uncheck();
    await learn(page);
    expect(await page.getByRole('region', { name: 'Result' }).textContent()).toMatch(
      /\d numbers? per row keeps? \d+(\.\d)? % of the energy; PCA needs \d for as much/,
    );
    expect(await page.getByRole('region', { name: 'Atoms', exact: true }).textContent()).toContain('5 atoms');

    await page.getByRole('button', { name: 'Take it home' }).click();
    const model = await download(page, 'model.npz');
    const { atoms, features } = await json('inspect', model);
    expect([atoms, features]).toEqual([5, 5]);

    const text = readFileSync(await download(page, 'atoms.csv'), 'utf8')
      .trimEnd()
      .split('\n');
    expect([text[0], text.length]).toEqual(['length,width,height,weight,speed', 6]);
    expect(readFileSync(await download(page, 'energy.svg'), 'utf8')).toMatch(/^<svg .*energy missing.*<\/svg>$/s);

    const shown = await page.getByRole('article', { name: 'Your data' }).locator('pre').first().textContent();
    const command = shown!.split('\n');
    expect(command[0]).toMatch(/^orthodict learn table\.csv --drop kind,age --center --starts 4 --holdout 0\.2 --out/);
    const again = scratch.file('again.npz');
    const inPlace = (line: string) =>
      line
        .split(' ')
        .slice(1)
        .map(
          (word) => ({ 'table.csv': csv, 'model.npz': again, 'codes.npz': scratch.file('codes.npz') })[word] ?? word,
        );
    for (const line of command) expect(await callCli(inPlace(line)), line).toMatchObject({ code: 0 });
    // single precision explores, double refines: the backends differ by rounding
    expect((await json('evaluate', model, '--truth', `${again}:atoms`)).maxAtomError).toBeLessThan(1e-5);
    expect((await json('evaluate', model, '--data', csv, '--drop', 'kind,age')).samples).toBe(600);
  });

  it('restores the settings of a link', async () => {
    const page = await openPlayground({ tab: 'data?data=digits&starts=2&components=12&center=false' });
    expect(await page.getByRole('slider', { name: 'Starts' }).inputValue()).toBe('2');
    expect(await page.getByRole('slider', { name: 'Atoms' }).inputValue()).toBe('12');
    expect(await page.getByRole('checkbox', { name: 'Centre' }).isChecked()).toBe(false);
    expect(await page.getByRole('region', { name: 'Atoms', exact: true }).textContent()).toContain('12 atoms');
    await page.getByRole('checkbox', { name: 'Hold out 20 %' }).uncheck();
    await expect
      .poll(() => new URL(page.url()).hash)
      .toBe('#data?data=digits&center=false&components=12&starts=2&holdout=false');
  });

  it('keeps the settings of a link for the file that it was made for, not for a pasted table', async () => {
    const page = await openPlayground({ tab: 'data?data=own&file=table.csv&columns=2-4&starts=1' });
    await page.getByText('This link was made for table.csv').waitFor();
    await page.locator('input[type=file]').setInputFiles(csv);
    await page.getByText('3 of 7 columns used (1 is text)').waitFor();
    // another table is used whole
    await page.evaluate(
      (text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
      },
      tableText().replaceAll(',', '\t'),
    );
    await page.getByText('pasted.tsv').waitFor();
    await page.getByText('6 of 7 columns used (1 is text)').waitFor();
  });

  it('says what is wrong with a file, and where', async () => {
    const page = await openEmpty();
    const files = page.locator('input[type=file]');
    await files.setInputFiles({ name: 'broken.npy', mimeType: '', buffer: Buffer.from('no numbers') });
    expect(await page.getByRole('alert').textContent()).toMatch(/^broken\.npy: /);

    const gap = tableText((row, fields) => (row === 17 ? fields.with(3, '') : fields));
    await files.setInputFiles({ name: 'gap.csv', mimeType: 'text/csv', buffer: Buffer.from(gap) });
    await page.getByText('6 of 7 columns used').first().waitFor();
    await page.getByRole('button', { name: 'Learn', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/gap\.csv.*(line 19|row 17)/);
    await page.getByText('More options').click();
    await page.getByText('Drop row').click();
    await learn(page);
    expect(await page.getByRole('region', { name: 'Codes' }).textContent()).toContain('of 599');
  });

  describeWithNumpy('with NumPy', () => {
    it('learns from a .npy, and gives codes and a model that NumPy reads', async () => {
      const npy = scratch.file('samples.npy');
      python(
        `import sys, numpy as np
np.save(sys.argv[2], np.loadtxt(sys.argv[1], delimiter=',', skiprows=1, usecols=range(1, 7)).astype(np.float32))`,
        csv,
        npy,
      );
      const page = await openEmpty();
      await page.locator('input[type=file]').setInputFiles(npy);
      await page.getByText('npy, 600 rows').waitFor();
      await learn(page);
      await page.getByRole('button', { name: 'Take it home' }).click();
      const [model, codes, text] = [
        await download(page, 'model.npz'),
        await download(page, 'codes.npz'),
        await download(page, 'codes.csv'),
      ];
      const [shape, dtype, orthogonality, difference, fromText] = JSON.parse(
        python(
          `import sys, json, numpy as np
npy, model, codes, text = sys.argv[1:]
m, x = np.load(model), np.load(codes)['codes']
a, y = m['atoms'].astype(float), np.load(npy).astype(float)
t = np.loadtxt(text, delimiter=',', skiprows=1)
print(json.dumps([x.shape, m['atoms'].dtype.str, np.abs(a @ a.T - np.eye(6)).max(), np.abs((y - m['mean']) @ a.T - x).max(), np.abs(t - x).max()]))`,
          npy,
          model,
          codes,
          text,
        ),
      );
      expect(shape).toEqual([600, 6]);
      expect(dtype).toBe('<f4');
      expect(orthogonality).toBeLessThan(7 * 2 ** -23); // six products of two rounded numbers, and their sum
      expect(difference).toBeLessThan(1e-5); // codes of float32 samples are float32
      expect(fromText).toBeLessThan(1e-6); // loadtxt reads the shortest text of a float32 as a double
    });
  });

  async function download(page: Page, name: string): Promise<string> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Download ${name}` }).click(),
    ]);
    const path = scratch.file(`downloaded-${name}`);
    await file.saveAs(path);
    await page.getByText(`Saved ${name}`).waitFor();
    return path;
  }
});

/** As a file manager does. */
async function drop(page: Page, path: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    { name: basename(path), text: readFileSync(path, 'utf8') },
  );
  await page.getByRole('region', { name: 'Choose your own table' }).dispatchEvent('drop', { dataTransfer });
}

async function learn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Learn', exact: true }).click();
  await page.getByRole('region', { name: 'Result' }).waitFor();
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await callCli([...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
