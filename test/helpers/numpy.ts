/** Python with NumPy, to check files against the program that defines their format. */
import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { patient } from './patience.ts';
import { interpreter } from './python.ts';

export { interpreter };

/** Runs a script with `args` in `sys.argv[1:]`; returns its standard output. */
export function python(script: string, ...args: string[]): string {
  if (interpreter === undefined) throw new Error('python: no interpreter with NumPy.');
  const run = spawnSync(interpreter, ['-c', script, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: patient(60_000),
  });
  if (run.status !== 0) throw new Error(`python: exit code ${run.status}\n${run.stderr}`);
  return run.stdout;
}

/** Tests that need NumPy: run if it is there, otherwise skipped with the reason in their name and on standard error. */
export const describeWithNumpy = (name: string, tests: () => void): void =>
  describeIf(interpreter !== undefined, 'NumPy', name, tests);

/** Tests that need another module in the Python that has NumPy; otherwise skipped. */
export function describeWithModule(module: string, name: string, tests: () => void): void {
  const found = interpreter !== undefined && spawnSync(interpreter, ['-c', `import ${module}`]).status === 0;
  describeIf(found, module, name, tests);
}

function describeIf(found: boolean, what: string, name: string, tests: () => void): void {
  if (found) {
    describe(name, tests);
    return;
  }
  console.warn(`${name}: skipped, no Python with ${what} was found.`);
  describe.skip(`${name} (skipped: no Python with ${what})`, tests);
}
