/** The worked example of docs/add-a-solver.md: what is printed is what is compiled and run here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxDifference, row, scaleRows } from '#src/core/matrix.ts';
import { pcaAtoms } from '#src/dictionaries/pca.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { iterate } from '#src/engine/iterate.ts';
import { memorySource } from '#src/engine/memory.ts';
import { stopAfterIterations, stopWhenChangeBelow } from '#src/engine/stop.ts';
import { selectKernels } from '#src/kernels/select.ts';
import { settleOptions } from '#src/learn/options.ts';
import { prepare } from '#src/learn/prepare.ts';
import { startingAtoms } from '#src/learn/start.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { principalComponents } from './examples/principal-components.ts';
import { codeBlocks, readMarkdown, root } from './markdown.ts';

/** Imports as they read in src/solvers/. */
function asInSolvers(code: string): string {
  return code.replaceAll("'#src/solvers/", "'./").replaceAll("'#src/", "'../");
}

describe('docs/add-a-solver.md', () => {
  it('prints the solver that is tested here', () => {
    const code = readFileSync(join(root, 'test/docs/examples/principal-components.ts'), 'utf8');
    const printed = codeBlocks(readMarkdown('docs/add-a-solver.md')).filter(({ language }) => language === 'ts');
    expect(printed.map((block) => block.code)).toContain(asInSolvers(code));
  });

  it('finds the principal components', async () => {
    const { samples } = generate({ samples: 2000, features: 6, theta: 0.3, condition: 100, seed: 1 });
    const settings = settleOptions({});
    const { problem } = await prepare(memorySource(samples), inlineExecutor(await selectKernels('auto')), settings);
    const run = iterate(principalComponents(problem, startingAtoms(problem, undefined, settings.seed)), {
      stop: [stopWhenChangeBelow(1e-12), stopAfterIterations(500)],
      samplesPerStep: problem.samples,
    });
    let last = Number.NEGATIVE_INFINITY;
    let next = await run.next();
    for (; !next.done; next = await run.next()) {
      expect(next.value.objective).toBeGreaterThanOrEqual(last * (1 - 1e-12));
      last = next.value.objective;
    }
    expect(next.value.status).toBe('converged');
    const learned = next.value.state.atoms;
    const exact = await pcaAtoms(samples);
    const signs = Array.from({ length: 6 }, (_, i) =>
      Math.sign(row(learned, i).reduce((sum, a, j) => sum + a * row(exact, i)[j], 0)),
    );
    // a change of 1e-12 at a linear rate of at most λ₂/λ₁ < 0.9 leaves less than 1e-11
    expect(maxDifference(scaleRows(learned, signs), exact)).toBeLessThan(1e-10);
  });
});
