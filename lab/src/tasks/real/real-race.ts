/**
 * Contenders on real data: what they get in which time, on samples that they have not seen. A round gives everybody
 * another random start, and the medians of the rounds count.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Executor } from 'orthodict';
import { shareMatrix } from 'orthodict/extend';
import { createNodeExecutor, learn, writeArray } from 'orthodict/node';
import { attempt } from '../../contenders/attempt.ts';
import type { Contender, Entrant } from '../../contenders/contender.ts';
import { REFERENCE } from '../../contenders/our-options.ts';
import { medianOrNull } from '../median.ts';
import { heldOutResidual, markOnHeldOut, type RealMark } from './held-out.ts';
import type { Parts, RealSet } from './real-sets.ts';

/** Plain MSP run to its end, from the start of a round. */
export interface Reference {
  readonly seed: number;
  readonly residual: number;
  readonly passes: number;
  readonly seconds: number;
  readonly reason: string;
}

export interface RealResult {
  readonly contender: string;
  readonly ours: boolean;
  readonly runs: number;
  /** Of its last dictionary, the medians of the rounds; null if it failed, or does not count passes. */
  readonly seconds: number | null;
  readonly passes: number | null;
  readonly residual: number | null;
  /** Residual over that of the reference with the same start, of its last dictionary; the median. */
  readonly ofReference: number | null;
  /** Seconds until the residual was as good as the reference's, up to the share `within`; the median; null: never. */
  readonly secondsToReference: number | null;
  /** The first round. */
  readonly marks: readonly RealMark[];
  /** Why there are no numbers. */
  readonly reason?: string | undefined;
}

export type RaceSet = Pick<RealSet, 'name' | 'samples' | 'features' | 'kept' | 'within' | 'mostPasses'>;

export interface RealRace {
  readonly set: RaceSet;
  readonly heldOutSamples: number;
  readonly references: readonly Reference[];
  readonly results: readonly RealResult[];
}

export interface RealRaceOptions {
  readonly repeats: number;
  /** For files. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

interface Round {
  readonly marks: readonly RealMark[];
  readonly failure?: string;
  readonly reference: Reference;
}

/** Every contender runs once per round; one that failed is not run again. */
export async function realRace(
  entrants: readonly Entrant[],
  set: RealSet,
  options: RealRaceOptions,
): Promise<RealRace> {
  const { say, folder } = options;
  say?.('reading data');
  const { training, heldOut } = await set.read();
  const parts = { training: shareMatrix(training), heldOut };
  const file = join(folder, `${set.name}.npy`);
  await writeArray(file, training);
  const executor = await createNodeExecutor();
  const references: Reference[] = [];
  const rounds = new Map<Contender, Round[]>(entrants.map(({ contender }) => [contender, []]));
  try {
    const repeats = Math.min(options.repeats, set.mostRepeats);
    for (let seed = 1; seed <= repeats; seed++) {
      const inside = { ...options, say: (words: string) => say?.(`round ${seed} of ${repeats}: ${words}`) };
      inside.say('plain MSP to its end, for reference');
      const reference = await runReference(parts, set, seed, executor, options.signal);
      references.push(reference);
      await runRound(entrants, { ...parts, file, set, reference }, rounds, inside);
    }
  } finally {
    await executor.close();
    await rm(file, { force: true });
  }
  const { name, features, kept, within, mostPasses } = set;
  return {
    set: { name, samples: training.rows, features, kept, within, mostPasses },
    heldOutSamples: heldOut.rows,
    references,
    results: entrants.map(({ contender }) => summarise(contender, rounds.get(contender)!, within)),
  };
}

interface Ground extends Parts {
  readonly file: string;
  readonly set: RealSet;
  readonly reference: Reference;
}

/** Adds to `rounds`. */
async function runRound(
  entrants: readonly Entrant[],
  { training: samples, heldOut, file, set, reference }: Ground,
  rounds: ReadonlyMap<Contender, Round[]>,
  { signal, say }: Pick<RealRaceOptions, 'signal' | 'say'>,
): Promise<void> {
  const { seed } = reference;
  for (const { contender, session } of entrants) {
    const own = rounds.get(contender)!;
    if (seed > (contender.mostRepeats ?? seed) || own.some(({ failure }) => failure)) continue;
    signal?.throwIfAborted();
    say?.(contender.name);
    const done = await attempt(session, { samples, file, seed }, set.limitSeconds, signal);
    if ('failure' in done) own.push({ marks: [], failure: done.failure, reference });
    else own.push({ marks: await markOnHeldOut(done.snapshots, heldOut, set.kept, signal), reference });
  }
}

async function runReference(
  { training, heldOut }: Parts,
  { kept }: RealSet,
  seed: number,
  executor: Executor,
  signal?: AbortSignal,
): Promise<Reference> {
  const { dictionary, passes, seconds, reason } = await learn(training, { ...REFERENCE, seed }, { executor, signal });
  signal?.throwIfAborted();
  return { seed, residual: await heldOutResidual(heldOut, dictionary, kept), passes, seconds, reason };
}

function summarise({ name, ours }: Contender, rounds: readonly Round[], within: number): RealResult {
  const about = { contender: name, ours, runs: rounds.length };
  const failure = rounds.find((round) => round.failure)?.failure;
  const good = rounds.filter(({ marks }) => marks.length > 0);
  const last = good.map(({ marks }) => marks.at(-1)!);
  const asGood = good.map(
    ({ marks, reference }) =>
      marks.find(({ residual }) => residual <= (1 + within) * reference.residual)?.seconds ?? null,
  );
  return {
    ...about,
    seconds: medianOrNull(last.map(({ seconds }) => seconds)),
    passes: medianOrNull(last.map(({ passes }) => passes)),
    residual: medianOrNull(last.map(({ residual }) => residual)),
    ofReference: medianOrNull(good.map(({ reference }, k) => last[k].residual / reference.residual)),
    secondsToReference: medianOrNull(asGood),
    marks: good[0]?.marks ?? [],
    reason: failure,
  };
}
