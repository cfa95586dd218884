/**
 * Real data: what contenders get in which time, on samples that they have not seen. A round gives everybody another random
 * start, and the medians of the rounds count.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Executor } from 'orthodict';
import { shareMatrix } from 'orthodict/extend';
import { createNodeExecutor, learn, writeArray } from 'orthodict/node';
import type { Contender, Opened, Watch } from '../../contenders/contender.ts';
import { REFERENCE } from '../../contenders/our-options.ts';
import { medianOrNull } from '../../median.ts';
import { type Data, failureOf, type Mark, type Run, runInTurns } from '../turns.ts';
import { heldOutResidual } from './held-out.ts';
import type { RealSet } from './real-sets.ts';

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
  /** Seconds and passes to its last dictionary, and its residual: medians of the rounds; null if it failed, or counts no passes. */
  readonly seconds: number | null;
  readonly passes: number | null;
  readonly residual: number | null;
  /** Residual over that of the reference with the same start, of its last dictionary; the median. */
  readonly ofReference: number | null;
  /** Seconds until the residual was as good as the reference's, up to the share `within`; the median; null: never. */
  readonly secondsToReference: number | null;
  /** The first round; the score is the residual. */
  readonly marks: readonly Mark[];
  /** Why there are no numbers. */
  readonly reason?: string | undefined;
}

export interface RealResults {
  readonly set: Pick<RealSet, 'name' | 'samples' | 'features' | 'kept' | 'within' | 'mostPasses'>;
  readonly heldOutSamples: number;
  readonly references: readonly Reference[];
  readonly results: readonly RealResult[];
}

export interface RealOptions extends Watch {
  readonly rounds: number;
  /** Folder for files. */
  readonly folder: string;
}

export async function learnRealData(
  opened: readonly Opened[],
  set: RealSet,
  options: RealOptions,
): Promise<RealResults> {
  const { say, folder, signal } = options;
  say?.('reading data');
  const { training, heldOut } = await set.read();
  const data: Data = {
    given: { samples: shareMatrix(training) },
    score: (found) => heldOutResidual(heldOut, found, set.kept),
  };
  const file = join(folder, `${set.name}.npy`);
  await writeArray(file, training);
  const executor = await createNodeExecutor();
  const references: Reference[] = [];
  const begin = async (round: number) => {
    say?.(`round ${round + 1}: plain MSP to its end, for reference`);
    references.push(await referenceFor(data, round + 1, executor, signal));
    return { data, file, seed: round + 1 };
  };
  try {
    const rounds = Math.min(options.rounds, set.mostRuns);
    const runsOf = await runInTurns(opened, begin, { ...options, rounds, limitSeconds: set.limitSeconds });
    const { name, features, kept, within, mostPasses } = set;
    return {
      set: { name, samples: training.rows, features, kept, within, mostPasses },
      heldOutSamples: heldOut.rows,
      references,
      results: opened.map(({ contender }) => summarise(contender, runsOf(contender), references, within)),
    };
  } finally {
    await executor.close();
    await rm(file, { force: true });
  }
}

async function referenceFor(data: Data, seed: number, executor: Executor, signal?: AbortSignal): Promise<Reference> {
  const run = await learn(data.given.samples, { ...REFERENCE, seed }, { executor, signal });
  signal?.throwIfAborted();
  const { dictionary, passes, seconds, reason } = run;
  return { seed, residual: await data.score({ atoms: dictionary.atoms }), passes, seconds, reason };
}

/** The k-th run is that of the k-th reference. */
function summarise(
  { name, ours }: Contender,
  runs: readonly Run[],
  references: readonly Reference[],
  within: number,
): RealResult {
  const good = runs.flatMap(({ marks }, k) =>
    marks.length > 0 ? [{ marks, last: marks.at(-1)!, reference: references[k].residual }] : [],
  );
  const asGood = good.map(
    ({ marks, reference }) => marks.find(({ score }) => score <= (1 + within) * reference)?.seconds ?? null,
  );
  return {
    contender: name,
    ours,
    runs: runs.length,
    seconds: medianOrNull(good.map(({ last }) => last.seconds)),
    passes: medianOrNull(good.map(({ last }) => last.passes)),
    residual: medianOrNull(good.map(({ last }) => last.score)),
    ofReference: medianOrNull(good.map(({ last, reference }) => last.score / reference)),
    secondsToReference: medianOrNull(asGood),
    marks: good[0]?.marks ?? [],
    reason: failureOf(runs),
  };
}
