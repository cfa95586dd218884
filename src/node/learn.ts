/** `learn` for Node: a file or an array, on all cores. */
import type { Matrix } from '../core/matrix.ts';
import type { OptionTable } from '../core/options.ts';
import type { Source } from '../engine/source.ts';
import { type LearnResult, learn as learnAnywhere } from '../learn/learn.ts';
import type { LearnOptions, OptionsFor } from '../learn/options.ts';
import { type NodeRunOptions, openSamples, runOnNode } from './run.ts';

/** `samples`: a matrix, a source, or the name of a file. */
export async function learn<T extends OptionTable>(
  samples: Matrix | Source | string,
  options: OptionsFor<T>,
  run?: NodeRunOptions,
): Promise<LearnResult>;
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
    () => openSamples(samples),
    run,
    (data, inner) => learnAnywhere(data, options as LearnOptions, inner),
  );
}
