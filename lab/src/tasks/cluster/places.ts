/** Clusters on this machine: a Redis server with workers, and the ranks of mpirun. All on loopback, all ended with the benchmark. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from 'orthodict';
import { CLI } from '../../contenders/whole-processes.ts';

const isInstalled = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

export class RedisPlace {
  readonly #processes: ChildProcess[] = [];

  private constructor(
    readonly url: string,
    server: ChildProcess,
  ) {
    this.#processes.push(server);
  }

  static async start(folder: string): Promise<RedisPlace> {
    if (!isInstalled('redis-server')) {
      throw new InputError('bench: --cluster needs a Redis server, in Debian redis-server; none is installed.');
    }
    const port = await freePort();
    const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
    const place = new RedisPlace(`redis://127.0.0.1:${port}`, spawn('redis-server', flags, { stdio: 'ignore' }));
    for (let k = 0; !(await answers(port)); k++) {
      if (k > 100) throw new Error('bench: redis-server does not answer.');
      await sleep(50);
    }
    return place;
  }

  /** Starts workers of one thread each; resolves when they are ready. */
  async startWorkers(count: number, queue: string): Promise<void> {
    const args = [CLI, 'worker', '--redis', this.url, '--queue', queue, '--threads', '1'];
    await Promise.all(
      Array.from({ length: count }, () => {
        const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
        this.#processes.push(worker);
        return new Promise<void>((resolve, reject) => {
          worker.stderr.setEncoding('utf8').on('data', (text: string) => text.includes('ready') && resolve());
          worker.on('exit', () => reject(new Error('bench: a worker ended early.')));
        });
      }),
    );
  }

  /** Ends the workers. */
  async clear(): Promise<void> {
    await Promise.all(this.#processes.splice(1).map(end));
  }

  async stop(): Promise<void> {
    await this.clear();
    await Promise.all(this.#processes.map(end));
  }
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = new Promise((resolve) => process.once('exit', resolve));
  process.removeAllListeners('exit').once('exit', () => {});
  process.kill('SIGKILL');
  await Promise.race([ended, sleep(1000)]);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** A port of this machine that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** How the mpirun of this machine starts ranks, as many as wished for; undefined if there is none. */
export function mpirun(ranks: number): readonly string[] | undefined {
  const { stdout, status } = spawnSync('mpirun', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const isOpen = /Open MPI|OpenRTE/.test(stdout);
  const asRoot = isOpen && process.getuid?.() === 0 ? ['--allow-run-as-root'] : [];
  return ['mpirun', ...asRoot, ...(isOpen ? ['--oversubscribe'] : []), '-n', `${ranks}`];
}
