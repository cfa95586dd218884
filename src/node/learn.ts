/** `learn` for Node: data by file name, on all cores. A file of its own, as it is most often used without the other models. */
import type { Matrix } from '../core/matrix.ts';
import type { OptionTable } from '../core/options.ts';
import type { Source } from '../engine/source/source.ts';
import { type LearnResult, learn as learnAnywhere } from '../learn/learn.ts';
import type { LearnOptions, OptionsFor } from '../learn/options.ts';
import { type NodeRunOptions, openSamples, runOnNode } from './run.ts';

/** Learns a dictionary on all cores with a method of your own, made with `defineMethod`. */
export async function learn<T extends OptionTable>(
  samples: Matrix | Source | string,
  options: OptionsFor<T>,
  run?: NodeRunOptions,
): Promise<LearnResult>;

/**
 * Learns a dictionary on all cores. `samples`: a matrix, a source, or the name of a file.
 *
 * @example
 * ```js
 * import { learn } from 'orthodict/node';
 *
 * const { dictionary, status } = await learn('data.npz', { method: 'msp', seed: 1 }, { threads: 2 });
 * console.log(status, dictionary.components); // converged 20
 * ```
 */
export async function learn(
  samples: Matrix | Source | string,
  options?: LearnOptions,
  run?: NodeRunOptions,
): Promise<LearnResult>;
export async function learn(
  samples: Matrix | Source | string,
  options: object = {},
  run: NodeRunOptions = {},
): Promise<LearnResult> {
  return runOnNode(
    (onShape, reading) => openSamples(samples, onShape, reading),
    run,
    (data, inner) => learnAnywhere(data, options as LearnOptions, inner),
    'learn',
  );
}
