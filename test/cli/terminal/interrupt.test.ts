/** What signals do to a command: the first asks a computation to stop, the second ends the process. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { INTERRUPTED, Interrupted, interruptible, synchronously, withSignals } from '#src/cli/terminal/interrupt.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Name = (typeof SIGNALS)[number];
const others = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));
/** The listeners of the command, not those of the program that runs the tests. */
const listeners = (name: Name) => process.listeners(name).filter((each) => !others.get(name)!.includes(each));
const counts = () => SIGNALS.map((name) => listeners(name).length);

function watch() {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never);
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const signal = (name: Name) => {
    for (const each of listeners(name)) each(name);
  };
  return { signal, exits: () => exit.mock.calls.map(([code]) => code), said: () => error.mock.calls.flat() };
}
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(SIGNALS)('%s', (name) => {
  it('asks a computation to stop; a second signal ends the process', async () => {
    const { signal, exits, said } = watch();
    await withSignals(() =>
      interruptible(async (asked) => {
        expect(asked.aborted).toBe(false);
        signal(name);
        expect(asked.reason).toBeInstanceOf(Interrupted);
        expect(asked.reason.message).toBe('orthodict: interrupted.');
        expect(exits()).toEqual([]);
        signal('SIGTERM');
        expect(exits()).toEqual([INTERRUPTED]);
      }),
    );
    expect(said()).toEqual([]);
  });

  it('ends a process that does nothing which could be stopped, and says so', async () => {
    const { signal, exits, said } = watch();
    await withSignals(async () => {
      await interruptible(async () => {});
      await interruptible(() => Promise.reject(new Error('failed'))).catch(() => {});
      signal(name);
    });
    expect([exits(), said()]).toEqual([[130], ['orthodict: interrupted.']]);
  });
});

it('listens as long as the command runs, however it ends, but not in work that leaves no turn to listeners', async () => {
  const during: number[][] = [];
  const value = await withSignals(async () => {
    during.push(counts());
    expect(synchronously(() => during.push(counts()))).toBe(2);
    expect(() =>
      synchronously(() => {
        throw new Error('failed');
      }),
    ).toThrow('failed');
    during.push(counts());
    return 'done';
  });
  const [one, none] = [
    [1, 1, 1],
    [0, 0, 0],
  ];
  expect([value, during, counts()]).toEqual(['done', [one, none, one], none]);
  await expect(withSignals(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(counts()).toEqual(none);
});
