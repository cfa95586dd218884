/** A Redis server of one's own on a free port of this machine, for tests. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { spawnBound } from '../helpers/bound-process.ts';
import { patient } from '../helpers/patience.ts';

/** Why there is no server here. */
export const noRedis: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'redis-server is not installed';

if (noRedis) console.warn(`cluster: tests skipped, ${noRedis}.`);

export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly flags: readonly string[],
    readonly isSecure = false,
  ) {}

  /** `flags`: of redis-server. */
  static async start(folder: string, ...flags: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), folder, flags);
    await server.begin();
    return server;
  }

  /** With TLS only. */
  static async startSecure(folder: string, key: string, certificate: string): Promise<RedisServer> {
    const flags = ['--tls-key-file', key, '--tls-cert-file', certificate, '--tls-auth-clients', 'no'];
    const server = new RedisServer(await freePort(), folder, flags, true);
    await server.begin();
    return server;
  }

  get url(): string {
    return `${this.isSecure ? 'rediss' : 'redis'}://127.0.0.1:${this.port}`;
  }

  async begin(): Promise<void> {
    const ports = this.isSecure ? ['--port', '0', '--tls-port', `${this.port}`] : ['--port', `${this.port}`];
    const common = [...ports, '--bind', '127.0.0.1', '--dir', this.folder, '--save', ''];
    this.#process = spawnBound('redis-server', [...common, ...this.flags], { stdio: 'ignore' });
    for (const end = performance.now() + patient(5000); performance.now() < end; ) {
      if (await this.#answers()) return;
      await sleep(50);
    }
    throw new Error('redis-server did not start.');
  }

  /** Whether it answers, if only that it wants a password. */
  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = this.isSecure
        ? connectSecurely({ port: this.port, host: '127.0.0.1', rejectUnauthorized: false })
        : connect(this.port, '127.0.0.1');
      socket.once(this.isSecure ? 'secureConnect' : 'connect', () => socket.write('PING\r\n'));
      const end = (isThere: boolean) => {
        socket.destroy();
        resolve(isThere);
      };
      socket.once('data', (answer) => end(/PONG|NOAUTH/.test(String(answer))));
      socket.once('error', () => end(false));
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  }
}

/** A TCP port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
