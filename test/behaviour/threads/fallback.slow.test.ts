/** Without WebAssembly or threads, a run says so in one line and computes with what there is. */
import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { patient } from '../../helpers/patience.ts';
import { DIST, runCli } from '../../helpers/run.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { itUnless } from '../../helpers/skip.ts';

const scratch = scratchDirectory();
const data = scratch.file('data.npz');
/** Two chunks, one for each thread. */
const generate = ['generate', '--samples', '2600', '--features', '100', '--theta', '.3', '--seed', '1', '--out', data];

/** Work for threads: some hundred milliseconds with each kind of kernels. */
const steps = (count: number) => ['--refine', 'none', '--tolerance', '0', '--max-iterations', String(count)];
const [JS, WASM] = [steps(2), steps(80)];

beforeAll(async () => {
  expect((await runCli(generate)).code).toBe(0);
});

/** Runs `orthodict learn` on 2 threads after `before`, such as `prlimit …`; the JSON and the lines on stderr. */
async function learnUnder(before: readonly string[], flags: readonly string[], ...args: string[]) {
  const cli = [...flags, `${DIST}cli/main.js`, 'learn', data, '--threads', '2', '--json', ...args];
  const [program, ...rest] = [...before, process.execPath, ...cli, '--out', scratch.file('model.npz')];
  const { status, stdout, stderr } = spawnSync(program, rest, {
    encoding: 'utf8',
    timeout: patient(50_000),
    killSignal: 'SIGKILL',
  });
  const said = stderr.split('\n').filter((line) => line.startsWith('orthodict:'));
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return { ...JSON.parse(stdout), said };
}

it('without WebAssembly, auto computes with js on all threads', async () => {
  const { backend, threads, said } = await learnUnder([], ['--no-expose-wasm'], ...JS);
  expect({ backend, threads, said }).toEqual({
    backend: 'js',
    threads: 2,
    said: [
      'orthodict: WebAssembly cannot be used (there is no WebAssembly with SIMD): computing with the slower js kernels.',
    ],
  });
});

const permission = ['--permission', '--experimental-permission'].find((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);
const noPermission = permission ? undefined : 'this runtime has no permission model';

itUnless(noPermission, 'where threads are forbidden, the calling thread computes', async () => {
  const flags = [permission!, '--allow-fs-read=*', '--allow-fs-write=*'];
  const { backend, threads, said } = await learnUnder([], flags, '--backend', 'js', ...JS);
  expect([backend, threads, said.length]).toEqual(['js', 1, 1]);
  expect(said[0]).toMatch(/^orthodict: 1 thread cannot be started \(.*\): computing without it\.$/);
});

// V8 reserves more than 8 GB of addresses for every instance of a module
const limited = (gigabytes: number) => ['prlimit', `--as=${gigabytes}000000000`];
const noLimit = spawnSync('prlimit', ['--version']).status === 0 ? undefined : 'there is no prlimit';

itUnless(noLimit, 'with no memory for WebAssembly, auto computes with js', async () => {
  const { backend, threads, said } = await learnUnder(limited(8), [], ...JS);
  expect([backend, threads, said.length]).toEqual(['js', 2, 1]);
  expect(said[0]).toMatch(
    /^orthodict: WebAssembly cannot be used \(.*memory.*\): computing with the slower js kernels\.$/,
  );
});

itUnless(noLimit, 'with memory for one instance, the caller computes alone, to the bits of two threads', async () => {
  const args = ['--backend', 'wasm', ...WASM];
  const free = await learnUnder([], [], ...args);
  const { said, ...alone } = await learnUnder(limited(20), [], ...args);
  expect([free.threads, alone.threads, alone.backend]).toEqual([2, 1, free.backend]);
  expect(alone.objective).toBe(free.objective);
  expect(said.length).toBe(1);
});

itUnless(
  noLimit,
  'with memory for one instance and little else, no thread is tried, which would end the process',
  async () => {
    const { said, backend, threads } = await learnUnder(limited(12), [], ...WASM);
    expect([backend.startsWith('wasm'), threads]).toEqual([true, 1]);
    expect(said).toEqual([
      'orthodict: 1 thread cannot be started (the address space of this process is limited): computing without it.',
    ]);
  },
);

it('threads end where a port has no close and an error does not end a thread, as in Deno', async () => {
  const preload = `import { parentPort } from 'node:worker_threads';
    if (parentPort) {
      parentPort.close = undefined;
      process.on('uncaughtException', () => {});
    }`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const { threads, said } = await learnUnder([], flags, '--backend', 'wasm', ...WASM);
  expect([threads, said]).toEqual([2, []]);
});
