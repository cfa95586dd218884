/** Addresses in a page: by ranges where the server answers them, otherwise as a whole; workers open the same data again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowserLocator } from '#src/browser/open-locator.ts';
import { openSource } from '#src/browser/open-source.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { writeArrays } from '#src/node/io/arrays.ts';
import { expectSameBits } from '../helpers/bytes.ts';
import { readAll, scratchFiles } from '../helpers/files.ts';
import { FileServer } from '../helpers/http-server.ts';

const { directory, inDirectory, put, refusal } = scratchFiles();
const samples = normalMatrix(300, 5, createRandom(1, 'test'));
let server: FileServer;
beforeAll(async () => {
  server = await FileServer.start(directory);
  await writeArrays(inDirectory('data.npz'), { samples, other: samples, third: samples });
  put('table.csv', 'a,b\n1,2\n3,4\n');
});
afterAll(() => server.stop());

it('reads by ranges what it needs, here and in a worker', async () => {
  server.ranges.length = 0;
  const source = await openSource(`${server.url('data.npz')}#other`, { memoryLimit: 0 });
  expect(source.locator).toMatchObject({ kind: 'address', array: 'other', extension: '.npz' });
  expect(server.ranges.every((range) => range.startsWith('bytes='))).toBe(true);
  const inWorker = await openBrowserLocator(structuredClone(source.locator!));
  expectSameBits(await readAll(inWorker), samples);
  expectSameBits(await readAll(source), samples);
  server.etag = '"two"';
  const again = { ...structuredClone(source.locator!), limits: {} };
  await expect(openBrowserLocator(again)).rejects.toThrow('has changed while it was being read');
  server.etag = '"one"';
});

it('reads the whole file from a server without ranges, and hands it to workers', async () => {
  server.mishap = (_, response, file) => {
    response.writeHead(200).end(file);
    return true;
  };
  const source = await openSource(new URL(server.url('data.npz')), { memoryLimit: 0 });
  expect(source.locator?.kind).toBe('blob');
  expectSameBits(await readAll(await openBrowserLocator(structuredClone(source.locator!))), samples);
  expect((await openSource(server.url('table.csv?key=1'))).names).toEqual(['a', 'b']);
  server.mishap = () => undefined;
});

it('reads as a whole where the page may not see what a range request answers', async () => {
  server.mishap = ({ headers }, response, file) => {
    if (headers.range) response.writeHead(206).end(file.subarray(0, 1));
    else response.writeHead(200).end(file);
    return true;
  };
  expect((await openSource(server.url('table.csv'))).rows).toBe(2);
  server.mishap = () => undefined;
});

it('reads addresses of data in the page itself', async () => {
  const source = await openSource('data:text/csv,a,b%0A1,2%0A3,4');
  expect([source.rows, source.names]).toEqual([2, ['a', 'b']]);
});

it('says in words what fails', async () => {
  const { host } = server;
  expect(await refusal(openSource(server.url('nothing.npy')))).toBe(
    `http://${host}/nothing.npy: cannot be read (404 Not Found).`,
  );
  const stop = new AbortController();
  server.mishap = () => {
    stop.abort(new Error('enough'));
    return true; // and never answers
  };
  await expect(openSource(server.url('data.npz'), { signal: stop.signal })).rejects.toThrow('enough');
  server.mishap = () => undefined;
});
