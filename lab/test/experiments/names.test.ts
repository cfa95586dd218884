/** Selecting experiments by name. */
import { expect, it } from 'vitest';
import { experiments, groups, selectExperiments } from '#lab/experiments/index.ts';

const select = (...names: string[]) => selectExperiments(names).map(({ name }) => name);

it('a figure with parts can be selected as a whole, and each part by its own name', () => {
  expect(select('figure8')).toEqual(['figure8a', 'figure8b', 'figure8c']);
  expect(select('figure8b')).toEqual(['figure8b']);
  expect(select('figure7', 'figure7b', 'figure3')).toEqual(['figure3', 'figure7a', 'figure7b']);
});

it('the figures of the short paper select the matching ones of the long paper', () => {
  expect([1, 2, 3, 4, 5].map((k) => select(`l4-short-figure${k}`))).toEqual([
    ['figure5'],
    ['figure6'],
    ['figure8a'],
    ['figure8b', 'figure8c'],
    ['figure7a', 'figure7b'],
  ]);
  expect(select('l4-short')).toEqual(expect.arrayContaining(['figure5', 'figure6', 'figure7a', 'figure8c']));
});

it('all selects everything, and no alias equals the name of an experiment or group', () => {
  expect(selectExperiments(['all'])).toEqual(experiments);
  const taken = new Set([...experiments.map(({ name }) => name), ...groups, 'all']);
  expect(experiments.flatMap(({ aliases = [] }) => aliases).filter((alias) => taken.has(alias))).toEqual([]);
});

it('an unknown name is refused with a list of the known ones', () => {
  expect(() => selectExperiments(['figure99'])).toThrow(
    /figure8a, .*figure8, .*l4, .*householder, .*all; got "figure99"/,
  );
});
