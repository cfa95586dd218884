/** Everything that saves checkpoints, run once, with what it saved on its way. */
import type { Checkpoint, CheckpointStore } from '#src/engine/checkpoint.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { fingerprint, type Learner, variants } from './runs.ts';

export interface CheckpointCase {
  readonly learner: Learner;
  /** The result of a run that was never interrupted, as text. */
  readonly whole: string;
  readonly saved: readonly Checkpoint[];
}

const executor = inlineExecutor(fastKernels);

export async function checkpointCases(): Promise<CheckpointCase[]> {
  const cases: CheckpointCase[] = [];
  for (const learner of variants) {
    const saved: Checkpoint[] = [];
    const checkpoint: CheckpointStore = {
      interval: 0,
      load: async () => undefined,
      save: async (one) => void saved.push(structuredClone(one)),
    };
    const { learn, data, short } = learner;
    const whole = fingerprint(await learn(data, short, { executor, checkpoint }));
    cases.push({ learner, whole, saved: saved.length > 0 ? saved : [await abortedAtOnce(learner)] });
  }
  return cases;
}

/** What a learner without loops saves when it is aborted. */
async function abortedAtOnce({ learn, data, short }: Learner): Promise<Checkpoint> {
  let saved: Checkpoint | undefined;
  const controller = new AbortController();
  const save = async (checkpoint: Checkpoint) => {
    saved = checkpoint;
  };
  const checkpoint = { interval: 0, load: async () => undefined, save };
  const onProgress = ({ solver }: { readonly solver: string }) => solver.includes('zeros') && controller.abort();
  await learn(data, short, { executor, checkpoint, signal: controller.signal, onProgress });
  return saved!;
}

/** Resumes from a store; the result as text. */
export const resumed = async ({ learn, data, short }: Learner, checkpoint: CheckpointStore): Promise<string> =>
  fingerprint(await learn(data, short, { executor, checkpoint, resume: true, onWarning: () => {} }));
