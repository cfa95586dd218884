import { describe, expect, it } from 'vitest';
import { type Counts, countsFromMatrix, countsFromTriplets } from '#src/core/counts.ts';
import { type Matrix64, row, zeros } from '#src/core/matrix.ts';
import { assign } from '#src/linalg/assignment.ts';
import { countWords } from '#src/models/topics/count-words.ts';
import { learnTopics, projectToSimplex, topWords } from '#src/models/topics/learn-topics.ts';
import type { TopicsOptions } from '#src/models/topics/option-types.ts';
import { digamma, documentReader, firstMixtures } from '#src/models/topics/variational.ts';
import { generateTopics } from '#src/synthetic/topics.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(76);

/** Mean over the topics of Σ_v |difference|, best matched. */
function topicError(found: Matrix64, truth: Matrix64): number {
  const { rows: K, cols: V } = truth;
  const cost = zeros(K, K);
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < K; j++) {
      for (let v = 0; v < V; v++) cost.data[i * K + j] += Math.abs(truth.data[i * V + v] - found.data[j * V + v]);
    }
  }
  return assign(cost).reduce((sum, j, i) => sum + cost.data[i * K + j], 0) / K;
}

describe('documents of a known model', () => {
  const { counts, topics } = generateTopics({ documents: 5000, words: 1000, topics: 10, length: 200, seed });

  it('yield its topics by moments alone, and predict better than without topics', async () => {
    const found = await learnTopics(counts, { topics: 10, refine: 'none', seed });
    expect(topicError(found.topics, topics)).toBeLessThan(0.1);
    for (let k = 0; k < 10; k++) {
      const topic = found.topics.data.subarray(k * 1000, (k + 1) * 1000);
      expect(Math.abs(topic.reduce((sum, value) => sum + value, 0) - 1)).toBeLessThan(1e-12);
      expect(topic.every((value) => value >= 0)).toBe(true);
    }
    expect(Math.abs(found.weights.reduce((sum, value) => sum + value, 0) - 1)).toBeLessThan(1e-12);
    // every topic has a tenth: estimates of shares are within a few hundredths
    expect(Math.max(...found.weights)).toBeLessThan(0.15);
    expect(found.perplexity!.topics).toBeLessThan(0.6 * found.perplexity!.unigram);
  });
});

it('improves with variational steps, and is the same for the same seed', async () => {
  const { counts, topics } = generateTopics({ documents: 1500, words: 200, topics: 5, length: 80, seed });
  const options = { topics: 5, heldOut: 0, seed };
  const plain = await learnTopics(counts, { ...options, refine: 'none' });
  const refined = await learnTopics(counts, options);
  expect(plain.perplexity).toBeUndefined();
  expect(topicError(refined.topics, topics)).toBeLessThan(topicError(plain.topics, topics));
  expect(refined).toMatchObject({ refined: true, status: 'converged', documents: 1500, words: 200 });
  expect(plain).toMatchObject({ refined: false, iterations: 0 });
  expect(refined.iterations).toBeLessThan(20); // ends by itself
  expect({ ...(await learnTopics(counts, options)), seconds: 0 }).toEqual({ ...refined, seconds: 0 });
});

it('leaves out variational steps where their own error is larger than that of the moments', async () => {
  const { counts, topics } = generateTopics({ documents: 4000, words: 10, topics: 2, length: 20, seed });
  const many = await learnTopics(counts, { topics: 2, heldOut: 0, seed });
  expect(many).toMatchObject({ refined: false, iterations: 0 });
  expect(topicError(many.topics, topics)).toBeLessThan(0.1);
});

it('infers a document step by step as at once', () => {
  const { counts, topics } = generateTopics({ documents: 20, words: 30, topics: 3, length: 40, seed });
  const alpha = Float64Array.of(0.5, 0.3, 0.2);
  const [few, all] = [firstMixtures(counts, alpha), firstMixtures(counts, alpha)];
  const reader = documentReader(counts, topics, alpha);
  for (let l = 0; l < 20; l++) {
    for (let step = 0; step < 500; step++) reader.settle(l, row(few, l), 1);
    const length = reader.settle(l, row(all, l), 60);
    expect(length).toBe(40);
    // γ is the prior and the words, shared among the topics
    expect(Math.abs(row(all, l).reduce((sum, value) => sum + value, 0) - 41)).toBeLessThan(1e-9);
    // settled: within 2e-3 of its length a round, times the rounds that are left
    for (let k = 0; k < 3; k++) expect(Math.abs(row(all, l)[k] - row(few, l)[k])).toBeLessThan(1);
  }
});

it('finds what texts are about', async () => {
  const about = ['apple pear plum cherry', 'ship sail anchor harbour', 'violin cello flute horn'].map((t) =>
    t.split(' '),
  );
  const texts = Array.from({ length: 90 }, (_, l) =>
    Array.from({ length: 12 }, (_, n) => about[l % 3][(n * 7 + l) % 4])
      .concat('The', 'and')
      .join(' '),
  );
  const { counts, vocabulary } = countWords(texts);
  expect(vocabulary.length).toBe(12);
  const { topics } = await learnTopics(counts, { topics: 3, alpha0: 0.1, heldOut: 0 });
  const found = [0, 1, 2].map((k) =>
    topWords(topics, k, 4)
      .map((v) => vocabulary[v])
      .sort()
      .join(' '),
  );
  expect(found.sort()).toEqual(about.map((words) => [...words].sort().join(' ')).sort());
});

