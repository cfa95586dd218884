/**
 * Counts the words of texts: lower-case words of letters, without stop words, rare words and very frequent words.
 */
import { type Counts, countsFromTriplets, type Triplet } from '../../core/counts.ts';
import { demand, inputError } from '../../core/errors.ts';
import { count, defineOptions, number, type OptionSpec, type SettingsOf } from '../../core/options.ts';
import type { CountWordsOptions } from './option-types.ts';

/** Common words that say nothing about a topic: the default of `stopWords`. */
export const ENGLISH_STOP_WORDS: readonly string[] =
  `a about above after again against all also am an and any are aren as at be because been before being below between both but
  by can cannot could did do does doing don down during each every few for from further had has have having he her here hers
  herself him himself his how however i if in into is it its itself just let may me might more most much must my myself no nor
  not now of off on once one only or other our ours ourselves out over own same shall she should so some such than that the
  their theirs them themselves then there therefore these they this those through thus to too two under until up upon us very
  was we were what when where whether which while who whom whose why will with within without would yet you your yours yourself
  yourselves`.split(/\s+/);

const stopWords: OptionSpec<Iterable<string>, readonly string[]> = {
  is: (value): value is Iterable<string> =>
    typeof value === 'object' && value !== null && typeof (value as Iterable<string>)[Symbol.iterator] === 'function',
  mustBe: 'an array or set of words',
  default: ENGLISH_STOP_WORDS,
  help: 'words to leave out; default: common English words',
  type: 'Iterable<string>',
};

/** The options of `countWords`. */
export const countWordsOptions = defineOptions({
  stopWords,
  minDocuments: count({ placeholder: 'N', default: 2, help: 'leave out words found in fewer documents' }),
  maxShare: number(
    {
      placeholder: 'F',
      default: 1,
      mustBe: 'in (0, 1]',
      help: 'leave out words found in more than this share of the documents',
    },
    (share) => share > 0 && share <= 1,
  ),
  minLength: count({ placeholder: 'L', default: 3, help: 'leave out shorter words' }),
});

/** How often each word occurs in each document. */
export interface CountedWords {
  readonly counts: Counts;
  /** The word of every column, by descending number of documents. */
  readonly vocabulary: string[];
}

/**
 * Counts the words of documents: letters in lower case, without stop words and rare words.
 *
 * @example
 * ```js
 * import { countWords } from 'orthodict';
 *
 * const { vocabulary, counts } = countWords(['Green apples and red apples', 'Red wine', 'Green wine']);
 * console.log(vocabulary.join(' '), counts.rows); // green red wine 3
 * ```
 */
export function countWords(documents: Iterable<string>, options: CountWordsOptions = {}): CountedWords {
  const settings = countWordsOptions.settle('countWords', options);
  const counted = wordsOf(documents, settings);
  const vocabulary = vocabularyOf(counted, settings);
  const column = new Map(vocabulary.map((word, col) => [word, col]));
  const entries: Triplet[] = counted.flatMap((counts, row) =>
    [...counts].flatMap(([word, value]) => {
      const col = column.get(word);
      return col === undefined ? [] : [{ row, col, value }];
    }),
  );
  return { counts: countsFromTriplets(counted.length, vocabulary.length, entries), vocabulary };
}

type Settings = SettingsOf<typeof countWordsOptions.table>;

/** How often each word occurs in each document, before rare and common ones are left out. */
function wordsOf(documents: Iterable<string>, { stopWords: ignored, minLength }: Settings): Map<string, number>[] {
  const isText = typeof documents === 'string';
  demand(
    !isText && documents?.[Symbol.iterator] !== undefined,
    'countWords',
    'documents',
    'an array of texts',
    isText ? 'one text' : documents,
  );
  const left = new Set(ignored);
  return Array.from(documents, (text, l) => {
    demand(typeof text === 'string', 'countWords', `document ${l}`, 'a text', text);
    const counts = new Map<string, number>();
    for (const [word] of text.toLowerCase().matchAll(/\p{Letter}+/gu)) {
      if (word.length >= minLength && !left.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
  });
}

function vocabularyOf(counted: readonly Map<string, number>[], { minDocuments, maxShare }: Settings): string[] {
  const spread = new Map<string, number>();
  for (const counts of counted) for (const word of counts.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
  const vocabulary = [...spread]
    .filter(([, documents]) => documents >= minDocuments && documents <= maxShare * counted.length)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word]) => word);
  if (vocabulary.length > 0) return vocabulary;
  throw inputError('countWords', 'documents', 'texts with words in common', `${counted.length} texts without`);
}
