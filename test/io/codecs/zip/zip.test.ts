/** What an archive holds is beyond doubt: no member twice, and every byte of an array covered by its checksum. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { npyHeaderBytes } from '#src/io/codecs/npy/header.ts';
import { readArray, readArrays, readMatrix, writeArrays } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { readAll, scratchFiles } from '../../../helpers/files.ts';
import { zipOf } from '../../../helpers/zip.ts';

const { inDirectory, put, refusal } = scratchFiles();

const numbers = (...values: number[]) => Buffer.from(Float64Array.from(values).buffer);
const npy = (shape: number[], body: Uint8Array, header = npyHeaderBytes('<f8', shape)) => Buffer.concat([header, body]);

describe('a member', () => {
  it('that is there twice is refused by every reader', async () => {
    const path = put(
      'twice.npz',
      zipOf([
        { name: 'samples.npy', content: npy([1, 1], numbers(1)) },
        { name: 'other.npy', content: npy([1, 1], numbers(3)) },
        { name: 'samples.npy', content: npy([1, 1], numbers(2)) },
      ]),
    );
    const message = 'twice.npz: the zip archive is damaged (it has "samples.npy" twice).';
    for (const read of [readArrays, readMatrix, readArray]) expect(await refusal(read(path))).toBe(message);
    expect(await refusal(openSource(`${path}:other`))).toBe(message);
  });

  it('is the one of that name before one of that name with .npy', async () => {
    const path = put(
      'names.npz',
      zipOf([
        { name: 'a.npy', content: npy([1, 1], numbers(1)) },
        { name: 'a.npy.npy', content: npy([1, 1], numbers(2)) },
      ]),
    );
    expect((await readMatrix(`${path}:a.npy`)).data[0]).toBe(2);
    expect((await readMatrix(`${path}:a`)).data[0]).toBe(1);
  });

  it('that overlaps the next one by its longer header is refused', async () => {
    const whole = zipOf([
      { name: 'a.npy', content: npy([1, 1], numbers(1)) },
      { name: 'b.npy', content: npy([1, 1], numbers(2)) },
    ]);
    whole.writeUInt16LE(9, 28); // the extra field of the first header, which the directory does not mention
    expect(await refusal(readArrays(put('shifted.npz', whole)))).toBe(
      'shifted.npz: the zip archive is damaged ("a.npy" overlaps what follows it).',
    );
  });

  it('must be listed in a directory without gaps', async () => {
    const whole = zipOf([
      { name: 'a.npy', content: npy([1, 1], numbers(1)) },
      { name: 'samples.npy', content: npy([1, 1], numbers(2)) },
    ]);
    whole[whole.lastIndexOf('PK\x01\x02')] ^= 1;
    expect(await refusal(readArrays(put('gap.npz', whole)))).toBe(
      'gap.npz: the zip archive is damaged (its directory cannot be read).',
    );
  });
});

describe('a checksum', () => {
  const [rows, cols] = [500, 20];
  const data = Float64Array.from({ length: rows * cols }, (_, i) => Math.sin(i));

  it.each(['C', 'Fortran'])('of data read in place is verified, in %s order', async (order) => {
    const path = inDirectory(`${order}.npz`);
    if (order === 'C') await writeArrays(path, { samples: { rows, cols, data } });
    else {
      const text = `{'descr': '<f8', 'fortran_order': True, 'shape': (${rows}, ${cols}), }`.padEnd(117);
      const start = [0x93, ...Buffer.from('NUMPY'), 1, 0, text.length + 1, 0];
      const header = Buffer.concat([Buffer.from(start), Buffer.from(`${text}\n`)]);
      put(`${order}.npz`, zipOf([{ name: 'samples.npy', content: npy([], Buffer.from(data.buffer), header) }]));
    }
    expect((await readAll(await openSource(path, { memoryLimit: 0 }))).rows).toBe(rows);
    const whole = readFileSync(path);
    whole[whole.length - 1000] ^= 1; // in the last rows
    writeFileSync(path, whole);
    for (const memoryLimit of [0, 1e9]) {
      expect(await refusal(openSource(path, { memoryLimit }))).toBe(
        `${order}.npz:samples: the data is damaged (its checksum differs).`,
      );
    }
  });

  it('covers what follows a shorter array', async () => {
    for (const deflated of [false, true]) {
      const content = npy([1, 1], numbers(1, 2, 3, 4));
      const good = zipOf([{ name: 'samples.npy', content, deflated }]);
      expect((await readMatrix(put('more.npz', good))).data).toEqual(Float64Array.of(1));
      const bad = Buffer.from(good);
      bad.writeUInt32LE(bad.readUInt32LE(bad.indexOf('PK\x01\x02') + 16) ^ 1, bad.indexOf('PK\x01\x02') + 16);
      expect(await refusal(readMatrix(put('more.npz', bad)))).toContain('its checksum differs');
    }
  });

  it('of an array without numbers is right', async () => {
    const empty = { shape: [0, 3], data: new Float64Array(0) };
    await writeArrays(inDirectory('empty.npz'), { empty, text: { shape: [0], data: new Uint8Array(0) } });
    expect((await readArrays(inDirectory('empty.npz'))).get('empty')!.shape).toEqual([0, 3]);
    const content = npyHeaderBytes('<U4', [0]);
    const path = put('empty.npz', zipOf([{ name: 't.npy', content, deflated: true }]));
    expect((await readArray(`${path}:t`)).data).toEqual([]);
  });

  it('covers text', async () => {
    const path = inDirectory('text.npz');
    await writeArrays(path, { meta: '{"a": 1}' });
    const whole = readFileSync(path);
    whole[whole.indexOf('{\0\0\0"') + 12] ^= 1;
    writeFileSync(path, whole);
    expect(await refusal(readArrays(path))).toBe('text.npz:meta: the data is damaged (its checksum differs).');
  });
});

describe('a header', () => {
  const header = (shape: string, descr = '<f8') =>
    npy([], Buffer.alloc(64), headerBytes(`{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}}`));
  const headerBytes = (text: string) =>
    Buffer.concat([Buffer.from([0x93, ...Buffer.from('NUMPY'), 2, 0]), lengthOf(text), Buffer.from(text, 'latin1')]);
  const lengthOf = (text: string) => Buffer.from(Uint32Array.of(text.length).buffer);

  it.each([
    ['a size that overflows', '(3002399751580331, 3002399751580331, 8)', 'more than any file can hold'],
    ['sizes beyond an array without numbers', '(9007199254740993, 0)', 'more than any file can hold'],
    ['a negative size', '(-1, 5)', 'not a Python dict literal'],
    ['too many dimensions', `(${'1, '.repeat(65)})`, 'at most 64 dimensions; got 65'],
    ['a fraction', '(1.5, 2)', 'not a Python dict literal'],
  ])('of %s', async (_, shape, message) => {
    expect(await refusal(readArray(put('h.npy', header(shape))))).toContain(message);
    expect(await refusal(openSource(put('h.npy', header(shape))))).toContain(message);
  });

  it('of text that the file cannot hold', async () => {
    for (const descr of ['<U99999999999999999999', '|S4000000000', '<U1073741824']) {
      expect(await refusal(readArray(put('h.npy', header('(2,)', descr))))).toMatch(/^h\.npy: declares 2 numbers/);
    }
  });

  it('that is longer than its file', async () => {
    const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 2, 0, 0xff, 0xff, 0xff, 0xff]);
    expect(await refusal(readArray(put('h.npy', start)))).toMatch(
      /header must have at most 65536 bytes; got 4294967295/,
    );
    start.writeUInt32LE(60_000, 8);
    expect(await refusal(readArray(put('h.npy', start)))).toBe('h.npy: the file is truncated.');
  });

  it('of text padded with a million zeros is read in linear time', async () => {
    const points = 1e6;
    const text = Buffer.concat([npyHeaderBytes(`<U${points}`, [2]), Buffer.alloc(8 * points)]);
    text.writeUInt32LE(0x1f642, 128);
    text.writeUInt32LE(0x41, 128 + 4 * (points - 1));
    const { data } = await readArray(put('padded.npy', text));
    expect((data as string[]).map(({ length }) => length)).toEqual([points + 1, 0]);
    expect((data[0] as string).startsWith('🙂\0')).toBe(true);
  });
});
