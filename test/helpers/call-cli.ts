/** The command line in this process: what is executed is dist/cli/main.js, without the cost of starting Node for each call. */
import { Console } from 'node:console';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let calls = 0;

/** `orthodict args…`, or those of another program; one call at a time, as it borrows what belongs to the process. */
export async function callCli(args: readonly string[], main = MAIN): Promise<Called> {
  const [stdout, stderr] = [collector(), collector()];
  const giveBack = borrow([main, ...args], stdout.stream, stderr.stream);
  try {
    await import(`${main}?call=${calls++}`); // another address is another module: the program runs again
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
