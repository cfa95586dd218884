/** A server of a site on this machine, for nobody else. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inputError } from '../../core/errors.ts';
import { answer } from './answer.ts';
import type { Site } from './site.ts';

/** The port if none is asked for; if it is taken, one of the next. */
export const USUAL_PORT = 8420;
const TRIED = 100;
const LOOPBACK = '127.0.0.1';

export interface PageServer {
  /** `http://127.0.0.1:8420/` */
  readonly address: string;
  readonly port: number;
  /** Ends it at once. */
  close(): Promise<void>;
}

/** Starts to serve. `port`: this one and no other; 0 is any free one. */
export async function listen(site: Site, port?: number): Promise<PageServer> {
  const server = serverOf(site);
  await (port === undefined ? takeUsual(server) : takeAsked(server, port));
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

/** Resolves to the code of the system's error if the port cannot be had. */
function take(server: Server, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const refused = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    server.once('error', refused);
    server.listen(port, LOOPBACK, () => {
      server.off('error', refused);
      resolve(undefined);
    });
  });
}

async function takeAsked(server: Server, port: number): Promise<void> {
  const code = await take(server, port);
  if (code === undefined) return;
  const why: Readonly<Record<string, string>> = { EADDRINUSE: 'which is taken', EACCES: 'which is not allowed' };
  throw inputError('serve', '--port', 'a free port', `${port}, ${why[code] ?? `which fails with ${code}`}`);
}

async function takeUsual(server: Server): Promise<void> {
  for (let port = USUAL_PORT; port < USUAL_PORT + TRIED; port++) {
    if ((await take(server, port)) === undefined) return;
  }
  await takeAsked(server, 0);
}
