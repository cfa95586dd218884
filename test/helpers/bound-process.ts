/** Processes that end with this one, however it ends: even Ctrl-C or SIGKILL of the test runner leaves none behind. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Program that gets process ids on its input, and ends these processes when its input closes, which happens when this process ends. */
const WATCHDOG = `
const left = new Set();
let text = '';
process.stdin.setEncoding('utf8').on('data', (piece) => {
  const lines = (text + piece).split('\\n');
  text = lines.pop();
  for (const line of lines) left[line[0] === '+' ? 'add' : 'delete'](Number(line.slice(1)));
}).on('end', () => {
  for (const pid of left) try { process.kill(pid, 'SIGKILL'); } catch {}
});`;

let watchdog: Writable | undefined;

function watch(line: string): void {
  if (!watchdog) {
    const started = spawn(process.execPath, ['-e', WATCHDOG], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    started.unref();
    watchdog = started.stdin!.on('error', () => {});
    (watchdog as unknown as { unref(): void }).unref();
  }
  watchdog.write(line);
}

/** Starts a process like `spawn`. */
export function spawnBound(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options);
  const { pid } = child;
  if (pid !== undefined) {
    watch(`+${pid}\n`);
    child.once('exit', () => watch(`-${pid}\n`));
  }
  return child;
}
