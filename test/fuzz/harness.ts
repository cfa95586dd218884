/** Hands slices of cases to child processes, watches them, and counts. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromChild, Slice } from './messages.ts';

export interface Watch {
  /** The script that runs the cases. */
  readonly script: string;
  /** A case that takes longer hangs. */
  readonly longestCase: number;
  /** The files are small: so must be the memory. */
  readonly mostBytes: number;
}

export const WATCH: Watch = {
  script: fileURLToPath(new URL('./child.ts', import.meta.url)),
  longestCase: 60_000,
  mostBytes: 1.5e9,
};

export interface Tally {
  cases: number;
  readonly outcomes: Map<string, number>;
  failures: Failure[];
  slowest: { milliseconds: number; number: number };
  mostBytes: number;
  seconds: number;
}

export interface Failure {
  readonly name: string;
  /** The case to repeat. */
  readonly number: number;
  readonly words: string;
}

export const emptyTally = (): Tally => ({
  cases: 0,
  outcomes: new Map(),
  failures: [],
  slowest: { milliseconds: 0, number: 0 },
  mostBytes: 0,
  seconds: 0,
});

/** Runs a slice to its end, in one process; after a crash, a hang or a waste of memory the next one continues. */
export async function runSlice(slice: Slice, tally: Tally, watch = WATCH): Promise<void> {
  const started = performance.now();
  const end = slice.first + slice.cases;
  for (let first = slice.first; first < end; ) {
    const seconds = slice.seconds - (performance.now() - started) / 1000;
    if (seconds <= 0) break;
    const last = await runChild({ ...slice, first, cases: end - first, seconds }, tally, watch);
    if (last === undefined) break;
    first = last + 1;
  }
  tally.seconds += (performance.now() - started) / 1000;
}

/** Runs cases in one process. Returns the case that ended the process, if one did. */
function runChild(slice: Slice, tally: Tally, watch: Watch): Promise<number | undefined> {
  const child = fork(watch.script, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let [current, begun] = [slice.first, false];
  let deadly: number | undefined;
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const fail = (words: string) => tally.failures.push({ name: slice.target, number: current, words });
  const kill = (why: string) => {
    if (deadly === undefined) fail(why); // at once: until it is dead, the process goes on with other cases
    deadly = current;
    child.kill('SIGKILL');
  };
  const hangs = () => kill(`hangs: not done after ${watch.longestCase / 1000} s`);
  let alarm = setTimeout(hangs, watch.longestCase);
  child.on('message', (message: FromChild) => {
    if (deadly !== undefined) return;
    clearTimeout(alarm);
    alarm = setTimeout(hangs, watch.longestCase);
    if ('begins' in message) [current, begun] = [message.begins, true];
    else if ('fails' in message) {
      tally.cases++;
      fail(`${message.fails}\n${message.kept}`);
    } else {
      count(tally, message, current);
      if (message.bytes > watch.mostBytes) kill(`takes ${(message.bytes / 1e9).toFixed(1)} GB`);
    }
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(alarm);
      const crashed = code !== 0 && deadly === undefined;
      if (crashed) fail(`the process ended with ${signal ?? `code ${code}`}\n${stderr}`);
      resolve(deadly ?? (crashed && begun ? current : undefined));
    });
    child.send(slice);
  });
}

function count(
  tally: Tally,
  { outcome, milliseconds, bytes }: Extract<FromChild, { outcome: string }>,
  number: number,
) {
  tally.cases++;
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
  tally.mostBytes = Math.max(tally.mostBytes, bytes);
  if (milliseconds > tally.slowest.milliseconds) tally.slowest = { milliseconds, number };
}
