/** Names by which experiments are chosen. */
import { expect, it } from 'vitest';
import { experiments, groups, selectExperiments } from '#src/experiments/index.ts';

const select = (...names: string[]) => selectExperiments(names).map(({ name }) => name);

it('a figure in parts is chosen by its own name, and each part by its', () => {
  expect(select('figure8')).toEqual(['figure8a', 'figure8b', 'figure8c']);
  expect(select('figure8b')).toEqual(['figure8b']);
  expect(select('figure7', 'figure7b', 'figure3')).toEqual(['figure3', 'figure7a', 'figure7b']);
});

it('the figures of the short paper are those of the long one that show the same', () => {
  expect([1, 2, 3, 4, 5].map((k) => select(`l4-short-figure${k}`))).toEqual([
    ['figure5'],
    ['figure6'],
    ['figure8a'],
    ['figure8b', 'figure8c'],
    ['figure7a', 'figure7b'],
  ]);
  expect(select('l4-short')).toEqual(expect.arrayContaining(['figure5', 'figure6', 'figure7a', 'figure8c']));
});

it('all is everything, and no alias is the name of an experiment or of a group', () => {
  expect(selectExperiments(['all'])).toEqual(experiments);
  const taken = new Set([...experiments.map(({ name }) => name), ...groups, 'all']);
  expect(experiments.flatMap(({ aliases = [] }) => aliases).filter((alias) => taken.has(alias))).toEqual([]);
});

it('an unknown name is refused with those there are', () => {
  expect(() => selectExperiments(['figure99'])).toThrow(/figure8a, .*figure8, .*l4, householder, all; got "figure99"/);
});
