/** The driver trusts no worker: an answer has the form of what the pass itself contributes, or is refused in one sentence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePasses } from '#src/browser/generated/passes.ts';
import { identity, type Matrix } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { type BlockValue, type Cluster, clusterExecutor } from '#src/distributed/cluster-executor.ts';
import { contributionLike, requireBounded, requireForm } from '#src/distributed/form.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { AnyPass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { rangesOf, type Source } from '#src/engine/source/source.ts';
import { equalBlocks } from '#src/engine/sum-tree.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { openSource, writeArray } from '#src/node/index.ts';
import { correlatePass } from '#src/passes/correlate.ts';
import { encodePass } from '#src/passes/encode.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../helpers/bytes.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const scratch = scratchDirectory();
const local = inlineExecutor(referenceKernels);
const samples = normalMatrix(9000, 4, createRandom(testSeed(3), 'answers'));
let source: Source;

beforeAll(async () => {
  await writeArray(scratch.file('data.npy'), samples);
  const ranges = [0, 1, 2, 3, 4].map((k) => ({ start: 1800 * k, end: 1800 * k + 1800 }));
  source = { ...(await openSource(scratch.file('data.npy'), { memoryLimit: 0 })), ranges };
});
afterAll(async () => source.close?.());

type Change = (value: unknown, block: number) => unknown;

/** A cluster of this process, whose answers are changed on the way. */
function changing(change: Change): Cluster {
  return {
    threads: 2,
    brief: 0,
    async *blocks({ request, chunks }): AsyncGenerator<BlockValue, void> {
      const pass = (packagePasses as AnyPass[]).find(({ name }) => name === request.pass)!;
      for (const [k, block] of [...equalBlocks(chunks, 1)].entries()) {
        const values: unknown[] = [];
        for await (const value of local.map(pass, request.params, source, undefined, block)) values.push(value);
        const sum = () => local.sum(pass, request.params, source, undefined, block);
        yield { block, value: change(request.mode === 'map' ? values : await sum(), k) };
      }
    },
    close: async () => {},
  };
}

const params = {
  atoms: identity(4),
  conditioning: { scale: 1 },
  response: { kind: 'power', norm: 4 },
  precision: 'f64',
} as const;
const sumBy = (change: Change) => clusterExecutor(local, changing(change)).sum(correlatePass, params, source);

it('adds up answers that are as they should be', async () => {
  expect(bits(await sumBy((value) => value))).toBe(bits(await local.sum(correlatePass, params, source)));
});

const evil =
  (change: object): Change =>
  (value, k) =>
    k === 0 ? { ...(value as object), ...change } : value;

describe('refuses', () => {
  it.each<[string, Change, RegExp]>([
    ['nothing', () => undefined, /\(form\)/],
    ['a number', () => 5, /\(form\)/],
    ['a list', () => [], /\(correlation\)/],
    ['an array in place of an object', () => new Float64Array(3), /\(form\)/],
    ['an answer without a part', evil({ values: undefined }), /\(values\)/],
    ['numbers of another type', evil({ values: new Float32Array(4) }), /\(values\)/],
    ['text', evil({ correlation: 'evil' }), /\(correlation\)/],
    [
      'a matrix smaller than it says',
      evil({ correlation: { rows: 4, cols: 4, data: new Float64Array(9) } }),
      /\(correl/,
    ],
  ])('%s', async (_, change, where) => {
    const sum = sumBy(change);
    await expect(sum).rejects.toThrow(/^cluster: a worker's answer for correlate is damaged \([\w.]+\)\.$/);
    await expect(sum).rejects.toThrow(where);
  });

  it('sums of another size', async () => {
    await expect(sumBy(evil({ values: new Float64Array(3) }))).rejects.toThrow('accumulate: b must be as long as a');
  });

  it('codes of more or fewer chunks', async () => {
    const params = { transform: { kind: 'dense', encoder: identity(4) }, conditioning: { scale: 1 }, selection: {} };
    const read = async (change: Change) => {
      const codes: Matrix[] = [];
      const map = clusterExecutor(local, changing(change)).map(encodePass, params as never, source);
      for await (const part of map) codes.push(part);
      return codes.reduce((rows, part) => rows + part.rows, 0);
    };
    expect(await read((value) => value)).toBe(9000);
    for (const change of [(value: unknown) => (value as unknown[]).slice(1), () => 7, (value: unknown) => [value]]) {
      await expect(read(change)).rejects.toThrow(/^cluster: a worker's answer for encode is damaged/);
    }
  });
});

it.each((packagePasses as AnyPass[]).map((pass) => [pass.name, pass] as const))(
  'takes the parameters of %s, and what it contributes, from every chunk and in sum',
  async (_, pass) => {
    const matrix = normalMatrix(700, 6, createRandom(testSeed(4), 'forms'));
    const example = pass.example!(matrix);
    const given = memorySource(example.rows ?? matrix);
    const whole: Source = {
      ...given,
      ranges: example.ranges ?? [0, 1, 2].map((k) => ({ start: 233 * k, end: 233 * k + 233 })),
    };
    requireBounded(pass.name, example.params);
    if (example.rows) return; // rows that stand for something else are in memory: such a pass stays here
    const like = contributionLike(pass, example.params, whole, referenceKernels);
    expect(rangesOf(whole).length).toBe(3);
    for await (const part of local.map(pass, example.params, whole)) requireForm(pass.name, part, like);
    requireForm(pass.name, await local.sum(pass, example.params, whole), like);
  },
);

it('takes the survey of samples that are not finite', async () => {
  const like = contributionLike(surveyPass as AnyPass, { moments: true }, source, referenceKernels);
  const data = samples.data.slice();
  data[17] = Number.NaN;
  const survey = await local.sum(surveyPass, { moments: true }, memorySource({ ...samples, data }));
  expect(survey.offender).toMatchObject({ row: 4, column: 1 });
  requireForm('survey', survey, like);
});
