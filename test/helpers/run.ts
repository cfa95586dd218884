/** Runs the build as a separate process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawnBound } from './bound-process.ts';

export const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly finished: Promise<Finished>;
  /** Waits until the process has printed a match of the pattern, or ended; resolves to the match. */
  said(pattern: RegExp): Promise<string | undefined>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs `node script args…`; settles when the process ends, for whatever reason. `env`: added to the environment. */
export function start(script: string, args: readonly string[], cwd?: string, env: NodeJS.ProcessEnv = {}): Running {
  const options = { cwd, env: { ...process.env, ...env } };
  const child = spawnBound(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const read = (stream: NodeJS.ReadableStream) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      text += piece;
    });
    return () => text;
  };
  const [stdout, stderr] = [read(child.stdout!), read(child.stderr!)];
  return {
    finished: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, stdout: stdout(), stderr: stderr() }));
    }),
    async said(pattern) {
      const isRunning = () => child.exitCode === null && child.signalCode === null;
      while (isRunning() && !pattern.test(stdout() + stderr())) await sleep(10);
      return pattern.exec(stdout() + stderr())?.[0];
    },
    kill: (signal) => child.kill(signal),
  };
}

/** Runs `orthodict args…`. */
export const startCli = (args: readonly string[], cwd?: string): Running => start(`${DIST}cli/main.js`, args, cwd);

export const runCli = (args: readonly string[], cwd?: string): Promise<Finished> => startCli(args, cwd).finished;
