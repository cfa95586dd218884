/** The command line in this process, from its sources, without the cost of starting Node for each call. */
import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { Writable } from 'node:stream';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `orthodict args…`. */
export const callCli = (args: readonly string[]): Promise<Called> =>
  callProgram(args, async () => (await import('#src/cli/program.ts')).runProgram(args, version));

let calls = 0;

/** A program in a file of its own, which runs when it is imported. */
export const callFile = (file: string, args: readonly string[]): Promise<Called> =>
  callProgram(args, () => import(`${file}?call=${calls++}`)); // another address is another module: the program runs again

/** One call at a time, as it borrows what belongs to the process. */
async function callProgram(args: readonly string[], run: () => Promise<unknown>): Promise<Called> {
  const [stdout, stderr] = [collector(), collector()];
  const giveBack = borrow(['orthodict', ...args], stdout.stream, stderr.stream);
  try {
    await run();
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    giveBack();
  }
}

/** Gives the program arguments, streams and one core: threads are started where a test asks for them. Returns the way back. */
function borrow(args: readonly string[], stdout: Writable, stderr: Writable): () => void {
  const { argv, exitCode } = process;
  const { console } = globalThis;
  const streams = (['stdout', 'stderr'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  const { availableParallelism } = os;
  const setCores = (count: typeof availableParallelism) => {
    os.availableParallelism = count;
    syncBuiltinESMExports();
  };
  process.argv = [argv[0], ...args];
  process.exitCode = undefined;
  globalThis.console = new Console(stdout, stderr);
  Object.defineProperty(process, 'stdout', { value: stdout, configurable: true });
  Object.defineProperty(process, 'stderr', { value: stderr, configurable: true });
  setCores(() => 1);
  return () => {
    setCores(availableParallelism);
    process.argv = argv;
    process.exitCode = exitCode;
    globalThis.console = console;
    for (const [name, descriptor] of streams) Object.defineProperty(process, name, descriptor);
  };
}

function collector(): { stream: Writable; text(): string } {
  let text = '';
  const write = (piece: Buffer, _: string, done: () => void) => {
    text += piece;
    done();
  };
  return { stream: new Writable({ write }), text: () => text };
}
