/** All matches, by group. */
import { dictionaryMatches } from './dictionaries.ts';
import type { Match } from './match.ts';
import { mixtureMatches } from './mixtures.ts';
import { sourceMatches } from './sources.ts';
import { sparsePcaMatches } from './sparse-pca.ts';
import { tensorMatches } from './tensors.ts';
import { topicMatches } from './topics.ts';

export const MATCHES: readonly Match[] = [
  ...sourceMatches,
  ...sparsePcaMatches,
  ...mixtureMatches,
  ...topicMatches,
  ...dictionaryMatches,
  ...tensorMatches,
];
