/** One Node process that runs the examples in JavaScript, one after the other: to start one for each takes longer than most run. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./run-modules.mjs', import.meta.url));

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

export class ModuleProcess {
  #child: ChildProcess | undefined;

  /** Runs the module in its folder; an error that it throws is on `stderr`. */
  run(folder: string, name: string): Promise<Printed> {
    this.#child ??= fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const stop = (code: number | null) => reject(new Error(`${name} ended the process with code ${code}.`));
      child.once('exit', stop);
      child.once('message', (printed: Printed) => {
        child.off('exit', stop);
        resolve(printed);
      });
      child.send({ folder, name });
    });
  }

  /** The exit code, once no more modules are awaited: none of those that ran may keep the process from ending. */
  async end(): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return 0;
    const ended = once(child, 'exit');
    child.disconnect();
    return (await ended)[0];
  }
}
