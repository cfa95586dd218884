/** Samples behind addresses: the bits of the files, whatever the network does, or one clear line. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rowRange } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { readLimits } from '#src/formats/budget.ts';
import { openHttpBytes } from '#src/formats/http-bytes.ts';
import { nodePlatform } from '#src/node/formats/file-bytes.ts';
import { createNodeExecutor, openSource, readArray, readMatrix, writeArray, writeArrays } from '#src/node/index.ts';
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
