/** `orthodict topics`: what documents are about, from counts of their words. */
import { Command } from 'commander';
import { InputError } from '../errors.ts';
import { writeArrays } from '../node/arrays.ts';
import { checkWritable } from '../node/atomic-write.ts';
import { readCounts } from '../node/counts.ts';
import { learnTopics, type TopicsOptions, topicsDefaults, topWords } from '../topics/learn-topics.ts';
import { numberOption, requireExtension } from './arguments.ts';
import { Interrupted, interruptible } from './interrupt.ts';
import { formatNumber, printFacts, printJson } from './output.ts';
import { progressLine } from './progress-line.ts';

interface Flags extends Omit<TopicsOptions, 'signal' | 'onProgress'> {
  vocabulary?: string;
  top: number;
  out: string;
  json?: boolean;
}

export function topicsCommand(): Command {
  const number = (flag: string) => numberOption('topics', flag);
  return new Command('topics')
    .description(
      'Find the topics of documents from the counts of their words (latent Dirichlet allocation by moments).',
    )
    .argument(
      '<COUNTS>',
      'documents x words: .txt of lines "document word count" (UCI bag of words), .npz of scipy.sparse (CSR), or a dense matrix',
    )
    .requiredOption('--topics <K>', 'number of topics', number('--topics'))
    .option(
      '--alpha0 <A>',
      'how many topics a document mixes; near 0: one each',
      number('--alpha0'),
      topicsDefaults.alpha0,
    )
    .option('--vocabulary <words.txt>', 'the words, one a line')
    .option('--top <N>', 'words to print of each topic', number('--top'), 10)
    .option('--refine <I>', 'variational steps after the moments', number('--refine'), topicsDefaults.refine)
    .option(
      '--held-out <F>',
      'share of the documents to test the topics on, not to learn them from',
      number('--held-out'),
      topicsDefaults.heldOut,
    )
    .option('--starts <N>', 'random starts, of which the best is kept', number('--starts'), topicsDefaults.starts)
    .option('--seed <K>', 'of the random starts and the held-out documents', number('--seed'), topicsDefaults.seed)
    .requiredOption('--out <f.npz>', 'file to write: topics (KxV) and weights')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Perplexity is that of words of the held-out documents, given the others of their document; lower is better.

Examples:
  orthodict topics docword.txt --topics 20 --vocabulary vocab.txt --out topics.npz
  orthodict topics counts.npz --topics 10 --alpha0 0.5 --held-out 0 --out topics.npz`,
    )
    .action((path: string, flags: Flags) => interruptible((signal) => runTopics(path, flags, signal)));
}

async function runTopics(path: string, flags: Flags, signal: AbortSignal): Promise<void> {
  const { out, json, vocabulary, top, ...options } = flags;
  if (!(Number.isInteger(top) && top >= 1))
    throw new InputError(`topics: --top must be a whole number from 1; got ${top}.`);
  requireExtension('topics', '--out', out, ['.npz']);
  await checkWritable(out);
  const started = performance.now();
  const line = progressLine(1);
  line.say('reading …');
  const learned = async () => {
    const { counts, vocabulary: words } = await readCounts(path, vocabulary);
    return { ...(await learnTopics(counts, { ...options, signal, onProgress: line.say })), vocabulary: words };
  };
  const result = await learned().finally(line.clear);
  if (result.status === 'aborted') throw new Interrupted('topics: interrupted.');
  const { topics, weights, perplexity, documents, words, vocabulary: names } = result;
  await writeArrays(out, { topics, weights: { shape: [weights.length], data: weights } });
  const seconds = (performance.now() - started) / 1000;
  const best = Array.from(weights, (_, k) => topWords(topics, k, top).map((v) => names?.[v] ?? String(v)));
  if (json) {
    const named = best.map((found, k) => ({ weight: weights[k], words: found }));
    printJson({ topics: named, perplexity, documents, words, seconds, out });
    return;
  }
  best.forEach((found, k) => {
    console.log(`${`${(100 * weights[k]).toFixed(1)} %`.padStart(7)}  ${found.join(' ')}`);
  });
  printFacts([
    ['topics', `${out}: ${weights.length} of ${formatNumber(words)} words, from ${formatNumber(documents)} documents`],
    ...(perplexity
      ? [
          [
            'perplexity',
            `${formatNumber(perplexity.topics)}; without topics ${formatNumber(perplexity.unigram)}`,
          ] as const,
        ]
      : []),
    ['time', `${seconds.toFixed(2)} s`],
  ]);
}
