import { describe, expect, it } from 'vitest';
import { entries, exportsByEntry } from './declarations.ts';

const exported = exportsByEntry();

/** Functions and classes of the main entry without an example of their own: they are in that of another. */
const SHOWN_ELSEWHERE = ['InputError', 'restorePicture', 'pictureFrom'];

const ofMain = exported.orthodict.flatMap(({ name, callable }) =>
  callable && !name.startsWith('metrics.') && !SHOWN_ELSEWHERE.includes(name) ? [name] : [],
);

/** What a reader starts from: each shows how it is used. */
const MAIN = {
  orthodict: ['Dictionary', ...ofMain],
  'orthodict/node': [
    'learn',
    'learnHouseholder',
    'learnSparsePca',
    'learnTensor',
    'learnMoments',
    'learnTopics',
    'learnMixture',
    'readMatrix',
    'readArray',
    'readArrays',
    'writeArrays',
    'readCounts',
    'openSource',
    'saveModel',
    'loadModel',
    'fileCheckpoint',
    'createNodeExecutor',
  ],
  'orthodict/extend': ['memorySource', 'selectKernels'],
};

describe.each(entries)('%s', (entry) => {
  it('has a doc comment on every export', () => {
    expect(exported[entry].filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([]);
    expect(exported[entry].filter(({ callable }) => callable).length).toBeGreaterThan(10);
  });

  it('has an example on what readers start from', () => {
    const shown = exported[entry].filter(({ examples }) => examples.length > 0).map(({ name }) => name);
    expect(MAIN[entry].filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('has only examples in fences that are run', () => {
    const empty = exported[entry].filter(({ examples }) => examples.includes(''));
    expect(empty.map(({ name }) => name)).toEqual([]);
  });
});
