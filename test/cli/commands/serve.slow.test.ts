/** `orthodict serve`, as a process: the built page on loopback, until it is told to end. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAFETY_HEADERS } from '#src/cli/page-server/policy.ts';
import { DIST, type Finished, runCli, start } from '../../helpers/run.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { type Served, serve } from '../../helpers/serve.ts';
import { itUnless } from '../../helpers/skip.ts';

const scratch = scratchDirectory();
const f = scratch.file;
let server: Served;

beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.end('SIGTERM'));

/** Asks for exactly this path: `fetch` would tidy it up. */
const ask = (path: string, method = 'GET', headers: Record<string, string> = {}, host = '127.0.0.1') =>
  new Promise<IncomingMessage & { text: string }>((resolve, reject) => {
    const asked = request({ host, port: server.port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve(Object.assign(response, { text })));
    });
    asked.on('error', reject).end();
  });

describe('serves', () => {
  it('the page and what it names, with the headers of safety', async () => {
    const page = await ask('/');
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({ ...SAFETY_HEADERS, 'content-type': 'text/html; charset=utf-8' });
    expect(page.text).toBe(readFileSync(`${DIST}playground/index.html`, 'utf8'));
    const scripts = [...page.text.matchAll(/<script[^>]* src="\.(\/[^"]+)"/g)].map((match) => match[1]);
    expect(scripts.length).toBeGreaterThan(0);
    for (const path of scripts) {
      const script = await ask(path);
      expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(script.headers['cache-control']).toContain('immutable');
      expect(script.text).toBe(readFileSync(`${DIST}playground${path}`, 'utf8'));
    }
  });

  it('HEAD without a body, and 304 to who has it', async () => {
    const whole = await ask('/');
    const head = await ask('/', 'HEAD');
    expect([head.statusCode, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
    const again = await ask('/', 'GET', { 'if-none-match': whole.headers.etag! });
    expect([again.statusCode, again.text]).toEqual([304, '']);
  });

  it('nothing else', async () => {
    for (const path of ['/../cli/main.js', '/%2e%2e/index.js', '/..%5cindex.js', '//etc/passwd', '/a%00', '/none']) {
      const { statusCode, headers } = await ask(path);
      expect(statusCode, path).toBe(404);
      expect(headers).toMatchObject(SAFETY_HEADERS);
    }
    expect((await ask('/', 'POST')).statusCode).toBe(405);
    expect((await ask('/', 'GET', { host: 'evil.example' })).statusCode).toBe(403);
  });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address;
  itUnless(outside ? undefined : 'there is no network', 'nobody on the network', async () => {
    await expect(ask('/', 'GET', {}, outside)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('ends with code 0', () => {
  it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    'on %s, also while a browser is connected',
    async (signal) => {
      const own = await serve();
      const connected = await fetch(own.address); // keeps its connection
      await connected.text();
      expect(await own.end(signal)).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );
});

describe('the port', () => {
  const refused = ({ code, stdout, stderr }: Finished): string => {
    expect([code, stdout]).toEqual([2, '']);
    return stderr;
  };

  it('is the next free one if none is asked for', async () => {
    const [one, two] = [await serve([]), await serve([])];
    expect(one.port).toBeGreaterThanOrEqual(8420);
    expect(two.port).not.toBe(one.port);
    await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')]);
  });

  it('must be free if it is asked for', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const finished = await runCli(['serve', '--port', `${port}`]);
    other.close();
    expect(refused(finished)).toBe(`serve: --port must be a free port; got ${port}, which is taken.\n`);
  });

  it.each(['65536', '-1', '1.5'])('must be one: %s', async (port) => {
    const message = `serve: --port must be a whole number from 0 to 65535; got ${port}.\n`;
    expect(refused(await runCli(['serve', '--port', port]))).toBe(message);
  });
});

describe('--open', () => {
  const noXdg = process.platform === 'linux' ? undefined : 'browsers are opened otherwise here';

  itUnless(noXdg, 'hands the address to the program that opens browsers', async () => {
    mkdirSync(f('bin'));
    writeFileSync(
      f('bin/xdg-open'),
      `#!/bin/sh\nprintf '%s' "$*" > '${f('opened.part')}'\nmv '${f('opened.part')}' '${f('opened')}'\n`,
    );
    chmodSync(f('bin/xdg-open'), 0o755);
    const own = await serve(['--port', '0', '--open'], { PATH: `${f('bin')}:${process.env.PATH}` });
    while (!existsSync(f('opened'))) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await own.end('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(f('opened'), 'utf8')).toBe(own.address);
  });

  itUnless(noXdg, 'serves all the same if there is none', async () => {
    const own = await serve(['--port', '0', '--open'], { PATH: f('empty') });
    await own.said(/opened/);
    expect((await fetch(own.address)).status).toBe(200);
    const { code, stderr } = await own.end('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'serve: no browser was opened: there is no xdg-open.\n' });
  });
});

it('a page that is not built is a failure that says what to do', async () => {
  for (const part of ['dist/cli/main.js', 'dist/bundle', 'package.json']) {
    cpSync(new URL(`../../../${part}`, import.meta.url), f(`unbuilt/${part}`), { recursive: true });
  }
  const { code, stdout, stderr } = await start(f('unbuilt/dist/cli/main.js'), ['serve']).finished;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'orthodict: the page is not built: dist/playground/index.html is missing; run `npm run build`.\n',
  );
});

it('says where it is in words too', async () => {
  const run = start(`${DIST}cli/main.js`, ['serve', '--port', '0']);
  await run.said(/\n/);
  run.kill('SIGINT');
  const { code, stdout, stderr } = await run.finished;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^The playground is at http:\/\/127\.0\.0\.1:\d+\/ \(Ctrl-C stops it\)\.\n$/);
});
