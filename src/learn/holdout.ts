/** Holds out samples that are not learned from, and reports how well few codes describe them. */
import { inputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import type { Run } from '../engine/run.ts';
import { sourceOf } from '../engine/source/memory.ts';
import type { Source } from '../engine/source/source.ts';
import { splitSide } from '../engine/source/views.ts';
import type { Evaluation } from '../metrics/evaluate.ts';
import { commonOptions } from './common-options.ts';
import type { Learned, LearnSettings } from './methods/method.ts';

/** A source in two parts. */
export interface HeldOut {
  /** The samples to learn from. */
  readonly learned: Source;
  /** The samples held out. */
  readonly heldOut: Source;
}

const { is: isShare, mustBe } = commonOptions.table.holdout;

/**
 * Returns the samples that `learn` holds out with `holdout: share`, and those it learns from.
 *
 * @example
 * ```js
 * import { evaluate, generate, holdOut, learn } from 'orthodict';
 *
 * const { samples } = generate({ samples: 4000, features: 20, theta: 0.3, seed: 1 });
 * const { dictionary } = await learn(samples, { holdout: 0.2 });
 * const { learned, heldOut } = holdOut(samples, 0.2);
 * const { model, pca } = await evaluate(dictionary, heldOut, { keep: [3, 4, 5, 6], learned });
 * console.log(model.missing[2] < pca.missing[3]); // true
 * ```
 */
export function holdOut(samples: Matrix | Source, share: number): HeldOut {
  if (!isShare(share)) throw inputError('holdOut', 'share', mustBe, share);
  return splitOff('holdOut', sourceOf('holdOut', samples), share);
}

/** Splits a source as `holdOut` does. `who`: the function that the user called, for error messages. */
export function splitOff(who: string, all: Source, share: number): HeldOut {
  if (all.rows < 2) throw inputError(who, 'samples', 'at least two with holdout', `${all.rows}`);
  const held = Math.max(1, Math.floor(share * all.rows));
  return { learned: splitSide(all, { held, side: 'learned' }), heldOut: splitSide(all, { held, side: 'held' }) };
}

/** Evaluates the result on the samples held out, or returns the abort that interrupted it. */
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
