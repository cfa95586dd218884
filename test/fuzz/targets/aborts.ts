/** Runs that are aborted at random moments and resumed from a checkpoint file: the result of an uninterrupted run, bit by bit. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOptions } from '#src/engine/run.ts';
import { fileCheckpoint } from '#src/node/io/checkpoint-file.ts';
import { withoutOne } from '../edits.ts';
import { fingerprint, type Learner, variants } from '../runs.ts';
import { subject, type Target } from '../target.ts';

interface Case {
  readonly learner: number;
  /** The number of progress reports after which each run is aborted; every run continues the one before. */
  readonly aborts: readonly number[];
  /** Seconds between saves. */
  readonly interval: number;
}

class Enough extends Error {}

/** The learner's own data, until the report of progress number `abort`. */
async function runUntil({ learn, data, short }: Learner, abort: number, run: RunOptions): Promise<object | undefined> {
  const controller = new AbortController();
  let reports = 0;
  const onProgress = () => {
    if (++reports === abort) controller.abort(new Enough('enough'));
  };
  try {
    const result = await learn(data, short, { ...run, signal: controller.signal, onProgress });
    return (result as { status?: string }).status === 'aborted' ? undefined : result;
  } catch (error) {
    if (error instanceof Enough) return undefined;
    throw error;
  }
}

export const aborts: Target = {
  name: 'aborts',
  about: 'runs aborted at random and resumed: the result of an uninterrupted run, bit by bit',
  cases: 60,
  open: async (folder) => {
    const wholes = new Map<Learner, Promise<string>>();
    const wholeOf = (learner: Learner) => {
      const known = wholes.get(learner) ?? learner.learn(learner.data, learner.short, {}).then(fingerprint);
      wholes.set(learner, known);
      return known;
    };
    return subject<Case>({
      draw: (random) => ({
        learner: random.integer(variants.length),
        aborts: Array.from({ length: 1 + random.integer(4) }, () => 1 + random.integer(12)),
        interval: random.integer(2) === 0 ? 0 : 1e9,
      }),
      check: async ({ learner: index, aborts: moments, interval }) => {
        const learner = variants[index];
        const path = join(folder, 'state.npz');
        rmSync(path, { force: true });
        const checkpoint = fileCheckpoint(path, interval);
        for (const moment of moments) await runUntil(learner, moment, { checkpoint, resume: true });
        const result = await runUntil(learner, Number.POSITIVE_INFINITY, { checkpoint, resume: true });
        const [ours, whole] = [fingerprint(result!), await wholeOf(learner)];
        if (ours !== whole) throw new Error(`${learner.name} ends with another result`);
        return 'same';
      },
      *smaller({ learner, aborts: moments, interval }) {
        for (const fewer of withoutOne(moments)) yield { learner, aborts: fewer, interval };
      },
      keep: async ({ learner, ...rest }) => `${variants[learner].name} ${JSON.stringify(rest)}`,
    });
  },
};
