/** `generate`, the command for its kind, then `evaluate`; and what `generate` refuses. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readArrays } from '#src/node/io/arrays.ts';
import { callJson, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const f = scratchDirectory().file;

async function json(line: string): Promise<Record<string, number>> {
  const words = line.split(' ').map((word) => word.replace(/^\w+\.npz/, (name) => f(name)));
  return callJson(...words);
}

const shapes = async (name: string) =>
  Object.fromEntries([...(await readArrays(f(name)))].map(([array, { shape }]) => [array, shape]));

describe('the truth comes back', () => {
  it('sparse components', async () => {
    const kind =
      'sparse-components --samples 200 --features 60 --components 3 --nonzeros 6 --noise 0.5 --deviations 9,5';
    expect(await json(`generate --kind ${kind} --seed 1 --out planted.npz`)).toEqual({
      kind: 'sparse-components',
      samples: 200,
      features: 60,
      components: 3,
      nonzeros: 6,
      seed: 1,
      out: f('planted.npz'),
    });
    expect(await shapes('planted.npz')).toEqual({ samples: [200, 60], loadings: [3, 60] });
    await json('sparse-pca planted.npz --components 3 --nonzeros 6 --out sparse.npz');
    expect(await json('evaluate sparse.npz --truth planted.npz:loadings')).toMatchObject({
      exact: 3,
      nonzerosFound: 18,
      nonzeros: 18,
      nonzerosWrong: 0,
      components: 3,
    });
  });

  it('topics', async () => {
    const kind = 'topics --samples 1000 --features 60 --topics 3 --length 60 --alpha0 0.3 --concentration 0.2';
    await json(`generate --kind ${kind} --seed 1 --out counts.npz`);
    expect(await shapes('counts.npz')).toMatchObject({ indptr: [1001], shape: [2], format: [], topics: [3, 60] });
    await json('topics counts.npz --topics 3 --alpha0 0.3 --out topics.npz');
    const { topics, meanDistance, maxDistance } = await json('evaluate topics.npz --truth counts.npz');
    expect(topics).toBe(3);
    // 20,000 words per topic over a vocabulary of 60 leave an l1 distance of about √(2·60/π/20,000) = 0.04
    expect(meanDistance).toBeLessThan(0.1);
    expect(maxDistance).toBeGreaterThanOrEqual(meanDistance);
  });

  it('clusters', async () => {
    await json('generate --kind mixture --samples 900 --features 9 --clusters 3 --spread 4 --seed 5 --out mixed.npz');
    expect(await shapes('mixed.npz')).toEqual({ samples: [900, 9], means: [3, 9], labels: [900] });
    await json('mixture mixed.npz --clusters 3 --out found.npz');
    const { means, maxDistance } = await json('evaluate found.npz --truth mixed.npz:means');
    expect(means).toBe(3);
    expect(maxDistance).toBeLessThan(0.4); // σ√(d/n_k) = 0.17
    expect(await json('evaluate found.npz --truth mixed.npz:labels')).toEqual({ agreement: 1, purity: 1 });
  });
});

describe('refused in one line', () => {
  it.each([
    ['--features 4', 'generate: --kind bernoulli-gaussian must come with --theta; got none.'],
    [
      '--features 4 --kind mixture --clusters 2 --theta .3',
      'generate: --theta must be given with --kind bernoulli-gaussian or householder only; got --theta with mixture.',
    ],
    [
      '--features 9 --kind sparse-components --components 2 --nonzeros 3 --deviations 5',
      'generate: --deviations must be two numbers, such as 10,6; got "5".',
    ],
  ])('%s', async (flags, message) => {
    const line = await callRefused('generate', '--samples', '9', ...flags.split(' '), '--out', f('never.npz'));
    expect(line).toBe(`${message}\n`);
    expect(existsSync(f('never.npz'))).toBe(false);
  });
});
