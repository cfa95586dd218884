/** `orthodict mixture`. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { readArrays, writeArrays } from '#src/node/io/arrays.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const f = scratchDirectory().file;
const planted = generateMixture({ samples: 900, features: 9, clusters: 3, spread: 4, seed: 5 });

beforeAll(() => writeArrays(f('data.npz'), { samples: planted.samples }));

it('writes means, weights, variance and labels, and draws both pictures', async () => {
  const [picture, plot] = [f('means.png'), f('clusters.svg')];
  const args = ['mixture', f('data.npz'), '--clusters', '3', '--out', f('found.npz')];
  const told = await callJson(...args, '--picture', picture, '--plot', plot);
  expect(Object.keys(told)).toEqual(
    'status iterations starts repaired logLikelihood bic covariance variance clusters samples features seconds out picture plot'.split(
      ' ',
    ),
  );
  expect(told).toMatchObject({ status: 'converged', starts: [{ from: 'moments' }], samples: 900, features: 9 });

  const arrays = await readArrays(f('found.npz'));
  expect([...arrays].map(([name, { shape }]) => [name, shape])).toEqual([
    ['means', [3, 9]],
    ['weights', [3]],
    ['variance', []],
    ['covariances', []],
    ['labels', [900]],
    ['meta', []],
  ]);
  expect(arrays.get('variance')!.data[0]).toBe(told.variance);
  const labels = arrays.get('labels')!.data as Float64Array;
  const sizes = [0, 1, 2].map((k) => labels.filter((label) => label === k).length);
  expect(told.clusters.map((cluster: { samples: number }) => cluster.samples)).toEqual(sizes);
  // means are 17 σ apart on average: two samples share a label exactly if they share a true cluster
  const pairs = new Set(Array.from(labels, (label, l) => `${label} ${planted.labels[l]}`));
  expect(pairs.size).toBe(3);

  expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
  expect(readFileSync(plot, 'utf8').match(/class="mark-symbol role-mark layer_0_marks"/g)).toHaveLength(1);
});

it('prints the same as a table', async () => {
  const { code, stdout } = await callCli(['mixture', f('data.npz'), '--clusters', '3', '--out', f('words.npz')]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/log-likelihood +-[\d.]+ per sample\nBIC +\d+\nstatus +converged after \d+ steps/);
  expect(stdout).toMatch(/cluster +weight +samples +nearest mean\n[─ ]+\n0 +\d+\.\d % +\d+ +[\d.]+ deviations\n1 /);
});

it('refuses more clusters than samples in one line', async () => {
  const args = ['mixture', f('data.npz'), '--clusters', '901', '--out', f('never.npz')];
  expect(await callRefused(...args)).toBe('mixture: clusters must be at most 900 (900 samples); got 901.\n');
  expect(existsSync(f('never.npz'))).toBe(false);
});

it('stops at the moments with --refine none, and begins errors with the name of the command', async () => {
  const args = ['mixture', f('data.npz'), '--clusters', '3', '--out', f('moments.npz')];
  expect(await callJson(...args, '--refine', 'none')).toMatchObject({ status: 'converged', iterations: 0 });
  // clusters that are apart do not move at all after a few steps; these overlap
  const { samples } = generateMixture({ samples: 900, features: 9, clusters: 3, spread: 1, seed: 5 });
  await writeArrays(f('near.npz'), { samples });
  const near = ['mixture', f('near.npz'), '--clusters', '3', '--out', f('moments.npz')];
  expect(await callJson(...near, '--max-iterations', '1', '--tolerance', '1e-300')).toMatchObject({
    status: 'exhausted',
    iterations: 1,
  });
  expect(await callRefused(...args, '--starts', '-3')).toBe('mixture: starts must be a whole number from 1; got -3.\n');
  expect(await callRefused(...args, '--starts', '10001')).toBe('mixture: starts must be at most 10000; got 10001.\n');
  expect(await callRefused(...args, '--starts', 'x')).toBe('mixture: --starts must be a number; got "x".\n');
});

it('keeps the number of clusters of the smallest BIC, and draws it', async () => {
  const args = ['mixture', f('data.npz'), '--clusters', '1-4,6', '--covariance', 'spherical', '--out', f('chosen.npz')];
  const told = await callJson(...args, '--plot', f('bic.svg'));
  expect(told.tried.map((one: { clusters: number }) => one.clusters)).toEqual([1, 2, 3, 4, 6]);
  expect(told.bic).toBe(Math.min(...told.tried.map((one: { bic: number }) => one.bic)));
  expect(told.clusters).toHaveLength(3);
  const arrays = await readArrays(f('chosen.npz'));
  expect(arrays.get('covariances')!.shape).toEqual([3]);
  const meta = JSON.parse(String(arrays.get('meta')!.data[0]));
  expect(meta).toMatchObject({ covariance: 'spherical', bic: told.bic, tried: told.tried });
  expect(readFileSync(f('bic.svg'), 'utf8')).toContain('The smallest BIC has 3 clusters');
  const { stdout } = await callCli(args);
  expect(stdout).toMatch(/clusters +BIC +log-likelihood +status\s*\n[─ ]+\n1 +\d/);
  expect(stdout).toMatch(/\n3 +\d+ +-[\d.]+ +converged +kept/);
  expect(await callRefused('mixture', f('data.npz'), '--clusters', '4-2', '--out', f('never.npz'))).toBe(
    'mixture: --clusters must be comma-separated numbers, or a range such as 1-8; got "4-2".\n',
  );
});
