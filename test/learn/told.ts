/** What a run tells of itself, in a few lines: its method, its stages with their steps, how it ended, and what it has found. */
import type { Matrix } from '#src/core/matrix.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { certaintyWords } from '#src/learn/certificate/certainty.ts';
import { learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/options.ts';

/** The reference kernels give the same bits on every machine. */
const executor = inlineExecutor(referenceKernels);

export async function told(samples: Matrix, options: LearnOptions): Promise<string[]> {
  const stages: { name: string; steps: number }[] = [];
  const onProgress = ({ solver, iteration }: { solver: string; iteration: number }) => {
    const last = stages.at(-1);
    if (last?.name === solver && iteration >= last.steps) last.steps = iteration;
    else stages.push({ name: solver, steps: iteration });
  };
  const found = await learn(samples, options, { executor, onProgress });
  const { description, status, reason, iterations, passes, objective, certainty, remarks } = found;
  return [
    description,
    stages.map(({ name, steps }) => (steps === 0 ? name : `${name} ${steps}`)).join(', '),
    `${status} after ${iterations}: ${reason}`,
    `${passes.toPrecision(4)} passes, objective ${objective.toPrecision(8)}`,
    ...(certainty ? [certaintyWords(certainty)] : []),
    ...remarks.map(({ code }) => code),
  ];
}
