/** Streams of small batches: what they have found at the end, compared with the true atoms. */
import { describe, expect, it } from 'vitest';
import { type Matrix, type Matrix64, rowRange, unitRows } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import type { StreamLearnerOptions } from '#src/learn/option-types.ts';
import { StreamLearner } from '#src/learn/stream/stream-learner.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import type { GenerateOptions } from '#src/synthetic/option-types.ts';
import { product } from '../../helpers/matrices.ts';

/** The reference kernels give the same bits on every machine; with a few other seeds some of these streams end otherwise. */
const seed = 1;
const run = { executor: inlineExecutor(referenceKernels) };
const SIZE = { samples: 2400, features: 4 };

interface Problem {
  readonly samples: Matrix;
  readonly atoms: Matrix64;
}

/** Codes without zeros, of atoms that are not orthogonal. */
function laplace(): Problem {
  const random = createRandom(seed, 'laplace');
  const draw = () => (random.uniform() < 0.5 ? 1 : -1) * Math.log(1 - random.uniform());
  const codes = Float64Array.from({ length: SIZE.samples * SIZE.features }, draw);
  const atoms = unitRows(normalMatrix(4, 4, random));
  return { samples: product({ rows: SIZE.samples, cols: SIZE.features, data: codes }, atoms), atoms };
}

const sparse = (data: Partial<GenerateOptions>): Problem => generate({ ...SIZE, theta: 0.3, seed, ...data });

async function followed({ samples, atoms }: Problem, options: StreamLearnerOptions) {
  if (options.center) for (let at = 0; at < samples.data.length; at++) samples.data[at] += at % 4;
  const learner = new StreamLearner({ seed, first: 600, ...options });
  for (let at = 0; at < samples.rows; at += 300) await learner.partialFit(rowRange(samples, at, at + 300), run);
  const { dictionary, refined, samples: seen, energies } = await learner.result(run);
  const total = Array.from(energies ?? []).reduce((sum, share) => sum + share, 0);
  return { refined, seen, total, error: matchAtoms(dictionary.atoms, atoms).maxAtomError, dictionary };
}

describe.each([false, true])('of samples with an offset: %s, a stream', (center) => {
  it('has exact codes exactly', async () => {
    const { refined, seen, total, error } = await followed(sparse({}), { center });
    expect([refined, seen]).toEqual([true, 2400]);
    expect(error).toBeLessThan(1e-9);
    expect(total).toBeCloseTo(1, 6);
    const complete = await followed(sparse({ condition: 4 }), { whiten: 'zca', center });
    expect([complete.refined, complete.seen]).toEqual([true, 2400]);
    expect(complete.error).toBeLessThan(1e-9);
  });

  // the standard error of an atom is about that of a mean of 2400 samples, a fiftieth
  it.each<[string, Partial<GenerateOptions>, StreamLearnerOptions]>([
    ['orthogonal', {}, {}],
    ['complete', { condition: 4 }, { whiten: 'zca' }],
  ])('follows noisy samples to an error that their noise explains: %s', async (_, data, options) => {
    const { seen, error } = await followed(sparse({ noise: 0.1, ...data }), { ...options, center });
    expect(seen).toBe(2400);
    expect(error).toBeLessThan(0.2);
    expect(error).toBeGreaterThan(1e-6);
  });

  it('of codes without zeros refines nothing', async () => {
    const complete = await followed(laplace(), { whiten: 'zca', center });
    expect([complete.refined, complete.seen]).toEqual([false, 2400]);
    expect(complete.error).toBeLessThan(0.2);
    const orthogonal = await followed(laplace(), { center });
    expect(orthogonal.refined).toBe(false);
    expect(orthogonal.total).toBeCloseTo(1, 6);
  });
});

it.each<[string, Partial<GenerateOptions>, StreamLearnerOptions, seen: number]>([
  ['counts the samples of its window', { noise: 0.1 }, { window: 400 }, 400],
  ['follows denser codes', { theta: 0.6, noise: 0.02 }, {}, 2400],
  ['begins with few samples', { noise: 0.02 }, { first: 80 }, 2400],
])('a stream %s', async (_, data, options, expected) => {
  const { seen, error } = await followed(sparse(data), options);
  expect(seen).toBe(expected);
  expect(error).toBeLessThan(0.2);
});
