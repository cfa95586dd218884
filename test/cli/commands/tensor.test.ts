/** `orthodict tensor` and `orthodict topics`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tensorChart } from '#src/cli/charts/tensor-chart.ts';
import type { Counts } from '#src/core/counts.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Progress } from '#src/engine/stop.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { symmetricTensor } from '#src/models/tensor/symmetric-tensor.ts';
import type { ChartSpec } from '#src/node/chart.ts';
import { readArrays, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { readCounts } from '#src/node/io/counts.ts';
import { generateTopics } from '#src/synthetic/topics.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { factorError, odeco } from '../../models/tensor/helpers.ts';

const f = scratchDirectory().file;
const random = createRandom(1, 'tensor and topics');

async function refusal(...args: string[]): Promise<string> {
  const line = await callRefused(...args, '--out', f('refused.npz'));
  expect(existsSync(f('refused.npz'))).toBe(false);
  return line;
}

/** The text in a picture. */
const textsOf = (svg: string) =>
  Array.from(readFileSync(svg, 'utf8').matchAll(/<text[^>]*>([^<]*)</g), ([, text]) => text);

type Panel = { data: { values: { start: number; kept: boolean }[] } };
const panelsOf = (chart: ChartSpec) => chart.hconcat as Panel[];

describe('tensor', () => {
  it('writes factors and weights', async () => {
    const { T, V } = odeco(8, random);
    await writeArray(f('T.npy'), { shape: [8, 8, 8], data: T.data });
    const told = await callJson('tensor', f('T.npy'), '--out', f('factors.npz'));
    expect(Object.keys(told).join(' ')).toBe(
      'method status reason iterations objective residual certainty certain noise size seconds out',
    );
    const arrays = await readArrays(f('factors.npz'));
    expect(arrays.get('weights')!.shape).toEqual([8]);
    const { seconds, out, ...lasting } = told;
    expect(JSON.parse((arrays.get('meta')!.data as string[])[0])).toEqual({ format: 1, kind: 'tensor', ...lasting });
    expect(told).toMatchObject({ certainty: 'certain: 8 of 8 factors', certain: 8 });
    const factors = { rows: 8, cols: 8, data: arrays.get('factors')!.data as Float64Array };
    expect(factorError(factors, V)).toBeLessThan(1e-10);
  });

  it('takes samples', async () => {
    await writeArray(f('samples.npy'), normalMatrix(200, 4, random));
    await callJson('tensor', '--moments', f('samples.npy'), '--whiten', '--out', f('moments.npz'));
    expect([...(await readArrays(f('moments.npz'))).keys()]).toEqual([
      'factors',
      'weights',
      'mean',
      'whitening',
      'meta',
    ]);
  });

  it('draws weights and sweeps', async () => {
    const { T } = odeco(5, random);
    await writeArray(f('drawn.npy'), { shape: [5, 5, 5], data: T.data });
    await callJson('tensor', f('drawn.npy'), '--out', f('drawn.npz'), '--plot', f('tensor.svg'));
    expect(textsOf(f('tensor.svg'))).toEqual(expect.arrayContaining(['Weights of the factors', 'Sweeps']));
    expect(await refusal('tensor', f('drawn.npy'), '--plot', f('tensor.gif'))).toContain(
      'tensor: --plot must be a file ending in .svg or .png; got',
    );
  });

  it('marks the kept start in its picture, and draws no sweeps if there are none', async () => {
    const steps: Progress[] = [];
    const noisy = symmetricTensor([2, 2, 2], Float64Array.of(1, 0.3, 0.3, -0.2, 0.3, -0.2, -0.2, 0.9));
    const { weights } = await learnTensor(noisy, { starts: 3 }, { onProgress: (step) => steps.push(step) });
    const [, sweeps] = panelsOf(tensorChart(weights, steps));
    const { values } = sweeps.data;
    expect(values.length).toBe(steps.filter(({ change }) => change > 0).length);
    expect(new Set(values.map(({ start }) => start)).size).toBe(3);
    expect(new Set(values.filter(({ kept }) => kept).map(({ start }) => start)).size).toBe(1);
    expect(panelsOf(tensorChart(weights, [])).length).toBe(1);
  });

  it('refuses what it cannot decompose in one line', async () => {
    await writeArray(f('flat.npy'), normalMatrix(3, 3, random));
    await writeArray(f('odd.npy'), { shape: [2, 2, 2], data: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8) });
    await writeArray(f('nan.npy'), { shape: [1, 1, 1], data: Float64Array.of(Number.NaN) });
    expect(await refusal('tensor', f('flat.npy'))).toContain('must be d × d × d; got 3 × 3');
    expect(await refusal('tensor', f('odd.npy'))).toContain('must be symmetric; got');
    expect(await refusal('tensor', f('nan.npy'))).toContain('must be finite; got NaN at (0, 0, 0)');
    expect(await refusal('tensor')).toContain('got neither');
    expect(await refusal('tensor', f('odd.npy'), '--center')).toContain('--center must come with --moments');
  });
});

