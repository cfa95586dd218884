import { expect, it } from 'vitest';
import { sparsePca } from '#src/models/sparse-pca/sparse-pca.ts';
import { sparsePcaOfStream } from '#src/models/sparse-pca/stream.ts';
import { testSeed } from '../../helpers/seed.ts';
import { found, plantedComponents, worth } from './helpers.ts';

const planted = plantedComponents(testSeed(1));

it.each([{ gamma: 0.5 }, { nonzeros: 20 }])(
  'one pass over planted components is worth nearly as much as the batch method: %o',
  async (sparsity) => {
    const options = { components: 5, ...sparsity };
    const stream = await sparsePcaOfStream([planted.samples], options);
    const batch = await sparsePca(planted.samples, options);
    const [streamed, best] = [
      await worth(planted.samples, stream.loadings, 0.5),
      await worth(planted.samples, batch.loadings, 0.5),
    ];
    expect(streamed / best).toBeGreaterThan(0.95);
    expect(found(stream.support, planted.support)).toBe(5);
  },
);
