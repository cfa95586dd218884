import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { loadPackages } from '#src/node/optional-packages.ts';

const absent = async (): Promise<never> => {
  throw Object.assign(new Error("Cannot find package 'x' imported from /home/somebody/file.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
};

async function refusal(loaders: Parameters<typeof loadPackages>[2]): Promise<string> {
  const error = await loadPackages('chart', 'charts', loaders).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe('optional packages', () => {
  it('are loaded by their names', async () => {
    const { path, url } = await loadPackages('test', 'paths', { path: () => import('node:path'), url: async () => 3 });
    expect(path.basename('a/b')).toBe('b');
    expect(url).toBe(3);
  });

  it('are named in one line if they are missing: those that are, and no path of this machine', async () => {
    expect(await refusal({ sharp: absent })).toBe(
      'chart: the package sharp is needed for charts; install it with npm install sharp.',
    );
    expect(await refusal({ vega: absent, 'vega-lite': absent, present: async () => 1, resvg: absent })).toBe(
      'chart: the packages vega, vega-lite and resvg are needed for charts; install them with npm install vega vega-lite resvg.',
    );
    const required = () => {
      throw Object.assign(new Error("Cannot find module 'y'"), { code: 'MODULE_NOT_FOUND' });
    };
    expect(await refusal({ y: required })).toContain('npm install y.');
  });

  it('give the first line of the reason if they are there and cannot be loaded', async () => {
    const broken = async () => {
      throw new Error('no binary for this platform\nPossible solutions: …');
    };
    expect(await refusal({ sharp: broken })).toBe(
      'chart: the package sharp is needed for charts; install it with npm install sharp (no binary for this platform).',
    );
  });
});
