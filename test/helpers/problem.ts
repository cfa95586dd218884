/** A problem for a solver, prepared as `learn` prepares it. */
import type { Matrix } from '#src/core/matrix.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { memorySource } from '#src/engine/memory.ts';
import { type LearnOptions, settleOptions } from '#src/learn/options.ts';
import { prepare } from '#src/learn/prepare.ts';
import type { Problem } from '#src/learn/problem.ts';
import { fastKernels } from './kernels.ts';

export async function problemOf(
  samples: Matrix,
  options: LearnOptions = {},
  executor: Executor = inlineExecutor(fastKernels),
): Promise<Problem> {
  return (await prepare(memorySource(samples), executor, settleOptions(options))).problem;
}
