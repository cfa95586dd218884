/** Fails a run in which a test was skipped: where everything is installed, a skipped test hides something. */
import type { Reporter, TestModule } from 'vitest/node';

export class NothingSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    const names = skipped.map(({ module, fullName }) => `  ${module.relativeModuleId}: ${fullName}`);
    console.error(`ORTHODICT_TEST_ALL: ${skipped.length} tests were skipped.\n${names.join('\n')}`);
    process.exitCode = 1;
  }
}
