/** Hands slices of cases to child processes, watches them, and counts. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
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

/** Runs a slice to its end; after a crash, a hang or a waste of memory a new process continues. */
export async function runSlice(slice: Slice, tally: Tally, cases: CaseProcess): Promise<void> {
  const started = performance.now();
  const end = slice.first + slice.cases;
  for (let first = slice.first; first < end; ) {
    const seconds = slice.seconds - (performance.now() - started) / 1000;
    if (seconds <= 0) break;
    const last = await cases.run({ ...slice, first, cases: end - first, seconds }, tally);
    if (last === undefined) break;
    first = last + 1;
  }
  tally.seconds += (performance.now() - started) / 1000;
}

/** The process in which cases run. It serves slice after slice, until a case ends it: to start one takes a second. */
export class CaseProcess {
  #child: ChildProcess | undefined;
  #stderr = '';
  #last: { readonly slice: Slice; readonly tally: Tally; readonly current: number } | undefined;

  constructor(readonly watch = WATCH) {}

  /** Runs cases. Returns the case that ended the process, if one did. */
  run(slice: Slice, tally: Tally): Promise<number | undefined> {
    const child = this.#started();
    let [current, begun] = [slice.first, false];
    let deadly: number | undefined;
    const fail = (words: string) => tally.failures.push({ name: slice.target, number: current, words });
    const kill = (why: string) => {
      if (deadly === undefined) fail(why); // at once: until it is dead, the process goes on with other cases
      deadly = current;
      child.kill('SIGKILL');
    };
    const hangs = () => kill(`hangs: not done after ${this.watch.longestCase / 1000} s`);
    let alarm = setTimeout(hangs, this.watch.longestCase);
    return new Promise((resolve) => {
      const done = (last: number | undefined) => {
        clearTimeout(alarm);
        child.removeAllListeners('message').removeAllListeners('close');
        this.#last = { slice, tally, current };
        resolve(last);
      };
      child.on('message', (message: FromChild) => {
        if (deadly !== undefined) return;
        clearTimeout(alarm);
        alarm = setTimeout(hangs, this.watch.longestCase);
        if ('done' in message) done(undefined);
        else if ('begins' in message) [current, begun] = [message.begins, true];
        else if ('fails' in message) {
          tally.cases++;
          fail(`${message.fails}\n${message.kept}`);
        } else {
          count(tally, message, current);
          if (message.bytes > this.watch.mostBytes) kill(`takes ${(message.bytes / 1e9).toFixed(1)} GB`);
        }
      });
      child.on('close', (code, signal) => {
        this.#child = undefined;
        const crashed = deadly === undefined;
        if (crashed) fail(this.#ended(code, signal));
        done(deadly ?? (crashed && begun ? current : undefined));
      });
      child.send(slice);
    });
  }

  /** The process must end by itself once nobody asks for more. What keeps it counts as a failure of the last case. */
  async end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const alarm = setTimeout(() => child.kill('SIGKILL'), this.watch.longestCase);
    const exited = once(child, 'exit'); // there is no 'close' after a disconnection from this side
    child.disconnect();
    const [code, signal] = await exited;
    clearTimeout(alarm);
    this.#child = undefined;
    if (code === 0 || !this.#last) return;
    const { slice, tally, current } = this.#last;
    tally.failures.push({
      name: slice.target,
      number: current,
      words: `after the last case, ${this.#ended(code, signal)}`,
    });
  }

  #started(): ChildProcess {
    if (this.#child) return this.#child;
    const child = fork(this.watch.script, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2000);
    });
    this.#child = child;
    return child;
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): string {
    return `the process ended with ${signal ?? `code ${code}`}\n${this.#stderr}`;
  }
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
