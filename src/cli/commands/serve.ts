/** `orthodict serve`: serves the playground to browsers on this machine. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { demand } from '../../core/errors.ts';
import { packageRoot } from '../../node/package-root.ts';
import { listen, USUAL_PORT } from '../page-server/listen.ts';
import { readSite, type Site } from '../page-server/site.ts';
import { numberOption } from '../terminal/arguments.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { printJson, printLine, printRemark } from '../terminal/output.ts';

interface Flags {
  readonly port?: number;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function serveCommand(): Command {
  return new Command('serve')
    .addOption(
      new Option(
        '--port <P>',
        `port to serve on; 0: any free port; default: ${USUAL_PORT}, or the next free one`,
      ).argParser(numberOption('serve', '--port')),
    )
    .option('--open', 'open the page in your browser')
    .option('--json', 'print one JSON object: address, port')
    .addHelpText('after', HELP)
    .action(runServe);
}

const HELP = `
The page learns in your browser, on several threads. Only this machine can reach it, it loads nothing from elsewhere, and
your data stays in the browser. Ctrl-C stops the server.

Examples:
  orthodict serve --open
  orthodict serve --port 9000`;

async function runServe({ port, open, json }: Flags): Promise<void> {
  const isPort = port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535);
  demand(isPort, 'serve', '--port', 'a whole number from 0 to 65535', port);
  const server = await listen(await readPage(), port);
  await interruptible(async (signal) => {
    const asked = new Promise((resolve) => signal.addEventListener('abort', resolve));
    if (json) printJson({ address: server.address, port: server.port });
    else printLine(`The playground is at ${server.address} (Ctrl-C stops it).`);
    if (open) openBrowser(server.address, (why) => printRemark(`serve: no browser was opened: ${why}.`));
    await asked;
  });
  await server.close();
}

async function readPage(): Promise<Site> {
  const folder = fileURLToPath(new URL('dist/playground/', packageRoot));
  if (existsSync(join(folder, 'index.html'))) return readSite(folder);
  throw new Error('the page is not built: dist/playground/index.html is missing; run `npm run build`.');
}

/** Programs that open an address. None is a shell, so an address cannot run commands. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address; `onFailure` gets the reason if that fails. */
function openBrowser(address: string, onFailure: (why: string) => void): void {
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
