/** The harness notices what goes wrong in the process of the cases, goes on, and makes a failing case smaller. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { patient } from '../helpers/patience.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { CaseProcess, emptyTally, runSlice } from './harness.ts';
import { shrink } from './target.ts';

const scratch = scratchDirectory();

/** A process whose case number `k` does `deeds[k]`, and whose other cases are in order. */
function bad(deeds: Readonly<Record<number, string>>): string {
  const path = scratch.file(`child-${Object.keys(deeds).join('-')}.mjs`);
  writeFileSync(
    path,
    `const deeds = { ${Object.entries(deeds).map(([k, deed]) => `${k}: () => ${deed}`)} };
     const send = (message) => new Promise((resolve) => process.send(message, resolve));
     process.on('message', async ({ first, cases }) => {
       for (let k = first; k < first + cases; k++) {
         await send({ begins: k });
         const deed = deeds[k] && (await deeds[k]());
         await send(deed ?? { outcome: 'read', milliseconds: k, bytes: 1 });
       }
       await send({ done: true });
     });`,
  );
  return path;
}

async function tallyOf(deeds: Readonly<Record<number, string>>) {
  const tally = emptyTally();
  const slice = { target: 'bad', first: 0, cases: 6, seconds: 60, failures: scratch.path };
  const cases = new CaseProcess({ script: bad(deeds), longestCase: patient(1000), mostBytes: 1e6 });
  await runSlice(slice, tally, cases);
  await cases.end();
  return { ...tally, outcomes: Object.fromEntries(tally.outcomes) };
}

describe('the harness', () => {
  it('counts cases, outcomes, the slowest and the largest', async () => {
    const tally = await tallyOf({});
    expect(tally).toMatchObject({ cases: 6, outcomes: { read: 6 }, failures: [], mostBytes: 1 });
    expect(tally.slowest).toEqual({ milliseconds: 5, number: 5 });
  });

  it.each([
    ['a crash', 'process.kill(process.pid, "SIGSEGV")', 'SIGSEGV'],
    ['an exit', 'process.exit(7)', 'code 7'],
    [
      'an error outside of any promise',
      'setImmediate(() => { throw new Error("lost") }) && new Promise(() => {})',
      'lost',
    ],
    ['a hang', 'new Promise(() => setInterval(() => {}, 1000))', 'hangs'],
    ['a waste of memory', '({ outcome: "read", milliseconds: 0, bytes: 2e6 })', 'GB'],
    ['a wrong outcome', '({ fails: "wrong number", kept: "1,2" })', 'wrong number'],
  ])('notices %s, and goes on with the next case', async (_, deed, words) => {
    const { failures, outcomes } = await tallyOf({ 2: deed });
    expect(failures.map(({ number }) => number)).toEqual([2]);
    expect(failures[0].words).toContain(words);
    expect(outcomes.read).toBeGreaterThanOrEqual(5);
  });

  it('serves several slices in one process, and notices one that does not end by itself', async () => {
    const script = bad({
      2: '{ setInterval(() => {}, 1000) }',
      3: '({ outcome: String(process.pid), milliseconds: 0, bytes: 1 })',
    });
    const cases = new CaseProcess({ script, longestCase: patient(1000), mostBytes: 1e6 });
    const tally = emptyTally();
    const slice = { target: 'bad', first: 2, cases: 2, seconds: 60, failures: scratch.path };
    await runSlice(slice, tally, cases);
    await runSlice({ ...slice, first: 3, cases: 1 }, tally, cases);
    expect(Object.fromEntries(tally.outcomes)).toEqual({ read: 1, [[...tally.outcomes.keys()][1]]: 2 });
    expect(tally.failures).toEqual([]);
    await cases.end();
    expect(tally.failures).toMatchObject([{ number: 3, words: expect.stringMatching(/after the last case.*SIGKILL/) }]);
  });
});

it('leaves out what a failure does not need', async () => {
  const subject = {
    draw: () => [],
    check: async (items: unknown) => {
      if ((items as number[]).includes(3) && (items as number[]).includes(8)) throw new Error('3 and 8');
      return 'read';
    },
    *smaller(items: unknown) {
      for (let i = 0; i < (items as number[]).length; i++) yield (items as number[]).filter((_, k) => k !== i);
    },
  };
  const { smallest, failure } = await shrink(subject, [1, 2, 3, 4, 5, 6, 7, 8, 9], new Error('first'));
  expect(smallest).toEqual([3, 8]);
  expect(String(failure)).toContain('3 and 8');
});
