/** All matches, by group. */
import type { Match } from './match.ts';
import { sourceMatches } from './sources.ts';

export const MATCHES: readonly Match[] = [...sourceMatches];
