/** What `npm pack` puts into the package. `npm run check:package` and `npm run runtimes` look at how it works. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

it('the package has what it needs, and is small', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const printed = execFileSync('npm', args, { cwd: root, encoding: 'utf8' });
  const packed = JSON.parse(printed);
  const { size, files } = (Array.isArray(packed) ? packed[0] : Object.values(packed)[0]) as {
    size: number;
    files: { path: string }[];
  };
  const paths = files.map(({ path }) => path);
  expect(size).toBeLessThan(1.5e6);
  expect(paths.filter((path) => /\.map$|^docs\/results|^(src|test|scripts|api)\//.test(path))).toEqual([]);
  for (const path of ['dist/index.js', 'dist/index.d.ts', 'dist/node/index.d.ts', 'dist/cli/main.js', 'LICENSE']) {
    expect(paths).toContain(path);
  }
  for (const folder of ['data/', 'examples/', 'docs/images/']) {
    expect(
      paths.some((path) => path.startsWith(folder)),
      folder,
    ).toBe(true);
  }
});
