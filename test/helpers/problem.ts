/** A problem for a solver, prepared as `learn` prepares it. */
import type { Executor } from '#src/executors/executor.ts';
import { inlineExecutor } from '#src/executors/inline.ts';
import type { Matrix } from '#src/matrix.ts';
import { type LearnOptions, settleOptions } from '#src/options.ts';
import { prepare } from '#src/prepare.ts';
import type { Problem } from '#src/solvers/problem.ts';
import { memorySource } from '#src/sources/memory.ts';
import { fastKernels } from './kernels.ts';

export async function problemOf(
  samples: Matrix,
  options: LearnOptions = {},
  executor: Executor = inlineExecutor(fastKernels),
): Promise<Problem> {
  return (await prepare(memorySource(samples), executor, settleOptions(options))).problem;
}