const { counts } = generateTopics({ documents: 400, words: 30, topics: 3, length: 40, seed: 1 });
const names = Array.from({ length: 30 }, (_, v) => `word${String.fromCharCode(97 + (v % 26))}${v}`);

function lines({ rows, indptr, indices, data }: Counts, word: (v: number) => string | number): string {
  const out: string[] = [];
  for (let l = 0; l < rows; l++) {
    for (let at = indptr[l]; at < indptr[l + 1]; at++) out.push(`${l + 1} ${word(indices[at])} ${data[at]}`);
  }
  return `${out.join('\n')}\n`;
}

describe('counts', () => {
  it('are the same from all formats', async () => {
    const plain = lines(counts, (v) => v + 1);
    writeFileSync(f('plain.txt'), plain);
    writeFileSync(f('uci.txt'), `400\n30\n${counts.data.length}\n${plain}`);
    writeFileSync(f('packed.txt.gz'), gzipSync(`400\n30\n${counts.data.length}\n${plain}`));
    await writeArrays(f('sparse.npz'), {
      data: { shape: [counts.data.length], data: counts.data },
      indices: { shape: [counts.indices.length], data: counts.indices },
      indptr: { shape: [counts.indptr.length], data: counts.indptr },
      shape: { shape: [2], data: BigInt64Array.of(400n, 30n) },
      format: 'csr',
    });
    // the last words may be in no document: only a header or a vocabulary says that they exist
    writeFileSync(f('words.txt'), names.join('\n'));
    expect((await readCounts(f('plain.txt'), f('words.txt'))).counts).toEqual(counts);
    for (const name of ['uci.txt', 'packed.txt.gz', 'sparse.npz']) {
      expect((await readCounts(f(name))).counts).toEqual(counts);
    }
    writeFileSync(
      f('named.txt'),
      lines(counts, (v) => names[v]),
    );
    const named = await readCounts(f('named.txt'));
    expect(named.vocabulary!.every((word) => names.includes(word))).toBe(true);
    expect(named.counts.data).toEqual(counts.data);
  });

  it.each([
    ['1 2\n', 'line 1 must be "document word count"; got "1 2"'],
    ['1 1 -3\n', 'line 1 must have a count, a whole number, 0 or more; got "-3"'],
    ['1 1 nan\n', 'got "nan"'],
    ['x 1 3\n', 'line 1 must have a whole number up to 2147483646; got "x"'],
    ['2\n2\n1\n3 1 1\n', 'must have 2 documents and 2 words'],
    ['2\n2\n1\n0 1 1\n', 'must be numbered from 1'],
    ['\n', 'holds no counts'],
  ])('refuses %j', async (text, message) => {
    writeFileSync(f('bad.txt'), text);
    await expect(readCounts(f('bad.txt'))).rejects.toThrow(message);
  });

  it('refuses a missing file', async () => {
    await expect(readCounts(f('nowhere.txt'))).rejects.toThrow('nowhere.txt');
  });
});

describe('topics', () => {
  it('prints top words and writes topics', async () => {
    const args = ['topics', f('plain.txt'), '--topics', '3', '--vocabulary', f('words.txt'), '--top', '4'];
    const told = await callJson(...args, '--out', f('topics.npz'));
    expect(Object.keys(told)).toEqual(['topics', 'perplexity', 'refined', 'documents', 'words', 'seconds', 'out']);
    expect(told).toMatchObject({ documents: 360, words: 30 });
    const arrays = await readArrays(f('topics.npz'));
    expect(arrays.get('topics')!.shape).toEqual([3, 30]);
    expect(arrays.get('weights')!.shape).toEqual([3]);
    const { stdout } = await callCli([...args, '--out', f('again.npz')]);
    expect(stdout).toMatch(/^ *\d+\.\d % {2}(word\w+ ){3}word\w+\n/);
    expect(stdout).toMatch(/perplexity {2}[\d.]+; without topics [\d.]+/);
  });

  it('draws the most probable words of each topic', async () => {
    const args = ['topics', f('plain.txt'), '--topics', '3', '--vocabulary', f('words.txt'), '--top', '4'];
    const told = await callJson(...args, '--out', f('drawn.npz'), '--plot', f('topics.svg'));
    const texts = textsOf(f('topics.svg'));
    for (const { weight, words } of told.topics as { weight: number; words: string[] }[]) {
      expect(texts).toEqual(expect.arrayContaining([`${(100 * weight).toFixed(1)} %`, ...words]));
    }
    expect(texts.filter((text) => names.includes(text)).length).toBe(3 * 4);
    const wrong = ['topics', f('plain.txt'), '--topics', '3', '--plot', f('topics.gif')];
    expect(await refusal(...wrong)).toContain('topics: --plot must be a file ending in .svg or .png; got');
  });

  it('refuses more topics than there can be, and a vocabulary of another length', async () => {
    expect(await refusal('topics', f('uci.txt'), '--topics', '31')).toContain('topics must be at most 30');
    writeFileSync(f('few.txt'), 'one\ntwo\n');
    expect(await refusal('topics', f('uci.txt'), '--topics', '2', '--vocabulary', f('few.txt'))).toContain(
      'must have 30 lines, one per word of the counts; got 2',
    );
  });
});
