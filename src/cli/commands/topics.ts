/** `orthodict topics`: finds the topics of documents from their word counts. */
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import { type Matrix64, row } from '../../core/matrix.ts';
import { inPrecision, vectorOf } from '../../io/arrays.ts';
import { type TopicsResult, topWords } from '../../models/topics/learn-topics.ts';
import type { TopicsOptions } from '../../models/topics/option-types.ts';
import { topicsOptions } from '../../models/topics/options.ts';
import { renderChart } from '../../node/chart.ts';
import { writeArrays } from '../../node/io/arrays.ts';
import { readCounts } from '../../node/io/counts.ts';
import { learnTopics } from '../../node/models.ts';
import { topicsChart } from '../charts/topics-chart.ts';
import { numberOption } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { addOptions, optionsFrom } from '../terminal/option-flags.ts';
import { formatNumber, printFacts, printJson, printLine } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addRunFlags, type RunFlags, runFrom, whereSaved } from '../terminal/run-flags.ts';

interface Flags extends RunFlags {
  vocabulary?: string;
  top: number;
  out: string;
  plot?: string;
  json?: boolean;
}

const WHO = 'topics';

export function topicsCommand(): Command {
  const command = new Command(WHO).argument(
    '<COUNTS>',
    'documents x words: .txt of lines "document word count" (UCI bag of words), .npz of scipy.sparse (CSR), or a dense matrix',
  );
  addOptions(command, WHO, topicsOptions.table)
    .option('--vocabulary <words.txt>', 'the words, one per line')
    .option('--top <N>', 'words of each topic to print and draw', numberOption(WHO, '--top'), 10)
    .requiredOption('--out <f.npz>', 'file to write: topics (KxV) and weights')
    .option('--plot <FILE>', 'draw the words of each topic as .svg or .png')
    .option('--json', 'print one JSON object');
  return addRunFlags(command, WHO)
    .addHelpText(
      'after',
      `
Perplexity measures how well held-out words are predicted from the other words of their document; lower is better.

Examples:
  orthodict topics docword.txt --topics 20 --vocabulary vocab.txt --out topics.npz --plot topics.svg
  orthodict topics counts.npz --topics 10 --alpha0 0.5 --held-out 0 --out topics.npz`,
    )
    .action((path: string, flags: Flags) => {
      const options = optionsFrom(command, topicsOptions.table);
      return runTopics(path, flags, options);
    });
}

async function runTopics(path: string, flags: Flags, options: TopicsOptions): Promise<void> {
  const { out, plot, json, vocabulary, top } = flags;
  if (!(Number.isInteger(top) && top >= 1)) {
    throw new InputError(`${WHO}: --top must be a whole number from 1; got ${top}.`);
  }
  const { starts } = topicsOptions.settle(WHO, options); // rejects bad options before the counts are read
  await checkOutputs(WHO, { out, plot });
  const running = await runFrom(WHO, flags);
  const started = performance.now();
  const line = progressLine({ loops: starts + 1 });
  line.say('reading …');
  const learned = async (signal: AbortSignal) => {
    const { counts, vocabulary: words, precision } = await readCounts(path, vocabulary);
    return {
      ...(await learnTopics(counts, options, { ...running, signal, onProgress: line.update })),
      vocabulary: words,
      precision,
    };
  };
  const result = await interruptible((signal) => learned(signal).finally(line.clear));
  if (result.status === 'aborted') throw new Interrupted(`${WHO}: interrupted.${whereSaved(flags)}`);
  const { topics, weights, vocabulary: names, precision } = result;
  await writeArrays(out, inPrecision({ topics, weights: vectorOf(weights) }, precision));
  const best = Array.from(weights, (weight, k) => ({ weight, words: shownWords(topics, k, top, names) }));
  if (plot) await renderChart(topicsChart(best), plot);
  report(result, best, (performance.now() - started) / 1000, out, json);
}

interface ShownTopic {
  readonly weight: number;
  readonly words: readonly { readonly word: string }[];
}

function report(
  { perplexity, refined, documents, words }: TopicsResult,
  best: readonly ShownTopic[],
  seconds: number,
  out: string,
  json?: boolean,
): void {
  const named = best.map(({ weight, words: shown }) => ({ weight, words: shown.map(({ word }) => word) }));
  if (json) {
    printJson({ topics: named, perplexity, refined, documents, words, seconds, out });
    return;
  }
  for (const { weight, words: shown } of named) {
    printLine(`${`${(100 * weight).toFixed(1)} %`.padStart(7)}  ${shown.join(' ')}`);
  }
  const predicted =
    perplexity && `${formatNumber(perplexity.topics)}; without topics ${formatNumber(perplexity.unigram)}`;
  printFacts([
    ['topics', `${out}: ${best.length} of ${formatNumber(words)} words, from ${formatNumber(documents)} documents`],
    ...(predicted ? [['perplexity', predicted] as const] : []),
    ['time', `${seconds.toFixed(2)} s`],
  ]);
}

/** The most probable words of a topic; without a vocabulary, words are shown by number. */
function shownWords(topics: Matrix64, k: number, count: number, names: readonly string[] | undefined) {
  const topic = row(topics, k);
  return topWords(topics, k, count).map((v) => ({ word: names?.[v] ?? String(v), probability: topic[v] }));
}
