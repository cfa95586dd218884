/** Samples behind addresses: the bits of the files, whatever the network does, or one clear line. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { rowRange } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { readLimits } from '#src/io/bytes/budget.ts';
import { openHttpBytes } from '#src/io/bytes/http.ts';
import { redirected } from '#src/io/bytes/http-redirect.ts';
import { createNodeExecutor, openSource, readArray, readMatrix, writeArray, writeArrays } from '#src/node/index.ts';
import { nodePlatform } from '#src/node/io/file-bytes.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../../helpers/bytes.ts';
import { FileServer, rangeOf } from '../../helpers/http-server.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const matrix = normalMatrix(40_000, 5, createRandom(3, 'http'));
const IMPATIENT = { attempts: 3, firstPause: 1, silence: 300 };
let server: FileServer;
/** A file of the numbers 0 … 255, over and over. */
const bytes = Uint8Array.from({ length: 3_000_000 }, (_, k) => k % 251);

beforeAll(async () => {
  server = await FileServer.start(scratch.path);
  await writeArray(f('a.npy'), matrix);
  await writeArrays(f('a.npz'), { note: 'text', atoms: rowRange(matrix, 0, 5), samples: matrix });
  await writeArray(f('half1.npy'), rowRange(matrix, 0, 25_000));
  await writeArray(f('half2.npy'), rowRange(matrix, 25_000, 40_000));
  writeFileSync(f('list.txt'), `${server.url('half1.npy')}\nhalf2.npy\n`);
  const csv = Array.from({ length: 300 }, (_, i) => Array.from(matrix.data.subarray(5 * i, 5 * i + 5)).join(','));
  writeFileSync(f('a.csv'), csv.join('\n'));
  writeFileSync(f('a.csv.gz'), gzipSync(csv.join('\n')));
  writeFileSync(f('a.idx'), Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6));
  writeFileSync(f('plain.bin'), bytes);
});
beforeEach(() => {
  server.mishap = () => undefined;
  server.ranges.length = 0;
});
afterAll(() => server.stop());

const open = (name = 'plain.bin') => openHttpBytes(server.url(name), readLimits(), nodePlatform, IMPATIENT);
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: Error) => error.message.replaceAll(server.host, 'HOST'),
  );

