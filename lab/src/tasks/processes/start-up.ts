/** What it takes to start: `--version` and `learn` on a small table beside Node itself, from start to exit, in turns. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'orthodict';
import { row } from 'orthodict/extend';
import { CLI } from '../../contenders/whole-processes.ts';
import { median } from '../../median.ts';
import { findPython } from '../../python.ts';
import { timeProcess } from '../../timed-process.ts';

export interface StartUp {
  readonly name: string;
  /** The median. */
  readonly seconds: number;
  /** Over `node -e 0`. */
  readonly ofNode: number;
  readonly runs: number;
}

export interface StartUpOptions {
  /** Folder for files. */
  readonly folder: string;
  readonly rounds: number;
  /** Also start Python. */
  readonly peers: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

export const BARE_NODE = 'node -e 0';
export const VERSION = 'orthodict --version';
export const SMALL_TABLE = 'orthodict learn, 1,000×10 CSV';

export async function timeStartUp({ folder, rounds, peers, signal, say }: StartUpOptions): Promise<StartUp[]> {
  const table = join(folder, 'small.csv');
  await writeSmallTable(table);
  const node = process.execPath;
  const python = peers ? findPython('numpy') : undefined;
  const commands: Record<string, readonly [command: string, ...args: string[]]> = {
    [BARE_NODE]: [node, '-e', '0'],
    [VERSION]: [node, CLI, '--version'],
    [SMALL_TABLE]: [node, CLI, 'learn', table, '--out', join(folder, 'small.npz')],
    ...(python && 'command' in python && { 'python3 -c "import numpy"': [python.command, '-c', 'import numpy'] }),
  };
  const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    say?.(`start-up: round ${round + 1} of ${rounds}`);
    for (const [name, [command, ...args]] of Object.entries(commands)) {
      times.get(name)!.push((await timeProcess(command, args, { signal })).seconds);
    }
  }
  const bare = median(times.get(BARE_NODE)!);
  return [...times].map(([name, seconds]) => {
    return { name, seconds: median(seconds), ofNode: median(seconds) / bare, runs: rounds };
  });
}

async function writeSmallTable(path: string): Promise<void> {
  const { samples } = generate({ samples: 1000, features: 10, theta: 0.3, seed: 1 });
  const lines = Array.from({ length: samples.rows }, (_, j) => row(samples, j).join(','));
  await writeFile(path, `${lines.join('\n')}\n`);
}
