/** Spoiled checkpoints of everything that learns. */
import { join } from 'node:path';
import { createRandom } from '#src/core/random.ts';
import { checkpointCases } from '../checkpoint-cases.ts';
import { tryCheckpoint } from '../checkpoints.ts';
import { subject, type Target } from '../target.ts';

interface Case {
  readonly learner: number;
  readonly seed: number;
}

export const checkpoints: Target = {
  name: 'checkpoints',
  about: 'checkpoints of wrong shapes, kinds and values: refused, or resumed to the right result',
  cases: 1000,
  open: async (folder) => {
    const cases = await checkpointCases();
    return subject<Case>({
      draw: (random) => ({ learner: random.integer(cases.length), seed: random.integer(2 ** 31) }),
      check: ({ learner, seed }) =>
        tryCheckpoint(createRandom(seed, 'checkpoints'), cases[learner], join(folder, 'state.npz')),
      keep: async ({ learner }) => cases[learner].learner.name,
    });
  },
};
