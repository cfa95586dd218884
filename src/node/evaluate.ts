/** Provides `evaluate` for Node: data by file name, on all cores. */
import type { Matrix } from '../core/matrix.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import type { Source } from '../engine/source/source.ts';
import { type Evaluation, evaluate as evaluateAnywhere } from '../metrics/evaluate.ts';
import type { EvaluateOptions } from '../metrics/option-types.ts';
import { type NodeRunOptions, openSamples, runOnNode } from './run.ts';

/**
 * Evaluates how well few codes of a dictionary describe samples, on all cores. `samples`: a matrix, a source, or the name of a
 * file.
 *
 * @example
 * ```js
 * import { evaluate, loadModel } from 'orthodict/node';
 *
 * const { dictionary } = await loadModel('model.npz');
 * const { keep, model } = await evaluate(dictionary, 'data.npz', { keep: [2, 5] });
 * console.log(keep, model.missing[1] < 0.2); // [ 2, 5 ] true
 * ```
 */
export async function evaluate(
  dictionary: Dictionary,
  samples: Matrix | Source | string,
  options: EvaluateOptions = {},
  run: Omit<NodeRunOptions, 'checkpoint' | 'resume'> = {},
): Promise<Evaluation> {
  return runOnNode(
    (onShape, reading) => openSamples(samples, onShape, reading),
    run,
    (data, inner) => evaluateAnywhere(dictionary, data, options, inner),
    'evaluate',
  );
}
