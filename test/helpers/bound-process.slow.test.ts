/** Servers that tests start end with the tests, even if the tests are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { patient } from './patience.ts';

const HELPER = new URL('./bound-process.ts', import.meta.url).href;
const TSX = fileURLToPath(import.meta.resolve('tsx'));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'processes end with the one that started them: %s',
  async (signal) => {
    const text = `
      import { spawnBound } from ${JSON.stringify(HELPER)};
      const server = () => spawnBound(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      const [one, two] = [server(), server()];
      console.log(one.pid + ' ' + two.pid);`;
    const args = ['--import', TSX, '--input-type=module', '-e', text];
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const pids = String(line).trim().split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    parent.kill(signal);
    await once(parent, 'exit');
    const end = performance.now() + patient(10_000);
    while (pids.some(isAlive) && performance.now() < end) await sleep(20);
    const left = pids.filter(isAlive);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
  },
);
