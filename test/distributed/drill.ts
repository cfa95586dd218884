/**
 * Faults that take minutes, over and over: `npm run drill`. Every run must end with the bytes of one thread.
 *
 *     npm run drill -- 20        kills at 20 random moments, then the other faults once each
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMatrix, writeArray } from '#src/node/index.ts';
import { type Running, startCli } from '../helpers/run.ts';
import { RedisServer } from './redis-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'orthodict-drill-'));
const f = (name: string) => join(folder, name);
const kills = Number(process.argv[2] ?? 20);
const RUN = ['--backend', 'wasm', '--method', 'ksvd', '--growth', 'none', '--max-iterations', '20'];
const WORKERS = 3;

const server = await RedisServer.start(folder);
const learn = (out: string, ...more: string[]): Running =>
  startCli(['learn', f('data.npy'), '--out', f(out), ...RUN, ...more]);
const startWorker = (): Running => startCli(['worker', '--redis', server.url, '--threads', '1', '--backend', 'wasm']);

async function succeed(running: Running): Promise<void> {
  const { code, stderr } = await running.finished;
  if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
}

let failures = 0;
/** One run with a fault in it. */
async function drill(name: string, fault: () => Promise<void>): Promise<void> {
  rmSync(f('out.npz'), { force: true });
  const started = performance.now();
  const run = learn('out.npz', '--redis', server.url);
  await fault();
  const { code, stderr } = await run.finished;
  const isSame = existsSync(f('out.npz')) && readFileSync(f('out.npz')).equals(readFileSync(f('one.npz')));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 && isSame ? 'the same bytes' : `FAILED (${code}) ${stderr}`}, ${seconds} s`);
  if (!(code === 0 && isSame)) failures++;
}

await succeed(
  startCli(['generate', '--samples', '60000', '--features', '60', '--theta', '0.3', '--out', f('all.npz')]),
);
await writeArray(f('data.npy'), await readMatrix(`${f('all.npz')}:samples`));
await succeed(learn('one.npz', '--threads', '1'));

const workers = Array.from({ length: WORKERS }, startWorker);
await Promise.all(workers.map((worker) => worker.said(/ready/)));
try {
  for (let k = 0; k < kills; k++) {
    const [moment, victim] = [3000 * Math.random(), Math.floor(WORKERS * Math.random())];
    await drill(`worker ${victim} killed after ${Math.round(moment)} ms`, async () => {
      await sleep(moment);
      workers[victim].kill('SIGKILL');
      await workers[victim].finished;
      workers[victim] = startWorker();
    });
  }
  await drill('Redis away for 20 s, and all it had lost', async () => {
    await sleep(1500);
    await server.stop('SIGKILL');
    await sleep(20_000);
    await server.begin();
  });
  await drill('a worker stopped for 20 s', async () => {
    await sleep(1500);
    workers[0].kill('SIGSTOP');
    setTimeout(() => workers[0].kill('SIGCONT'), 20_000);
  });
  await drill('all workers killed, others join after 10 s', async () => {
    await sleep(1500);
    for (const worker of workers) worker.kill('SIGKILL');
    await sleep(10_000);
    workers.splice(0, WORKERS, ...Array.from({ length: WORKERS }, startWorker));
  });
} finally {
  for (const worker of workers) {
    worker.kill('SIGCONT');
    worker.kill('SIGKILL');
  }
  await Promise.all(workers.map(({ finished }) => finished));
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'all runs gave the same bytes' : `${failures} runs failed`);
process.exitCode = failures === 0 ? 0 : 1;