describe('has the numbers of the file', () => {
  it.each(['a.npy', 'a.npz', 'a.npz:samples', 'a.npz#samples', 'a.npz?key=a:b#samples', 'a.npy?sign=*'])(
    '%s',
    async (name) => {
      expect(bits(await readMatrix(server.url(name)))).toBe(bits(matrix));
      const source = await openSource(server.url(name), { memoryLimit: 0 });
      expect(bits(await source.read(399, 1702))).toBe(bits(rowRange(matrix, 399, 1702)));
      await source.close?.();
    },
  );

  it.each(['a.csv', 'a.csv.gz'])('%s', async (name) => {
    expect(bits(await readMatrix(server.url(name)))).toBe(bits(rowRange(matrix, 0, 300)));
  });

  it('a.idx', async () => {
    expect(Array.from((await readMatrix(server.url('a.idx'))).data)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('an array of an archive', async () => {
    expect((await readArray(`${server.url('a.npz')}?x=1#atoms`)).shape).toEqual([5, 5]);
  });

  it('in place on threads, in few requests', async () => {
    const executor = await createNodeExecutor({ threads: 2, backend: 'wasm' });
    await executor.warm?.();
    const here = await openSource(f('a.npy'));
    const there = await openSource(`@${f('list.txt')}`, { memoryLimit: 0 });
    expect(there.locator?.kind).toBe('files');
    server.ranges.length = 0;
    const sums = await Promise.all([here, there].map((source) => executor.sum(surveyPass, { moments: true }, source)));
    expect(bits(sums[1])).toBe(bits(sums[0]));
    expect(server.ranges.length).toBeLessThan(12); // one megabyte: two threads open it and read their pages
    await there.close?.();
    await executor.close();
  });
});

describe('in a bad network', () => {
  const readAll = async (from = 0): Promise<boolean> => {
    const target = new Uint8Array(bytes.length - from);
    const file = await open();
    return (await file.readAt(target, from)) === target.length && Buffer.from(target).equals(bytes.subarray(from));
  };

  it('waits for a server that is busy', async () => {
    let busy = 0;
    server.mishap = (_, response) => {
      if (busy++ % 3 === 2) return undefined;
      response.writeHead(503).end();
      return true;
    };
    expect(await readAll()).toBe(true);
    server.mishap = (_, response) => {
      response.writeHead(429, 'Too Many Requests', { 'retry-after': '0' }).end();
      return true;
    };
    expect(await refusal(open())).toBe('http://HOST/plain.bin: cannot be read (429 Too Many Requests).');
    expect(server.ranges.length).toBeLessThan(12);
  });

  it('goes on where a connection broke off', async () => {
    server.mishap = (request, response, file) => {
      const [first, end] = rangeOf(request, file);
      if (end - first < 400_000) return undefined;
      response.writeHead(206, server.headers(first, end, file.length));
      response.write(file.subarray(first, first + 300_000), () => response.destroy());
      return true;
    };
    expect(await readAll(7)).toBe(true);
    const starts = server.ranges.slice(1).map((range) => Number(/\d+/.exec(range)![0]));
    expect(starts.every((start, k) => k === 0 || start > starts[k - 1])).toBe(true);
    expect(starts.length).toBeGreaterThan(3);
  });

  it('gives up one that has gone silent', async () => {
    server.mishap = () => true;
    expect(await refusal(open())).toBe('http://HOST/plain.bin: cannot be read (no answer for 0.3 s).');
    expect(server.ranges.length).toBe(3);
  });

  it('notices another version of the file', async () => {
    const file = await open();
    const target = new Uint8Array(2_000_000);
    await file.readAt(target, 0);
    server.etag = '"two"';
    const changed = 'http://HOST/plain.bin: has changed while it was being read.';
    expect(await refusal(file.readAt(target, 10))).toBe(changed);
    expect(await refusal(file.readAt(target.subarray(0, 10), 2_500_000))).toBe(changed);
    server.etag = '"one"';
    expect(await file.readAt(target, 10)).toBe(target.length);
    server.mishap = (_, response) => {
      response.writeHead(416).end();
      return true;
    };
    expect(await refusal(file.readAt(target, 10))).toBe(changed);
  });
});

describe('says', () => {
  it('that a server has no ranges', async () => {
    server.mishap = (_, response, file) => {
      response.writeHead(200).end(file);
      return true;
    };
    expect(await refusal(openSource(server.url('a.npy')))).toBe(
      'http://HOST/a.npy: must come from a server that answers range requests; this one sends the whole file: download it first.',
    );
  });

  it('that a server answers nonsense', async () => {
    const nonsense = 'http://HOST/plain.bin: the server answers a range request with something else.';
    for (const range of ['bytes 5-9/100', 'bytes */100', 'rows 0-0/7', 'bytes 0-0/*']) {
      server.mishap = (_, response) => {
        response.writeHead(206, { 'content-range': range }).end('x');
        return true;
      };
      expect(await refusal(open())).toBe(nonsense);
    }
  });

  it('that there is nothing, no server, no format, no address', async () => {
    expect(await refusal(openSource(server.url('none.npy')))).toBe(
      'http://HOST/none.npy: cannot be read (404 Not Found).',
    );
    const nobody = openHttpBytes('http://127.0.0.1:1/a.npy', readLimits(), nodePlatform, IMPATIENT);
    expect(await refusal(nobody)).toBe('http://127.0.0.1:1/a.npy: cannot be read (bad port).');
    expect(await refusal(openSource('http://me:secret@127.0.0.1/a.doc?key=1'))).toMatch(
      /^http:\/\/127.0.0.1\/a.doc: the name must end in one of/,
    );
    expect(await refusal(openSource('http://:x/a.npy'))).toBe('http://:x/a.npy: is not an address.');
  });

  it('who asks, and never shows the password', async () => {
    const asked: (string | undefined)[] = [];
    server.mishap = (request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(403, 'Forbidden').end();
      return true;
    };
    const address = `http://me:a%20secret@${server.host}/a.npy?signature=1`;
    expect(await refusal(openSource(address))).toBe('http://HOST/a.npy: cannot be read (403 Forbidden).');
    expect(asked).toEqual([`Basic ${Buffer.from('me:a secret').toString('base64')}`]);
  });
});

describe('redirects', () => {
  let other: FileServer;
  const logins: (string | undefined)[] = [];
  beforeAll(async () => {
    other = await FileServer.start(scratch.path);
  });
  beforeEach(() => {
    logins.length = 0;
    other.mishap = ({ headers }) => void logins.push(headers.authorization);
  });
  afterAll(() => other.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Sends every request elsewhere. */
  const sendTo = (location: string | undefined, status = 302) => {
    server.mishap = ({ headers }, response) => {
      logins.push(headers.authorization);
      response.writeHead(status, location === undefined ? {} : { location }).end();
      return true;
    };
  };

  it.each([301, 302, 303, 307, 308])('are followed to another host, which is said once (%d)', async (status) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const name = `${status}.npy`;
    await writeArray(f(name), rowRange(matrix, 0, 9));
    sendTo(`${other.url(name)}?signature=secret`, status);
    for (let k = 0; k < 2; k++) expect(bits(await readMatrix(server.url(name)))).toBe(bits(rowRange(matrix, 0, 9)));
    expect(warn.mock.calls).toEqual([
      [`orthodict: http://${server.host}/${name} (redirected to ${other.host}/${name}).`],
    ]);
  });

  it('name the host that answered in what is wrong with it', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    sendTo(other.url('missing'));
    const message = await refusal(open());
    expect(message).toBe(
      `http://HOST/plain.bin (redirected to ${other.host}/missing): cannot be read (404 Not Found).`,
    );
  });

  it('on the same host are not worth a word; a login stays with its host', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const address = server.url('a.npy').replace('://', '://me:secret@');
    let hops = 0;
    server.mishap = ({ headers }, response) => {
      logins.push(headers.authorization);
      if (hops++ % 2 === 1) return undefined;
      response.writeHead(302, { location: '/plain.bin' }).end();
      return true;
    };
    await (await openHttpBytes(address, readLimits(), nodePlatform, IMPATIENT)).close();
    expect(logins).toEqual(Array(2).fill(`Basic ${btoa('me:secret')}`));
    expect(warn).not.toHaveBeenCalled();
    logins.length = 0;
    sendTo(other.url('plain.bin'));
    await (await openHttpBytes(address, readLimits(), nodePlatform, IMPATIENT)).close();
    expect(logins).toEqual([`Basic ${btoa('me:secret')}`, undefined]);
  });

  it('end after five', async () => {
    sendTo('/plain.bin');
    expect(await refusal(open())).toBe('http://HOST/plain.bin: cannot be read (more than 5 redirects).');
    expect(logins.length).toBe(6);
    let hops = 0;
    server.mishap = (_, response) => {
      if (hops++ === 5) return undefined;
      response.writeHead(302, { location: '/plain.bin' }).end();
      return true;
    };
    expect((await open()).byteLength).toBe(bytes.length);
  });

  it('need an address', async () => {
    sendTo(undefined);
    expect(await refusal(open())).toBe('http://HOST/plain.bin: cannot be read (a redirect without an address).');
  });

  it.each([
    ['https://a.org/x', '//b.org/y', 'https://b.org/y'],
    ['https://a.org/x/y', 'z', 'https://a.org/x/z'],
    ['http://a.org/x', 'https://b.org/y', 'https://b.org/y'],
    ['http://127.0.0.1:1/x', 'http://10.0.0.1/y', 'http://10.0.0.1/y'],
    ['http://localhost/x', 'http://192.168.0.1/y', 'http://192.168.0.1/y'],
    ['http://a.org', 'http://me:secret@b.org/', 'http://b.org/'],
    ['http://a.org', 'http://11.0.0.1/', 'http://11.0.0.1/'],
    ['http://a.org', 'http://172.32.0.1/', 'http://172.32.0.1/'],
  ])('from %s to %s are followed', (from, location, to) => {
    expect(redirected('x', from, location)).toBe(to);
  });

  it.each([
    ['https://a.org/x', 'http://a.org/x', 'which is not encrypted'],
    ['http://a.org', 'file:///etc/passwd', 'which is no http(s) address'],
    ['http://a.org', 'http://127.1/', 'which is not public'],
    ['http://a.org', 'http://0x7f000001/', 'which is not public'],
    ['http://a.org', 'http://10.2.3.4/', 'which is not public'],
    ['http://a.org', 'http://169.254.169.254/latest', 'which is not public'],
    ['http://a.org', 'http://172.31.0.1/', 'which is not public'],
    ['http://a.org', 'http://192.168.1.1/', 'which is not public'],
    ['http://a.org', 'http://100.64.0.1/', 'which is not public'],
    ['http://a.org', 'http://0.0.0.0/', 'which is not public'],
    ['https://a.org', 'https://localhost/', 'which is not public'],
    ['https://a.org', 'https://x.localhost./', 'which is not public'],
    ['https://a.org', 'https://[::1]/', 'which is not public'],
    ['https://a.org', 'https://[fd00::1]/', 'which is not public'],
    ['https://a.org', 'https://[fe80::1]/', 'which is not public'],
    ['https://a.org', 'https://[::ffff:127.0.0.1]/', 'which is not public'],
  ])('from %s to %s are refused', (from, location, why) => {
    expect(() => redirected('x', from, location)).toThrow(InputError);
    expect(() => redirected('x', from, location)).toThrow(why);
  });
});
