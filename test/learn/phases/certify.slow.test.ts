/** A search follows where it may find better atoms, and not where codes have heavy tails instead of zeros. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inlineExecutor } from '#src/engine/executor.ts';
import { learn } from '#src/learn/learn.ts';
import { policy } from '#src/learn/policy.ts';
import { readMatrix } from '#src/node/index.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(3);
const run = { executor: inlineExecutor(fastKernels) };
const zca = { whiten: 'zca', seed } as const;

const digits = () => readMatrix(fileURLToPath(new URL('../../../data/digits.npz:samples', import.meta.url)));
const phasesOf = ({ path }: Awaited<ReturnType<typeof learn>>): string[] => path.map(({ phase }) => phase);

describe('digits, whitened: heavy tails without zeros', () => {
  it('are not searched, unless asked to', async () => {
    expect(phasesOf(await learn(await digits(), zca, run))).not.toContain('fallback');
    expect(phasesOf(await learn(await digits(), { ...zca, fallback: 0.2 }, run))).toContain('fallback');
  });

  it('end near where exploring ends, for a bounded number of steps more', async () => {
    const { path, refined } = await learn(await digits(), zca, run);
    expect(refined).toBe(false);
    const steps = (kinds: readonly string[]) =>
      path.filter(({ phase }) => kinds.includes(phase)).reduce((sum, { iterations }) => sum + iterations, 0);
    const { approachSteps, probation } = policy.refine;
    expect(steps(['refine'])).toBeLessThanOrEqual(approachSteps + 1 + probation.steps);
    expect(steps(['certify'])).toBeLessThanOrEqual(policy.certify.steps);
  });
});

it('very sparse codes with noise, whose tails are as heavy, are searched: other starts lead to the same atoms', async () => {
  const data = generate({ samples: 1000, features: 20, theta: 0.1, noise: 0.1, condition: 4, seed });
  const result = await learn(data.samples, zca, run);
  expect(phasesOf(result)).toContain('fallback');
  expect(result.certainty?.reproducible).toBe(true);
});

it('few samples of less sparse codes are searched, and found', async () => {
  const data = generate({ samples: 900, features: 40, theta: 0.5, condition: 5, seed });
  const result = await learn(data.samples, zca, run);
  expect(phasesOf(result)).toContain('fallback');
  expect(result.certainty?.certified).toBe(40);
});

it('the path adds up to the iterations and passes of the run', async () => {
  const data = generate({ samples: 900, features: 40, theta: 0.5, condition: 5, seed });
  const { path, iterations, passes } = await learn(data.samples, zca, run);
  const total = (name: 'iterations' | 'passes') => path.reduce((sum, step) => sum + step[name], 0);
  expect(total('iterations')).toBe(iterations);
  expect(total('passes')).toBeLessThanOrEqual(passes - 1); // the survey comes before, the remarks after
  expect(total('passes')).toBeGreaterThan(passes - 6);
});
