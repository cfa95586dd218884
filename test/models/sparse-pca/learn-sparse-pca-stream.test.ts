import { describe, expect, it } from 'vitest';
import { maxDifference, row } from '#src/core/matrix.ts';
import type { Progress } from '#src/engine/stop.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { learnSparsePcaStream } from '#src/models/sparse-pca/learn-sparse-pca-stream.ts';
import { SparsePcaStream } from '#src/models/sparse-pca/stream.ts';
import { generateSparseComponents, streamSparseComponents } from '#src/synthetic/sparse-components.ts';
import { testSeed } from '../../helpers/seed.ts';
import { plantedComponents, worth } from './helpers.ts';

const seed = testSeed(1);
const planted = plantedComponents(seed);
const endless = { features: 60, components: 3, nonzeros: 8, seed };

describe('one pass over planted components', () => {
  it('depends on the order of samples, not on batches', async () => {
    const one = new SparsePcaStream({ components: 3, gamma: 0.3 });
    for (let j = 0; j < 50; j++) one.partialFit(row(planted.samples, j));
    const all = new SparsePcaStream({ components: 3, gamma: 0.3 });
    all.partialFit({ rows: 50, cols: 500, data: planted.samples.data.subarray(0, 50 * 500) });
    expect((await all.result()).loadings).toEqual((await one.result()).loadings);
  });

  it('equals the batch method if the reserve holds all samples', async () => {
    const { samples } = generateSparseComponents({ ...endless, samples: 30 });
    for (const center of [true, false]) {
      const options = { components: 3, gamma: 0.4, center };
      const stream = await learnSparsePcaStream([samples], { ...options, reserve: 30 });
      const batch = await learnSparsePca(samples, options);
      expect(stream.kept).toBeCloseTo(1, 10);
      expect(stream.totalVariance).toBeCloseTo(batch.totalVariance, 8);
      expect(
        maxDifference(
          { ...batch.loadings, rows: 1, cols: 60, data: stream.mean },
          { rows: 1, cols: 60, data: batch.mean },
        ),
      ).toBeLessThan(1e-12);
      expect(stream.objective).toBeGreaterThan(0.98 * batch.objective);
    }
  });

  it('gives components at any time, and continues', async () => {
    const stream = new SparsePcaStream({ components: 3, nonzeros: 8 });
    const source = streamSparseComponents(endless);
    let kept = 0;
    for (const until of [200, 1000]) {
      while (stream.seen < until) stream.partialFit(source.next().value!);
      const result = await stream.result();
      expect(result.samples).toBe(until);
      expect(result.support.map((features) => features.length)).toEqual([8, 8, 8]);
      kept = result.kept;
    }
    expect(kept).toBeGreaterThan(0.5);
  });

  it('without a reserve still finds components, but worse ones', async () => {
    const { loadings } = await learnSparsePcaStream([planted.samples], { components: 5, gamma: 0.5, reserve: 0 });
    expect(await worth(planted.samples, loadings, 0.5)).toBeGreaterThan(0);
  });
});

describe('the state of a stream', () => {
  it.each([{ nonzeros: 8 }, { gamma: 0.4, reserve: 4, rotations: 6 }, { gamma: 0.4, reserve: 0 }])(
    'goes on to the last bit: %o',
    async (options) => {
      const source = streamSparseComponents(endless);
      const stream = new SparsePcaStream({ components: 3, ...options });
      let resumed = SparsePcaStream.resume(structuredClone(stream.state()));
      for (let j = 0; j < 300; j++) {
        const sample = source.next().value!;
        stream.partialFit(sample);
        resumed.partialFit(sample);
        if (j % 70 === 3) resumed = SparsePcaStream.resume(structuredClone(resumed.state()));
      }
      expect(resumed.state()).toEqual(stream.state());
      expect(await resumed.result()).toEqual(await stream.result());
    },
  );

  it('is a copy', () => {
    const stream = new SparsePcaStream({ components: 2, gamma: 0.1 }).partialFit([1, 2, 3]);
    const state = stream.state();
    const before = structuredClone(state);
    stream.partialFit([3, 1, 0]);
    SparsePcaStream.resume(state).partialFit([0, 1, 0]);
    expect(state).toEqual(before);
  });

  it('is refused if it does not match the options', () => {
    const { sketch } = new SparsePcaStream({ components: 2, gamma: 0.1 }).partialFit([1, 2, 3]).state();
    const options = { components: 3, gamma: 0.1 };
    expect(() => SparsePcaStream.resume({ options, sketch })).toThrow(
      'SparsePcaStream: state.rows must be 19×3, finite; got 18×3.',
    );
    const spoiled = { ...sketch!, energy: Number.NaN };
    expect(() => SparsePcaStream.resume({ options: { components: 2, gamma: 0.1 }, sketch: spoiled })).toThrow(
      'state.energy must be a finite number from 0; got NaN.',
    );
  });
});

describe('streams that end early', () => {
  it('an abort leaves the components of what was seen', async () => {
    const controller = new AbortController();
    const onProgress = ({ solver, iteration }: Progress) => {
      if (solver === 'stream' && iteration === 500) controller.abort();
    };
    const result = await learnSparsePcaStream(
      streamSparseComponents(endless),
      { components: 3, gamma: 0.5 },
      { signal: controller.signal, onProgress },
    );
    expect(result.status).toBe('aborted');
    expect(result.samples).toBe(500);
    expect(result.support.every((features) => features.length > 0)).toBe(true);
  });

  it('a source that fails, or a bad sample, leaves what came before', async () => {
    const stream = new SparsePcaStream({ components: 2, gamma: 0.1 });
    const bad = Float64Array.of(1, Number.POSITIVE_INFINITY, 0);
    for (const sample of [
      [1, 2, 3],
      [2, 1, 0],
      [0, 1, 1],
    ])
      stream.partialFit(sample);
    expect(() => stream.partialFit(bad)).toThrow(
      'SparsePcaStream: samples must be finite; got Infinity at row 3, column 1.',
    );
    expect(() => stream.partialFit([1, 2])).toThrow('sample 3 must be 3 numbers long, like the previous ones; got 2.');
    expect((await stream.result()).samples).toBe(3);
  });

  it('refuses streams without components', async () => {
    const options = { components: 2, gamma: 0.1 };
    await expect(learnSparsePcaStream([], options)).rejects.toThrow('stream must be of at least one sample; got none.');
    await expect(learnSparsePcaStream([[1, 2, 3]], options)).rejects.toThrow(
      'at least as many samples as components, 2',
    );
    await expect(
      learnSparsePcaStream(
        [
          [1, 2],
          [1, 2],
        ],
        options,
      ),
    ).rejects.toThrow('got 2 equal ones');
    await expect(learnSparsePcaStream([[1]], options)).rejects.toThrow('at most the number of features, 1; got 2');
    expect(() => new SparsePcaStream({ components: 2 })).toThrow(
      'one of gamma, nonzeros and totalNonzeros must be given, and no other',
    );
  });
});
