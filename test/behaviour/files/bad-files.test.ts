/** Every kind of bad file is rejected with one sentence that says what is wrong. */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { npyHeaderBytes } from '#src/io/codecs/npy/header.ts';
import { readArray, readMatrix, writeArrays } from '#src/node/io/arrays.ts';
import { readFailure } from '#src/node/io/file-errors.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { scratchFiles } from '../../helpers/files.ts';

const { inDirectory, put, refusal } = scratchFiles();

/** A .npy file with any header, followed by that many zero bytes. */
function npy(header: string, bodyLength = 0): Uint8Array {
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8]);
  return Buffer.concat([start, Buffer.from(header, 'latin1'), Buffer.alloc(bodyLength)]);
}

const of = (shape: number[], bodyLength: number, descr = '<f8') =>
  Buffer.concat([npyHeaderBytes(descr, shape), Buffer.alloc(bodyLength)]);

const refused = (name: string, content: string | Uint8Array) => refusal(openSource(put(name, content)));

describe('paths', () => {
  it('says what is wrong with the path', async () => {
    mkdirSync(inDirectory('folder.npy'));
    expect(await refusal(openSource(inDirectory('missing.npy')))).toBe('missing.npy: cannot be read (no such file).');
    expect(await refusal(openSource(inDirectory('folder.npy')))).toBe(
      'folder.npy: must be a folder with files of samples; got none.',
    );
    const inFile = `${put('file.npy', '')}/x.npy`;
    expect(await refusal(openSource(inFile))).toBe(
      'file.npy/x.npy: cannot be read (a part of the path is not a directory).',
    );
    expect(await refusal(openSource('/dev/null.npz:'))).toBe('/dev/null.npz:: must name an array after the colon.');
    expect(await refused('x.mat', '')).toBe(
      'x.mat: the name must end in one of .npy .npy.gz .npz .idx .idx.gz .wav -ubyte -ubyte.gz .csv .csv.gz .tsv .tsv.gz .parquet .png .jpg .jpeg .webp .tif .tiff.',
    );
    expect(await refusal(readArray(put('x.csv', '1')))).toBe('x.csv: the name must end in one of .npy .npz .npy.gz.');
  });

  it('says that there is no permission', async () => {
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open' });
    expect(String(readFailure('x.npy', denied))).toBe('InputError: x.npy: cannot be read (no permission).');
    if (process.getuid?.() === 0) return; // Root may read everything.
    const path = put('secret.npy', of([1, 1], 8));
    chmodSync(path, 0);
    expect(await refusal(openSource(path))).toBe('secret.npy: cannot be read (no permission).');
  });
});

