/** Provides `learn` for Node: data by file name, on all cores. A file of its own, as it is most often used without the other models. */
import type { Matrix } from '../core/matrix.ts';
import type { Source } from '../engine/source/source.ts';
import { type LearnResult, learn as learnAnywhere } from '../learn/learn.ts';
import type { AnyMethod } from '../learn/methods/method.ts';
import type { MethodName } from '../learn/option-types.ts';
import type { OptionsWith } from '../learn/options.ts';
import { type NodeRunOptions, openSamples, runOnNode } from './run.ts';

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
export async function learn<M extends MethodName | AnyMethod = 'msp'>(
  samples: Matrix | Source | string,
  options?: OptionsWith<M>,
  run: NodeRunOptions = {},
): Promise<LearnResult> {
  return runOnNode(
    (onShape, reading) => openSamples(samples, onShape, reading),
    run,
    (data, inner) => learnAnywhere(data, options, inner),
    'learn',
  );
}
