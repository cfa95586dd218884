/** Plays matches: the contenders take turns, a game for every seed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeArrays } from 'orthodict/node';
import type { Skipped } from '../../contenders/contender.ts';
import { findPython, type NoPython, type Python } from '../../python.ts';
import { median } from '../median.ts';
import { type Arrays, describeMatch, EQUAL, type Game, type Match, type OurPlayer, type PeerPlayer } from './match.ts';
import { runPeer } from './peer.ts';
import { timed } from './timing.ts';

/** What a contender did in all its games. */
export interface PlayerResult {
  readonly name: string;
  readonly ours: boolean;
  readonly scores: readonly number[];
  /** Median of the scores; null if it never came to an end. */
  readonly score: number | null;
  readonly seconds: number | null;
  /** Why games are missing. */
  readonly reason?: string | undefined;
}

export interface ModelRace extends Pick<Match, 'group' | 'data' | 'objective' | 'timeBar'> {
  readonly scoreBar: number;
  readonly rounds: number;
  readonly results: readonly PlayerResult[];
  /** Ours against the peer with the best score; null without peers. */
  readonly verdict: Verdict | null;
}

export interface Verdict {
  readonly ours: string;
  readonly peer: string;
  /** Ours over the peer's. */
  readonly score: number;
  readonly seconds: number;
  readonly met: { readonly score: boolean; readonly seconds: boolean };
  /** Why a bar is not met. */
  readonly reason?: string | undefined;
}

export interface ModelRaceOptions {
  readonly rounds: number;
  readonly peers: boolean;
  readonly only: readonly string[];
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

/** A longer fit is aborted. */
const LIMIT_SECONDS = 300;

export async function playAll(matches: readonly Match[], options: ModelRaceOptions) {
  const races: ModelRace[] = [];
  const skipped: Skipped[] = [];
  const python = options.peers ? findPython('numpy', 'sklearn') : undefined;
  if (python && 'missing' in python) skipped.push({ name: 'scikit-learn', reason: python.missing });
  for (const match of matches) {
    const name = describeMatch(match);
    const missing = match.missing?.();
    if (missing) skipped.push({ name, reason: missing });
    else races.push(await play(match, python, { ...options, say: (words) => options.say?.(`${name}: ${words}`) }));
  }
  return { races, skipped, python };
}

type Player =
  | { readonly ours: true; readonly player: OurPlayer }
  | { readonly ours: false; readonly player: PeerPlayer };

interface Played {
  readonly score: number;
  readonly seconds: number;
}

async function play(
  match: Match,
  python: Python | NoPython | undefined,
  options: ModelRaceOptions,
): Promise<ModelRace> {
  const peers = python && !('missing' in python) ? match.peers : [];
  const isWanted = ({ player: { name } }: Player) =>
    options.only.length === 0 || options.only.some((word) => name.toLowerCase().includes(word.toLowerCase()));
  const players = [
    ...match.ours.map((player): Player => ({ ours: true, player })),
    ...peers.map((player): Player => ({ ours: false, player })),
  ].filter(isWanted);
  const games = new Map<Player, (Played | string)[]>(players.map((player) => [player, []]));
  for (let round = 0; round < options.rounds; round++) {
    const seed = round + 1;
    const game = await match.deal(seed);
    const folder = await mkdtemp(join(options.folder, 'game-'));
    const file = join(folder, 'given.npz');
    await writeArrays(file, game.given);
    for (const player of players) {
      if (round >= (player.ours ? Infinity : (player.player.mostRounds ?? Infinity))) continue;
      options.say?.(`${player.player.name}, game ${seed} of ${options.rounds}`);
      const table = { ...options, folder, file, seed, isFirst: round === 0, python: python as Python };
      games.get(player)!.push(await turn(player, game, table));
    }
    await rm(folder, { recursive: true, force: true });
  }
  const results = players.map((player) => resultOf(player, games.get(player)!));
  const { group, data, objective, timeBar, scoreBar = EQUAL } = match;
  const race = { group, data, objective, timeBar, scoreBar, rounds: options.rounds, results };
  return { ...race, verdict: verdictOn(race, match) };
}

type Table = Pick<ModelRaceOptions, 'signal'> & {
  readonly folder: string;
  readonly file: string;
  readonly seed: number;
  readonly isFirst: boolean;
  readonly python: Python;
};

/** A failure is a result, an interruption is not. */
async function turn(
  { ours, player }: Player,
  game: Game,
  { folder, file, seed, isFirst, python, signal }: Table,
): Promise<Played | string> {
  const limit = AbortSignal.timeout(LIMIT_SECONDS * 1000);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    const { seconds, found } = ours
      ? await ourTurn(player, game.given, seed, either, isFirst)
      : await runPeer(python, player, { file, folder, seed, signal: either });
    return { seconds, score: await game.score(found) };
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) return `did not finish within ${LIMIT_SECONDS} s`;
    return error instanceof Error ? error.message : String(error);
  }
}

/** The first call of a match compiles what this data needs: it is not counted, as long as it is short. */
async function ourTurn(player: OurPlayer, given: Arrays, seed: number, signal: AbortSignal, isFirst: boolean) {
  const learnOnce = () => player.fit(given, seed, signal);
  const found = await timed(learnOnce);
  return isFirst && found.seconds <= LONG_SECONDS ? timed(learnOnce) : found;
}
/** Compiling does not matter. */
const LONG_SECONDS = 3;

function resultOf({ ours, player: { name } }: Player, games: readonly (Played | string)[]): PlayerResult {
  const played = games.filter((game): game is Played => typeof game !== 'string');
  const middle = (pick: (game: Played) => number) => (played.length > 0 ? median(played.map(pick)) : null);
  return {
    name,
    ours,
    scores: played.map(({ score }) => score),
    score: middle(({ score }) => score),
    seconds: middle(({ seconds }) => seconds),
    reason: games.find((game) => typeof game === 'string') as string | undefined,
  };
}

type Scored = PlayerResult & { readonly score: number; readonly seconds: number };

function verdictOn(
  { results, timeBar, scoreBar }: Omit<ModelRace, 'verdict'>,
  { ours, reason }: Match,
): Verdict | null {
  const scored = results.filter((result): result is Scored => result.score !== null);
  const own = scored.find(({ name }) => name === ours[0].name);
  const peers = scored.filter((result) => !result.ours).sort((a, b) => a.score - b.score);
  if (!own || peers.length === 0) return null;
  const score = own.score / peers[0].score;
  const seconds = own.seconds / peers[0].seconds;
  const met = { score: score <= scoreBar, seconds: seconds <= timeBar };
  return { ours: own.name, peer: peers[0].name, score, seconds, met, ...(!(met.score && met.seconds) && { reason }) };
}