describe('.npy', () => {
  it('refuses what is not a .npy file', async () => {
    expect(await refused('a.npy', '')).toBe('a.npy: is empty.');
    expect(await refused('a.npy', '1,2,3')).toBe('a.npy: is not a .npy file (it does not begin with \\x93NUMPY).');
    expect(await refused('a.npy', of([1, 1], 8).subarray(0, 5))).toBe('a.npy: the file is truncated.');
    expect(await refused('a.npy', of([1, 1], 8).subarray(0, 50))).toBe('a.npy: the file is truncated.');
    const later = of([1, 1], 8);
    later[6] = 4;
    expect(await refused('a.npy', later)).toBe('a.npy: the .npy version must be 1.0, 2.0 or 3.0; got 4.0.');
  });

  it('refuses damaged headers without evaluating them', async () => {
    const damaged = (why: string) => `b.npy: the .npy header is damaged (${why}).`;
    expect(await refused('b.npy', npy('hello'))).toBe(damaged('it is not a Python dict literal'));
    expect(await refused('b.npy', npy('['.repeat(5000)))).toBe(damaged('it is not a Python dict literal'));
    expect(await refused('b.npy', npy("{'descr': '<f8', 'fortran_order': exit(), 'shape': ()}"))).toBe(
      damaged('it is not a Python dict literal'),
    );
    const whole = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}";
    expect(await refused('b.npy', npy(`${whole}  \r `, 8))).toBe(damaged('it is not a Python dict literal'));
    const shaped = (shape: string) => npy(`{'descr': '<f8', 'fortran_order': False, 'shape': ${shape}}`, 16);
    expect(await refused('b.npy', shaped('(2)'))).toBe(damaged('shape is missing'));
    expect(await refused('b.npy', shaped('[2, 1]'))).toBe(damaged('shape is missing'));
    expect(await refused('b.npy', shaped('(02, 1)'))).toBe(damaged('it is not a Python dict literal'));
    expect(await refused('b.npy', shaped("(2, 1), 'more': 1"))).toBe(damaged('it has further keys'));
    expect((await readMatrix(put('b.npy', shaped('(2, (1))')))).rows).toBe(2);
    expect((await readMatrix(put('b.npy', npy(`${whole}  \r\n`, 8)))).rows).toBe(1);
    expect((await readMatrix(put('b.npy', npy(`${whole}   `, 8)))).rows).toBe(1);
    expect(await refused('b.npy', npy("{'descr': '<f8', 'shape': (1, 1)}", 8))).toBe(
      damaged('fortran_order is missing'),
    );
    expect(await refused('b.npy', npy("{'descr': '<f8', 'fortran_order': False}"))).toBe(damaged('shape is missing'));
    expect(await refused('b.npy', npy("{'fortran_order': False, 'shape': (1, 1)}"))).toBe(damaged('descr is missing'));
  });

  it('accepts headers as older programs write them', async () => {
    const path = put('old.npy', npy('{"shape": (1L, 2L), \'fortran_order\': False, "descr": \'|u1\'}', 2));
    expect(await readMatrix(path)).toEqual({ rows: 1, cols: 2, data: Float64Array.of(0, 0) });
  });

  it('refuses a shape that the file cannot hold, before allocating', async () => {
    expect(await refused('x.npy', of([1e12, 8], 0, '<f4'))).toBe(
      'x.npy: declares 1000000000000 × 8 numbers (32 TB) but holds 128 bytes, 0 of 1000000000000 rows.',
    );
    expect(await refused('x.npy', of([3, 2], 47))).toBe(
      'x.npy: declares 3 × 2 numbers (48 bytes) but holds 175 bytes, 2 of 3 rows.',
    );
    expect(await refused('x.npy.gz', gzipSync(of([1e12, 8], 0)))).toMatch(
      /^x\.npy\.gz: declares 1000000000000 × 8 numbers \(64 TB\) but holds \d+ bytes\.$/,
    );
    const shape = (size: string) => npy(`{'descr': '<f8', 'fortran_order': False, 'shape': (${size}, 0, 1)}`);
    expect(await refusal(readArray(put('x.npy', shape('9'.repeat(999)))))).toMatch(
      /^x\.npy: declares Infinity × 0 × 1 numbers/,
    );
    const line = npy(`{'descr': '<f8', 'fortran_order': False, 'shape': (1${'0'.repeat(30)},)}`);
    expect(await refusal(readArray(put('x.npy', line)))).toMatch(
      /^x\.npy: declares 1e\+30 numbers, more than any file can hold\.$/,
    );
  });

  it('refuses anything but 2-d arrays with rows and columns', async () => {
    expect(await refused('d.npy', of([7], 56))).toBe(
      'd.npy: must be a 2-d array; got a 1-d array (7): reshape it to one sample per row.',
    );
    expect(await refused('d.npy', of([], 8))).toBe(
      'd.npy: must be a 2-d array; got a 0-d array (a single value): reshape it to one sample per row.',
    );
    expect(await refused('d.npy', of([2, 3, 4], 192))).toBe(
      'd.npy: must be a 2-d array; got a 3-d array (2 × 3 × 4): reshape it to one sample per row.',
    );
    expect(await refused('d.npy', of([0, 3], 0))).toBe('d.npy: must have at least one row and one column; got 0 × 3.');
    expect(await refused('d.npy', of([3, 0], 0))).toBe('d.npy: must have at least one row and one column; got 3 × 0.');
    expect(await refused('d.npy', of([3, 3], 144, '<f16'))).toBe(
      'd.npy: must hold real numbers; got extended floats (dtype <f16).',
    );
  });

  it('says that compressed data is damaged or ends early', async () => {
    const random = Buffer.from(Array.from({ length: 8000 }, (_, i) => (i * i * 7919) >> 5));
    const whole = gzipSync(Buffer.concat([npyHeaderBytes('<f8', [100, 10]), random]));
    const early = 'g.npy.gz: the file is truncated.';
    expect(await refused('g.npy.gz', whole.subarray(0, whole.length - 600))).toBe(early);
    expect(await refused('g.npy.gz', gzipSync(of([100, 10], 7999)))).toBe(early);
    expect(await refused('g.npy.gz', '')).toBe('g.npy.gz: is empty.');
    expect(await refused('g.npy.gz', 'no gzip')).toBe(
      'g.npy.gz: the compressed data is damaged (incorrect header check).',
    );
    const summed = gzipSync(of([100, 10], 8000));
    summed[summed.length - 6] ^= 1; // In the checksum.
    for (const memoryLimit of [0, 1e9]) {
      expect(await refusal(openSource(put('g.npy.gz', summed), { memoryLimit }))).toBe(
        'g.npy.gz: the compressed data is damaged (incorrect data check).',
      );
    }
    whole[whole.length - 300] ^= 0x55;
    expect(await refused('g.npy.gz', whole)).toMatch(/^g\.npy\.gz: (the compressed data is damaged|ends before)/);
  });
});

