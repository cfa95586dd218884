/** From texts to counts: lower-case words of letters, without those that say nothing, that are rare, or that are everywhere. */
import { type Counts, countsFromTriplets, type Triplet } from '../../core/counts.ts';
import { inputError } from '../../core/errors.ts';

export interface CountWordsOptions {
  /** Words to leave out; default: the common words of English. */
  readonly stopWords?: Iterable<string> | undefined;
  /** A word must be in so many documents. */
  readonly minDocuments?: number | undefined;
  /** A word must not be in more than this share of the documents. */
  readonly maxShare?: number | undefined;
  /** Shorter words are left out. */
  readonly minLength?: number | undefined;
}

export const countWordsDefaults = Object.freeze({ minDocuments: 2, maxShare: 1, minLength: 3 } as const);

export const ENGLISH_STOP_WORDS: readonly string[] =
  `a about above after again against all also am an and any are aren as at be because been before being below between both but
  by can cannot could did do does doing don down during each every few for from further had has have having he her here hers
  herself him himself his how however i if in into is it its itself just let may me might more most much must my myself no nor
  not now of off on once one only or other our ours ourselves out over own same shall she should so some such than that the
  their theirs them themselves then there therefore these they this those through thus to too two under until up upon us very
  was we were what when where whether which while who whom whose why will with within without would yet you your yours yourself
  yourselves`.split(/\s+/);

export interface CountedWords {
  readonly counts: Counts;
  /** The word of every column, by descending number of documents. */
  readonly vocabulary: string[];
}

export function countWords(documents: Iterable<string>, options: CountWordsOptions = {}): CountedWords {
  const { stopWords = ENGLISH_STOP_WORDS, minDocuments = countWordsDefaults.minDocuments } = options;
  const { maxShare = countWordsDefaults.maxShare, minLength = countWordsDefaults.minLength } = options;
  const ignored = new Set(stopWords);
  const counted = Array.from(documents, (text) => {
    const counts = new Map<string, number>();
    for (const [word] of text.toLowerCase().matchAll(/\p{Letter}+/gu)) {
      if (word.length >= minLength && !ignored.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
  });
  const spread = new Map<string, number>();
  for (const counts of counted) for (const word of counts.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
  const vocabulary = [...spread]
    .filter(([, documents]) => documents >= minDocuments && documents <= maxShare * counted.length)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word]) => word);
  if (vocabulary.length === 0) {
    throw inputError('countWords', 'documents', 'texts with words in common', `${counted.length} texts without`);
  }
  const column = new Map(vocabulary.map((word, col) => [word, col]));
  const entries: Triplet[] = counted.flatMap((counts, row) =>
    [...counts].flatMap(([word, value]) => {
      const col = column.get(word);
      return col === undefined ? [] : [{ row, col, value }];
    }),
  );
  return { counts: countsFromTriplets(counted.length, vocabulary.length, entries), vocabulary };
}
