/** Serves a site to this machine only. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inputError } from '../../core/errors.ts';
import { answer } from './answer.ts';
import type { Site } from './site.ts';

/** The default port; if it is taken, the following ones are tried. */
export const USUAL_PORT = 8420;
const TRIED = 100;
const LOOPBACK = '127.0.0.1';

export interface PageServer {
  /** `http://127.0.0.1:8420/` */
  readonly address: string;
  readonly port: number;
  /** Stops the server immediately. */
  close(): Promise<void>;
}

/** Starts the server. `port`: exactly this one; 0 is any free port. */
export async function listen(site: Site, port?: number): Promise<PageServer> {
  const server = serverOf(site);
  await (port === undefined ? listenOnUsualPort(server) : listenOn(server, port));
  const taken = (server.address() as AddressInfo).port;
  return {
    address: `http://${LOOPBACK}:${taken}/`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function serverOf(site: Site): Server {
  return createServer(async (request, response) => {
    const { status, headers, body } = await answer(site, request);
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  });
}

/** Listens on a port; resolves to the system's error code if that fails. */
function tryPort(server: Server, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const refused = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    server.once('error', refused);
    server.listen(port, LOOPBACK, () => {
      server.off('error', refused);
      resolve(undefined);
    });
  });
}

async function listenOn(server: Server, port: number): Promise<void> {
  const code = await tryPort(server, port);
  if (code === undefined) return;
  const why: Readonly<Record<string, string>> = { EADDRINUSE: 'which is taken', EACCES: 'which is not allowed' };
  throw inputError('serve', '--port', 'a free port', `${port}, ${why[code] ?? `which fails with ${code}`}`);
}

async function listenOnUsualPort(server: Server): Promise<void> {
  for (let port = USUAL_PORT; port < USUAL_PORT + TRIED; port++) {
    if ((await tryPort(server, port)) === undefined) return;
  }
  await listenOn(server, 0);
}
