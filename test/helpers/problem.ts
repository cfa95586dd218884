/** A problem for a solver, prepared as `learn` prepares it, and the solver of a method. */
import type { Matrix, Matrix64 } from '#src/core/matrix.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { Run } from '#src/engine/run.ts';
import type { AtomsSolver } from '#src/engine/solver.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { settleOptions } from '#src/learn/options.ts';
import { prepare } from '#src/learn/prepare.ts';
import type { Problem } from '#src/learn/problem.ts';
import { fastKernels } from './kernels.ts';

export async function problemOf(
  samples: Matrix,
  options: LearnOptions = {},
  executor: Executor = inlineExecutor(fastKernels),
): Promise<Problem> {
  const { method, settings } = settleOptions(options);
  const { center, whiten, components } = settings;
  const wanted = { center, whiten, components, raw: method.space !== 'orthogonal' };
  return (await prepare(memorySource(samples), await Run.start('learn', { executor }), wanted)).problem;
}

/** The solver of a method, in float64 by default. */
export function solverOf(problem: Problem, options: LearnOptions, start: Matrix64): AtomsSolver {
  const { method, settings } = settleOptions({ precision: 'f64', ...options });
  return method.solver!(problem, settings as never, start);
}
