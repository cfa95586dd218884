/** Opens an address in the user's browser. */
import { spawn } from 'node:child_process';

/** Programs that open an address. None is a shell, so an address cannot run commands. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address; `onFailure` gets the reason if that fails. */
export function openBrowser(address: string, onFailure: (why: string) => void): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', (error: NodeJS.ErrnoException) =>
    onFailure(error.code === 'ENOENT' ? `there is no ${program}` : error.message),
  );
  child.on('exit', (code) => {
    if (code) onFailure(`${program} ended with code ${code}`);
  });
  child.unref();
}
