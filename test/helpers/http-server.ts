/** Serves files on this machine, and simulates everything that can go wrong. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** A mishap of a request; undefined if the request is answered. */
type Mishap = (request: IncomingMessage, response: ServerResponse, file: Buffer) => true | undefined;

export class FileServer {
  /** Requested ranges, in order. */
  readonly ranges: string[] = [];
  etag = '"one"';
  mishap: Mishap = () => undefined;
  readonly #server = createServer((request, response) => this.#answer(request, response));

  private constructor(readonly folder: string) {}

  static async start(folder: string): Promise<FileServer> {
    const server = new FileServer(folder);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  url(name: string): string {
    return `http://${this.host}/${name}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    let file: Buffer;
    try {
      file = readFileSync(join(this.folder, basename(new URL(request.url!, 'http://x').pathname)));
    } catch {
      response.writeHead(404).end();
      return;
    }
    this.ranges.push(request.headers.range ?? '');
    if (this.mishap(request, response, file)) return;
    const [first, end] = rangeOf(request, file);
    response.writeHead(206, this.headers(first, end, file.length)).end(file.subarray(first, end));
  }

  headers(first: number, end: number, size: number): Record<string, string> {
    return {
      'content-range': `bytes ${first}-${end - 1}/${size}`,
      'content-length': `${end - first}`,
      etag: this.etag,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function rangeOf(request: IncomingMessage, file: Buffer): [first: number, end: number] {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!;
  return [Number(first), Math.min(Number(last) + 1, file.length)];
}
