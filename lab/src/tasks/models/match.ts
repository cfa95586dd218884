/**
 * A match: contenders of one model on the same data, judged by one number. Every contender gets the arrays of a game and returns
 * arrays; only the game scores them, and no contender scores itself.
 */
import type { Matrix64 } from 'orthodict';

/** Matrices by name. */
export type Arrays = Readonly<Record<string, Matrix64>>;

/** The data of one seed. */
export interface Game {
  readonly given: Arrays;
  /** How far from the best there could be: smaller is better. */
  score(found: Arrays): number | Promise<number>;
}

/** Takes part by a call of this library: samples in memory, default threads, the whole call counted. */
export interface OurPlayer {
  readonly name: string;
  fit(given: Arrays, seed: number, signal: AbortSignal): Promise<Arrays>;
}

/**
 * Takes part by a Python script that defines `fit(given, seed)`, from a dictionary of arrays to one. `seconds` in it counts instead of the
 * time of the call.
 */
export interface PeerPlayer {
  readonly name: string;
  readonly script: string;
  /** Rounds it takes part in, if a run is long; default: all. */
  readonly mostRounds?: number;
}

export interface Match {
  /** What is to be done: all matches of a group are in one table. */
  readonly group: string;
  /** The data: kind and size. */
  readonly data: string;
  /** What the score is. */
  readonly objective: string;
  /** Most seconds of ours per second of the best peer: 2 for small data, 1 for large. */
  readonly timeBar: 1 | 2;
  /** Most that ours may score, as a multiple of the best peer. Default: EQUAL. */
  readonly scoreBar?: number;
  /** Why a bar cannot be met, if it is known. */
  readonly reason?: string;
  /** The first is the default of this library and is judged; others are shown. */
  readonly ours: readonly [OurPlayer, ...OurPlayer[]];
  readonly peers: readonly PeerPlayer[];
  /** Why the data is not here. */
  missing?(): string | undefined;
  deal(seed: number): Promise<Game>;
}

/** Scores that differ by less are equal: both ends of the same optimum, up to where each of them stops. */
export const EQUAL = 1.005;

export const describeMatch = ({ group, data }: Pick<Match, 'group' | 'data'>): string => `${group}: ${data}`;
