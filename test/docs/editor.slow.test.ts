/**
 * What an editor tells those who call the library: hovering over an option shows its help text, completion offers the
 * options of the method that was named, and an error is short. The files option-types.ts that bring it are up to date.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OptionTable } from '#src/core/options.ts';
import { DEFAULT_METHOD, methods, tableOf } from '#src/learn/options.ts';
import { streamLearnerOptions } from '#src/learn/stream/stream-learner.ts';
import { updateOptions } from '#src/learn/stream/update-options.ts';
import { evaluateOptions } from '#src/metrics/evaluate.ts';
import { householderOptions } from '#src/models/householder/options.ts';
import { mixtureOptions } from '#src/models/mixtures/options.ts';
import { sparsePcaOptions, sparsePcaStreamOptions } from '#src/models/sparse-pca/options.ts';
import { momentsOptions, tensorOptions } from '#src/models/tensor/options.ts';
import { countWordsOptions } from '#src/models/topics/count-words.ts';
import { topicsOptions } from '#src/models/topics/options.ts';
import { compressOptions } from '#src/pictures/compress.ts';
import { denoiseOptions } from '#src/pictures/denoise.ts';
import { generateOptions } from '#src/synthetic/bernoulli-gaussian.ts';
import { generateHouseholderOptions } from '#src/synthetic/householder.ts';
import { generateMixtureOptions } from '#src/synthetic/mixture.ts';
import { generateSparseComponentsOptions } from '#src/synthetic/sparse-components.ts';
import { generateTopicsOptions } from '#src/synthetic/topics.ts';
import { start } from '../helpers/run.ts';
import { completions, errors, hovers, membersWithoutComment } from './editor.ts';
import { root } from './markdown.ts';

const HEAD = `
import * as here from 'orthodict';
import * as node from 'orthodict/node';
import * as extend from 'orthodict/extend';
declare const any: any;
`;

const tables: readonly (readonly [call: string, table: OptionTable])[] = [
  ['here.learnHouseholder(any, {', householderOptions.table],
  ['here.learnMixture(any, {', mixtureOptions.table],
  ['here.learnSparsePca(any, {', sparsePcaOptions.table],
  ['new here.SparsePcaStream({', sparsePcaStreamOptions.table],
  ['here.learnTensor(any, {', tensorOptions.table],
  ['here.learnMoments(any, {', momentsOptions.table],
  ['here.learnTopics(any, {', topicsOptions.table],
  ['here.countWords(any, {', countWordsOptions.table],
  ['here.evaluate(any, any, {', evaluateOptions.table],
  ['here.denoise(any, {', denoiseOptions.table],
  ['here.compressPicture(any, {', compressOptions.table],
  ['new here.StreamLearner({', streamLearnerOptions.table],
  ['here.updateDictionary(any, any, {', updateOptions.table],
  ['here.generate({', generateOptions.table],
  ['here.generateHouseholder({', generateHouseholderOptions.table],
  ['here.generateMixture({', generateMixtureOptions.table],
  ['here.generateSparseComponents({', generateSparseComponentsOptions.table],
  ['here.generateTopics({', generateTopicsOptions.table],
  ['node.learnHouseholder(any, {', householderOptions.table],
  ['node.learnMixture(any, {', mixtureOptions.table],
  ['node.learnTopics(any, {', topicsOptions.table],
  ['node.evaluate(any, any, {', evaluateOptions.table],
];

/** `components` is left out: a stream, which may be given instead, has a member of this name. */
const { components: _, ...streamTable } = sparsePcaStreamOptions.table;

const calls: readonly (readonly [call: string, table: OptionTable])[] = [
  ...tables,
  ['here.learnSparsePcaStream(any, { components: 2,', streamTable],
  ...methods.flatMap((method) =>
    ['here', 'node'].map((entry) => [`${entry}.learn(any, { method: '${method.name}',`, tableOf(method)] as const),
  ),
  ['here.learn(any, {', tableOf(methods.find(({ name }) => name === DEFAULT_METHOD)!)],
];