describe('.npz', () => {
  const two = inDirectory('two.npz');
  const data = Float64Array.of(1, 2, 3, 4);
  beforeAll(() =>
    writeArrays(two, {
      a: { rows: 2, cols: 2, data },
      b: { rows: 1, cols: 4, data },
      mean: { shape: [4], data },
      meta: '{}',
    }),
  );

  it('lists the arrays when it cannot choose', async () => {
    const holds = 'it holds a (2 × 2), b (1 × 4), mean (1-d, 4), meta (0-d)';
    expect(await refusal(openSource(two))).toBe(
      `two.npz: has several 2-d arrays; ${holds}: pick one, as in two.npz:a.`,
    );
    expect(await refusal(openSource(`${two}:c`))).toBe(`two.npz: has no array "c"; ${holds}.`);
    await writeArrays(inDirectory('none.npz'), { mean: { shape: [4], data } });
    expect(await refusal(openSource(inDirectory('none.npz')))).toBe(
      'none.npz: has no 2-d array; it holds mean (1-d, 4).',
    );
    expect(await refusal(openSource(`${two}:mean`))).toBe(
      'two.npz:mean: must be a 2-d array; got a 1-d array (4): reshape it to one sample per row.',
    );
  });

  it('chooses samples, the named array, or the only 2-d array', async () => {
    const path = inDirectory('choice.npz');
    await writeArrays(path, { a: { rows: 2, cols: 2, data }, samples: { rows: 1, cols: 4, data }, meta: '{}' });
    expect((await openSource(path)).cols).toBe(4);
    expect((await openSource(`${path}:a`)).cols).toBe(2);
    expect((await openSource(`${path}:a.npy`)).cols).toBe(2);
    await writeArrays(path, { a: { rows: 2, cols: 2, data }, meta: '{}' });
    expect((await openSource(path)).cols).toBe(2);
  });

  it('refuses files that are not archives, truncated archives and wrong checksums', async () => {
    const whole = readFileSync(two);
    expect(await refused('z.npz', '')).toBe('z.npz: is empty.');
    expect(await refused('z.npz', 'not a zip archive')).toBe('z.npz: is not an .npz file (it is not a zip archive).');
    expect(await refused('z.npz', whole.subarray(0, 300))).toBe('z.npz: the file is truncated.');
    expect(await refused('z.npz', Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`))).toBe('z.npz: holds no arrays.');
    const flipped = Buffer.from(whole);
    flipped[35 + 128 + 3] ^= 1; // In the numbers of the first array.
    put('z.npz', flipped);
    expect(await refusal(openSource(inDirectory('z.npz:a')))).toBe(
      'z.npz:a: the data is damaged (its checksum differs).',
    );
  });

  it('refuses other compression methods and encryption', async () => {
    const directory = readFileSync(two).indexOf('PK\x01\x02');
    const changed = (offset: number, value: number) => {
      const bytes = readFileSync(two);
      bytes[directory + offset] = value;
      return bytes;
    };
    expect(await refused('m.npz', changed(10, 12))).toBe(
      'm.npz:a: must be stored or deflated; got zip compression method 12.',
    );
    expect(await refused('m.npz', changed(8, 1))).toBe('m.npz:a: is encrypted.');
  });

  it('refuses a deflated entry that declares more than deflate can compress', async () => {
    const path = inDirectory('bomb.npz');
    const body = deflateRawSync(npyHeaderBytes('<f8', [1e9, 1]));
    put('bomb.npz', oneEntryZip('samples.npy', body, 8e9 % 2 ** 32));
    expect(await refusal(openSource(path))).toMatch(/^bomb\.npz:samples: declares 1000000000 × 1 numbers \(8 GB\) but/);
  });
});

/** An archive with one deflated entry that claims `size` bytes. */
function oneEntryZip(name: string, body: Buffer, size: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(body.length, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + body.length, 16);
  return Buffer.concat([local, Buffer.from(name), body, central, Buffer.from(name), end]);
}