it('counts words according to its options', () => {
  const { counts, vocabulary } = countWords(['A cat, a CAT; a dog.', 'dogs and cats: cat!', 'cat'], {
    minDocuments: 1,
  });
  expect(vocabulary).toEqual(['cat', 'cats', 'dog', 'dogs']);
  expect(Array.from(counts.data)).toEqual([2, 1, 1, 1, 1, 1]);
  expect(() => countWords(['one', 'two'], { minDocuments: 2 })).toThrow('texts with words in common');
  expect(countWords(['cat dog', 'cat'], { minDocuments: 1, maxShare: 0.5 }).vocabulary).toEqual(['dog']);
});

describe('bad input', () => {
  const counts = (rows: number[][]): Counts =>
    countsFromMatrix({ rows: rows.length, cols: rows[0].length, data: Float64Array.from(rows.flat()) });
  const plain = counts([
    [3, 1, 2],
    [1, 4, 1],
    [2, 2, 2],
    [5, 0, 1],
  ]);
  it.each([
    [
      counts([
        [1, -2],
        [1, 1],
      ]),
      { topics: 1 },
      'counts must be whole numbers, 0 or more; got -2 at document 0, word 1',
    ],
    [
      counts([
        [1, 2],
        [1, Number.NaN],
      ]),
      { topics: 1 },
      'got NaN at document 1, word 1',
    ],
    [
      counts([
        [1, 0.5],
        [1, 1],
      ]),
      { topics: 1 },
      'got 0.5',
    ],
    [plain, { topics: 4 }, 'topics must be at most 3 (4 documents, 3 words); got 4'],
    [plain, { topics: 0 }, 'topics must be a whole number from 1'],
    [plain, { topics: 1, alpha0: 0 }, 'alpha0 must be a number above 0, at most 1000000'],
    [plain, { topics: 1, alpha0: 1e308 }, 'alpha0 must be a number above 0, at most 1000000'],
    [plain, { topics: 1, heldOut: 1 }, 'heldOut must be a share from 0 to 0.9'],
    [plain, { topics: 1, refine: 3 }, 'refine must be auto or none; got 3'],
    [plain, { topics: 1, refinement: 3 }, 'there is no option "refinement"; known: topics, alpha0, refine'],
    [plain, {}, 'topics must be a whole number from 1; got undefined'],
    [
      counts(new Array(9).fill([4, 4, 4])),
      { topics: 3, heldOut: 0 },
      'the rank of the second moment of the counts; got 3',
    ],
    [
      counts([
        [1, 0],
        [0, 1],
        [1, 0],
      ]),
      { topics: 1, heldOut: 0 },
      'at least one document of 2 words',
    ],
    [{ ...plain, cols: 2 }, { topics: 1 }, 'of words from 0 to 1; got at document 0, word 2'],
    [undefined, { topics: 1 }, 'counts must be counts {rows, cols, data: Float64Array, indices'],
    [{ rows: 1, cols: 1, data: Float64Array.of(1) }, { topics: 1 }, 'countsFromMatrix turns a matrix into counts'],
    [{ ...plain, indptr: Int32Array.of(0, 3) }, { topics: 1 }, 'in compressed rows'],
  ])('%#', async (data, options, message) => {
    await expect(learnTopics(data as Counts, options as TopicsOptions)).rejects.toThrow(message);
    await expect(learnTopics(data as Counts, options as TopicsOptions)).rejects.toThrow(/^learnTopics: /);
  });

  it.each([
    [0, 2, [], 'rows must be a whole number from 1 to 2147483647; got 0'],
    [2, 2, [{ row: 0, col: 5, value: 1 }], 'entries must be of cols from 0 to 1; got 5 at entry 0'],
    [2, 2, [{ row: -1, col: 0, value: 1 }], 'entries must be of rows from 0 to 1; got -1 at entry 0'],
    [2, 2, [{ row: 0, col: 0, value: 0.5 }], 'entries must be whole numbers, 0 or more; got 0.5 at entry 0'],
    [2, 2, [undefined], 'got undefined at entry 0'],
    [2, 2, undefined, 'entries must be an array of {row, col, value}; got undefined'],
  ])('of countsFromTriplets: %#', (rows, cols, entries, message) => {
    expect(() => countsFromTriplets(rows, cols, entries as never)).toThrow(`countsFromTriplets: `);
    expect(() => countsFromTriplets(rows, cols, entries as never)).toThrow(message);
  });

  it('of countWords', () => {
    expect(() => countWords('one text')).toThrow('countWords: documents must be an array of texts; got one text.');
    expect(() => countWords([3] as never)).toThrow('countWords: document 0 must be a text; got 3.');
    expect(() => countWords(['one'], { minWords: 3 } as never)).toThrow('countWords: there is no option "minWords"');
  });
});

it('projects to the nearest point of the simplex', () => {
  expect(Array.from(projectToSimplex(Float64Array.of(0.5, 0.5)))).toEqual([0.5, 0.5]);
  expect(Array.from(projectToSimplex(Float64Array.of(2, 0, -1)))).toEqual([1, 0, 0]);
  const projected = projectToSimplex(Float64Array.of(0.6, 0.5, -0.2));
  expect(projected[0]).toBeCloseTo(0.55, 14);
  expect(projected[1]).toBeCloseTo(0.45, 14);
});

it('computes the digamma function', () => {
  expect(digamma(1)).toBeCloseTo(-0.5772156649015329, 9);
  expect(digamma(0.5)).toBeCloseTo(-1.9635100260214235, 9);
  expect(digamma(10)).toBeCloseTo(2.251752589066721, 9);
});
