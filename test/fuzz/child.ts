/**
 * The process in which cases run, so that a crash, a hang or an exhausted memory ends this process and not the harness.
 * It says which case begins before it begins. It serves slices until it is disconnected.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '#src/core/random.ts';
import type { FromChild, Slice } from './messages.ts';
import { type Subject, shrink } from './target.ts';
import { loadTarget } from './targets/index.ts';

const send = (message: FromChild): Promise<void> =>
  new Promise((resolve) => {
    process.send!(message, () => resolve());
  });

process.on('message', async ({ target: name, first, cases, seconds, failures }: Slice) => {
  const folder = mkdtempSync(join(tmpdir(), 'orthodict-fuzz-'));
  try {
    const subject = await (await loadTarget(name)).open(folder);
    const until = performance.now() + seconds * 1000;
    for (let k = first; k < first + cases && performance.now() < until; k++) {
      await send({ begins: k });
      await runCase(subject, name, k, failures);
    }
    await subject.close?.();
  } catch (error) {
    await send({ fails: wordsOf(error), kept: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await send({ done: true });
});

async function runCase(subject: Subject, name: string, number: number, failures: string): Promise<void> {
  const started = performance.now();
  const given = subject.draw(createRandom(number, `fuzz ${name}`));
  try {
    const outcome = await subject.check(given);
    await send({ outcome, milliseconds: performance.now() - started, bytes: process.resourceUsage().maxRSS * 1024 });
  } catch (error) {
    const { smallest, failure } = await shrink(subject, given, error);
    const folder = join(failures, `${name}-${number}`);
    mkdirSync(folder, { recursive: true });
    const kept = (await subject.keep?.(smallest, folder)) ?? JSON.stringify(smallest);
    const words = wordsOf(failure);
    writeFileSync(join(folder, 'failure.txt'), `${name}:${number}\n${words}\n${kept}\n`);
    await send({ fails: words, kept });
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
