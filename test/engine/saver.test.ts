/** A checkpoint that cannot be saved: one warning while the run goes on, an error when it is aborted. */
import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '#src/engine/checkpoint.ts';
import { learn } from '#src/learn/learn.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';

const { samples } = generate({ samples: 400, features: 5, theta: 0.3, seed: 1 });
const options = {
  shift: 'none',
  refine: 'none',
  maxIterations: 8,
  tolerance: 0,
  objectiveTolerance: 0,
  precision: 'f64',
} as const;

/** Fails at the attempts for which `fails` returns true, counted from 1. */
function unreliable(fails: (attempt: number) => boolean) {
  const saved: Checkpoint[] = [];
  const store = {
    attempts: 0,
    saved,
    interval: 0,
    load: async () => saved.at(-1),
    async save(checkpoint: Checkpoint) {
      if (fails(++store.attempts)) throw new Error('the disk is full.');
      saved.push(structuredClone(checkpoint));
    },
  };
  return store;
}

describe('a save that fails', () => {
  it('does not end the run, is reported once, and is tried again', async () => {
    const whole = await learn(samples, options);
    const checkpoint = unreliable((attempt) => attempt % 2 === 0);
    const warnings: string[] = [];
    const result = await learn(samples, options, { checkpoint, onWarning: (message) => warnings.push(message) });
    expect(result.dictionary.atoms).toEqual(whole.dictionary.atoms);
    expect(warnings).toEqual([
      'learn: the checkpoint could not be saved (the disk is full). The run goes on, and tries again.',
    ]);
    expect([checkpoint.attempts, checkpoint.saved.length]).toEqual([9, 5]); // after every step, and at the end
    const resumed = await learn(samples, options, { checkpoint, resume: true });
    expect(resumed.dictionary.atoms).toEqual(whole.dictionary.atoms);
  });

  it('is an error when the run is aborted: its work would be lost', async () => {
    const controller = new AbortController();
    const checkpoint = unreliable(() => true);
    const onProgress = ({ iteration }: { iteration: number }) => iteration === 3 && controller.abort();
    const run = learn(samples, options, { checkpoint, signal: controller.signal, onProgress, onWarning: () => {} });
    await expect(run).rejects.toThrow('the disk is full.');
  });
});
