/** Every model beside other programs: contenders take turns, with other data in every round. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeArrays } from 'orthodict/node';
import {
  type Contender,
  closeAll,
  type Described,
  openAll,
  type Skipped,
  type Watch,
} from '../../contenders/contender.ts';
import { median } from '../../median.ts';
import { failureOf, type Mark, type Run, runInTurns } from '../turns.ts';
import { describeTask, EQUAL, type ModelTask } from './model-task.ts';

/** What a contender did in all rounds. */
export interface ModelResult {
  readonly name: string;
  readonly ours: boolean;
  readonly scores: readonly number[];
  /** Median of the scores; null if it never came to an end. */
  readonly score: number | null;
  readonly seconds: number | null;
  /** Why rounds are missing. */
  readonly reason?: string | undefined;
}

export interface ModelResults extends Pick<ModelTask, 'group' | 'data' | 'objective' | 'timeBar'> {
  readonly scoreBar: number;
  readonly rounds: number;
  readonly results: readonly ModelResult[];
  /** Ours against the other program with the best score; null if there is none. */
  readonly verdict: Verdict | null;
}

export interface Verdict {
  readonly ours: string;
  readonly other: string;
  /** Ours over the other's. */
  readonly score: number;
  readonly seconds: number;
  readonly met: { readonly score: boolean; readonly seconds: boolean };
  /** Why a target is not met. */
  readonly reason?: string | undefined;
}

export interface ModelOptions extends Watch {
  readonly rounds: number;
  /** Also run other programs. */
  readonly peers: boolean;
  /** Only contenders whose name contains one of these words. */
  readonly only: readonly string[];
  readonly folder: string;
}

/** A longer fit is aborted. */
const LIMIT_SECONDS = 300;

export async function runModels(tasks: readonly ModelTask[], options: ModelOptions) {
  const models: ModelResults[] = [];
  const skipped: Skipped[] = [];
  const contenders = new Map<string, Described>();
  for (const task of tasks) {
    const name = describeTask(task);
    const say = (words: string) => options.say?.(`${name}: ${words}`);
    const missing = task.missing?.();
    if (missing) {
      skipped.push({ name, reason: missing });
      continue;
    }
    const wanted = task.contenders.filter(
      (contender) => (contender.ours || options.peers) && isCalled(contender, options.only),
    );
    const { opened, skipped: absent } = await openAll(wanted, { ...options, say });
    skipped.push(...absent);
    for (const { contender, session } of opened) {
      const { description } = session;
      if (!contender.ours) contenders.set(description, { name: 'scikit-learn', description });
    }
    try {
      models.push(await runTask(task, opened, { ...options, say }));
    } finally {
      await closeAll(opened);
    }
  }
  return { models, skipped, contenders: [...contenders.values()] };
}

export const isCalled = ({ name }: { readonly name: string }, words: readonly string[]): boolean =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));

async function runTask(
  task: ModelTask,
  opened: Parameters<typeof runInTurns>[0],
  options: ModelOptions,
): Promise<ModelResults> {
  const folder = await mkdtemp(join(options.folder, 'model-'));
  const file = join(folder, 'given.npz');
  const begin = async (round: number) => {
    const data = await task.deal(round + 1);
    await writeArrays(file, data.given);
    return { data, file, seed: round + 1 };
  };
  try {
    const runsOf = await runInTurns(opened, begin, { ...options, limitSeconds: LIMIT_SECONDS });
    const results = opened.map(({ contender }) => resultOf(contender, runsOf(contender)));
    const { group, data, objective, timeBar, scoreBar = EQUAL } = task;
    const about = { group, data, objective, timeBar, scoreBar, rounds: options.rounds, results };
    return { ...about, verdict: verdictOn(about, task) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf({ name, ours }: Contender, runs: readonly Run[]): ModelResult {
  const ends = runs.flatMap(({ marks }) => marks.slice(-1));
  const middle = (pick: (end: Mark) => number) => (ends.length > 0 ? median(ends.map(pick)) : null);
  return {
    name,
    ours,
    scores: ends.map(({ score }) => score),
    score: middle(({ score }) => score),
    seconds: middle(({ seconds }) => seconds),
    reason: failureOf(runs),
  };
}

type Scored = ModelResult & { readonly score: number; readonly seconds: number };

function verdictOn(
  { results, timeBar, scoreBar }: Omit<ModelResults, 'verdict'>,
  { contenders, reason }: ModelTask,
): Verdict | null {
  const scored = results.filter((result): result is Scored => result.score !== null);
  const own = scored.find(({ name }) => name === contenders[0].name);
  const best = scored.filter(({ ours }) => !ours).sort((a, b) => a.score - b.score)[0];
  if (!own || !best) return null;
  const score = own.score / best.score;
  const seconds = own.seconds / best.seconds;
  const met = { score: score <= scoreBar, seconds: seconds <= timeBar };
  return { ours: own.name, other: best.name, score, seconds, met, ...(!(met.score && met.seconds) && { reason }) };
}
