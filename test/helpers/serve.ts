/** The page, served by `orthodict serve` as a process. */
import { DIST, type Finished, type Running, start } from './run.ts';

export interface Served {
  /** Address of the page, with a slash at the end. */
  readonly address: string;
  readonly port: number;
  said: Running['said'];
  /** Sends the signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Finished>;
}

/** Starts `orthodict serve --json args…`; resolves when it is ready. `env`: added to the environment. */
export async function serve(args: readonly string[] = ['--port', '0'], env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const run = start(`${DIST}cli/main.js`, ['serve', '--json', ...args], undefined, env);
  const line = await run.said(/^\{.*\}\n/m);
  if (line === undefined) throw new Error(`serve: ${(await run.finished).stderr}`);
  const { address, port } = JSON.parse(line);
  const end = (signal: NodeJS.Signals) => {
    run.kill(signal);
    return run.finished;
  };
  return { address, port, said: run.said, end };
}
