/** Samples that are not learned from: which they are, and how well few codes describe them in the end. */
import { inputError } from '../core/errors.ts';
import type { Run } from '../engine/run.ts';
import type { Source } from '../engine/source.ts';
import { sideOf } from '../engine/split.ts';
import type { Evaluation } from '../metrics/evaluate.ts';
import type { Learned } from './methods/method.ts';
import type { LearnSettings } from './options.ts';

/** The samples to learn from, and those held out, if any are. */
export function holdOut(
  all: Source,
  { holdout }: Pick<LearnSettings, 'holdout'>,
): { readonly source: Source; readonly heldOut?: Source } {
  if (holdout === undefined) return { source: all };
  if (all.rows < 2) throw inputError('learn', 'samples', 'at least two with holdout', `${all.rows}`);
  const held = Math.max(1, Math.floor(holdout * all.rows));
  return { source: sideOf(all, { held, side: 'learned' }), heldOut: sideOf(all, { held, side: 'held' }) };
}

/** What becomes of the result: the report on the samples held out, or the abort that cut it off. */
export async function judge(
  { dictionary, status }: Learned,
  heldOut: Source,
  learned: Source,
  settings: LearnSettings,
  run: Run,
): Promise<{ readonly holdout: Evaluation } | Pick<Learned, 'status' | 'reason'> | Record<string, never>> {
  if (status === 'aborted') return {};
  const dctShape = settings.dctShape as string | undefined; // an option of method dct only
  try {
    const { evaluateSource } = await import('../metrics/evaluate.ts');
    return {
      holdout: await evaluateSource(dictionary, heldOut, { keep: undefined, compare: true, dctShape }, run, learned),
    };
  } catch (error) {
    if (!run.signal?.aborted) throw error;
    await run.save();
    return { status: 'aborted', reason: 'aborted' };
  }
}