describe('hovering over an option', () => {
  it.each(calls)('%s shows its help text', (call, table) => {
    const names = Object.keys(table);
    const shown = hovers(`${HEAD}${call} ${names.map((name) => `${name}|: any`).join(', ')} });`);
    const missing = names.filter((name, at) => !plain(shown[at]).includes(plain(table[name].help)));
    expect(names.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });

  it('says which default is in force', () => {
    const [own, common] = hovers(`${HEAD}here.learn(any, { method: 'ksvd', maxIterations|: 5, seed|: 1 });`);
    expect(own).toContain('Default: `100`.');
    expect(common).toContain('Default: `0`.');
  });
});

/** A text without what differs between a flag and an option: line breaks, capitals, the form of names. */
const plain = (words: string): string => words.replace(/\s+/g, ' ').replace(/--|`/g, '').toLowerCase();

describe('completion', () => {
  it.each(methods.map((method) => [method.name, tableOf(method)] as const))(
    'offers the options of method %s and no others',
    (name, table) => {
      const offered = completions(`${HEAD}here.learn(any, { method: '${name}', | });`);
      expect(offered.toSorted()).toEqual(Object.keys(table).toSorted());
    },
  );

  it('offers those of the default method where none is named', () => {
    const offered = completions(`${HEAD}here.learn(any, { | });`);
    expect(offered).toEqual(expect.arrayContaining(['method', 'norm', 'shift', 'seed']));
    expect(offered).not.toContain('keep');
  });
});

describe('a wrong option is an error of a line or two that names it', () => {
  const wrong: readonly (readonly [call: string, name: string])[] = [
    ["here.learn(any, { maxIteration: 5, method: 'ica' })", 'maxIteration'],
    ['here.learn(any, { maxIteration: 5 })', 'maxIteration'],
    ['here.learn(any, { seed: 1, keep: 3 })', 'keep'],
    ["node.learn(any, { method: 'pga', keep: 3 })", 'keep'],
    ["here.learn(any, { method: 'kmeans' })", 'kmeans'],
    ["here.learn(any, { maxIterations: 'many' })", 'string'],
    ...calls.map(([call, table]) => [`${call} ${requiredIn(table)} mispelt: 1 })`, 'mispelt'] as const),
  ];

  it.each(wrong)('%s', (call, name) => {
    const [first, ...more] = errors(`${HEAD}${call};`);
    expect(more).toEqual([]);
    expect(first).toContain(name);
    expect(first.split('\n').length).toBeLessThanOrEqual(3);
  });
});

function requiredIn(table: OptionTable): string {
  return Object.entries(table)
    .flatMap(([name, { required }]) => (required ? [`${name}: any,`] : []))
    .join(' ');
}

it('options put together at run time are taken', () => {
  const code = `
    declare const options: here.LearnOptions;
    declare const method: here.MethodName;
    declare const parsed: Record<string, unknown>;
    declare const own: extend.AnyMethod;
    here.learn(any, options);
    here.learn(any, { method, seed: 1, maxIterations: 3 });
    here.learn(any, Object.assign({ seed: 1 }, options));
    here.learn(any, parsed);
    node.learn(any, { method: own, whatever: 2 });`;
  expect(errors(`${HEAD}${code}`)).toEqual([]);
});

it.each(['orthodict', 'orthodict/node', 'orthodict/browser', 'orthodict/cluster', 'orthodict/extend'])(
  'every member of the options that %s exports has a doc comment',
  (entry) => {
    expect(membersWithoutComment(entry)).toEqual([]);
  },
);

it('the interfaces of options are what npm run docs:options writes', async () => {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  const { code, stderr } = await start(tsx, [join(root, 'scripts/option-types.mjs'), '--check']).finished;
  expect([code, stderr]).toEqual([0, '']);
});
