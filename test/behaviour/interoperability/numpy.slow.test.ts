/** NumPy's files are read here and ours by NumPy, for all number types, orders and containers. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { npzEntries } from '#src/io/codecs/npy/npz.ts';
import { npyBytes } from '#src/io/codecs/npy/write.ts';
import { writeZip } from '#src/io/codecs/zip/write.ts';
import { readArray, readArrays, readMatrix, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { writeAtomically } from '#src/node/io/atomic-write.ts';
import { readCounts } from '#src/node/io/counts.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { readAll, scratchFiles } from '../../helpers/files.ts';
import { describeWithNumpy, python } from '../../helpers/numpy.ts';

const { inDirectory, put, refusal } = scratchFiles();

const WRITE_ALL = `
import sys, gzip, io, numpy as np
folder = sys.argv[1]
rng = np.random.default_rng(7)
names = []
for code in ['f2','f4','f8','i1','i2','i4','i8','u1','u2','u4','u8','b1']:
    for order in ['<', '>']:
        for layout in 'CF':
            raw = rng.integers(0, 256, (37, 6, 8), dtype=np.uint8)
            if code[0] == 'f':
                a = (rng.standard_normal((37, 6)) * 10.0 ** rng.integers(-4, 4, (37, 6)))
            elif code == 'b1':
                a = rng.random((37, 6)) < 0.5
            else:
                a = raw.copy().view(np.dtype(code))[:, :, 0]
            a = np.asarray(a.astype(order + code), order=layout)
            name = f"{code}-{'le' if order == '<' else 'be'}-{layout}"
            np.save(f'{folder}/{name}.npy', a)
            np.savez(f'{folder}/{name}-stored.npz', samples=a, other=np.zeros(3))
            np.savez_compressed(f'{folder}/{name}-deflated.npz', a)
            with gzip.open(f'{folder}/{name}.npy.gz', 'wb') as f: np.save(f, a)
            wide = np.float32 if code in ('f2', 'f4') else np.float64
            np.ascontiguousarray(a.astype(wide)).tofile(f'{folder}/{name}.raw')
`;

describeWithNumpy('written by NumPy', () => {
  const folder = inDirectory('all-types');
  beforeAll(() => {
    mkdirSync(folder);
    python(WRITE_ALL, folder);
  });

  for (const memoryLimit of [undefined, 0]) {
    const how = memoryLimit === undefined ? 'into memory' : 'out of core';
    it(`reads every type, byte order, layout and container ${how}`, async () => {
      const names = readdirSync(folder).filter((name) => name.endsWith('.raw'));
      expect(names).toHaveLength(48);
      for (const raw of names) {
        const base = raw.slice(0, -'.raw'.length);
        const bytes = Uint8Array.from(readFileSync(`${folder}/${raw}`)).buffer;
        const expected = /^f[24]/.test(raw) ? new Float32Array(bytes) : new Float64Array(bytes);
        for (const file of [`${base}.npy`, `${base}.npy.gz`, `${base}-stored.npz`, `${base}-deflated.npz`]) {
          const source = await openSource(`${folder}/${file}`, memoryLimit === undefined ? {} : { memoryLimit });
          expect([source.rows, source.cols], file).toEqual([37, 6]);
          expect((await readAll(source)).data, file).toEqual(expected);
        }
      }
    });
  }

  it('reads 0-d, 1-d and n-d arrays in both orders, format versions 2 and 3, and text', async () => {
    const file = inDirectory('shapes.npz');
    python(
      `
import sys, numpy as np
a = np.arange(120.0).reshape(2, 3, 4, 5)
np.savez(sys.argv[1], scalar=np.float32(2.5), line=np.arange(4), c=a, f=np.asfortranarray(a), text=np.array('{"ü": "𝒜"}'),
         big=np.array('ab').astype('>U3'), words=np.array(['x', 'yz']), raw=np.array(b'abc'), empty=np.zeros((0, 3)))
for v in (2, 3):
    with open(sys.argv[1] + f'.v{v}.npy', 'wb') as f: np.lib.format.write_array(f, a[0, 0], version=(v, 0))
`,
      file,
    );
    const arrays = await readArrays(file);
    const count = Float64Array.from({ length: 120 }, (_, i) => i);
    expect(arrays.get('scalar')).toEqual({ dtype: '<f4', shape: [], data: Float32Array.of(2.5) });
    expect(arrays.get('line')).toEqual({ dtype: '<i8', shape: [4], data: count.slice(0, 4) });
    expect(arrays.get('c')).toEqual({ dtype: '<f8', shape: [2, 3, 4, 5], data: count });
    expect(arrays.get('f')).toEqual({ dtype: '<f8', shape: [2, 3, 4, 5], data: count });
    expect(arrays.get('text')?.data).toEqual(['{"ü": "𝒜"}']);
    expect(arrays.get('big')?.data).toEqual(['ab']);
    expect(arrays.get('words')?.data).toEqual(['x', 'yz']);
    expect(arrays.get('raw')?.data).toEqual(['abc']);
    expect(arrays.get('empty')).toEqual({ dtype: '<f8', shape: [0, 3], data: new Float64Array(0) });
    for (const version of [2, 3]) {
      expect((await readMatrix(`${file}.v${version}.npy`)).data).toEqual(count.slice(0, 20));
    }
  });

  it('refuses types that are not numbers', async () => {
    python(
      `
import sys, numpy as np
np.savez(sys.argv[1], o=np.array([[None]]), c=np.ones((2, 2), complex), r=np.zeros(2, [('a', 'f4'), ('b', 'i4')]),
         t=np.array([['a']]), d=np.zeros((1, 1), 'M8[s]'))
`,
      inDirectory('odd.npz'),
    );
    const said = async (array: string) => refusal(openSource(inDirectory(`odd.npz:${array}`)));
    expect(await said('o')).toBe('odd.npz:o: must hold real numbers; got Python objects (dtype |O).');
    expect(await said('c')).toBe('odd.npz:c: must hold real numbers; got complex numbers (dtype <c16).');
    expect(await said('r')).toBe('odd.npz:r: must hold real numbers; got records (dtype [["a","<f4"],["b","<i4"]]).');
    expect(await said('t')).toBe('odd.npz:t: must hold real numbers; got text (dtype <U1).');
    expect(await said('d')).toBe('odd.npz:d: must hold real numbers; got dates (dtype <M8[s]).');
  });

  it('reads text that numpy.savetxt writes, exactly', async () => {
    python(
      `
import sys, gzip, numpy as np
a = np.random.default_rng(3).standard_normal((50, 7)) * 1e-5
a[3, 4] = 0; a[4, 4] = 1.7976931348623157e308; a[5, 4] = -5e-324
np.savetxt(sys.argv[1] + '/t.csv', a, delimiter=',', header='a,b,c,d,e,f,g')
np.savetxt(sys.argv[1] + '/t.tsv', a, delimiter='\\t', fmt='%r')
np.savetxt(sys.argv[1] + '/t.csv.gz', a, delimiter=';', newline='\\r\\n')
a.tofile(sys.argv[1] + '/t.raw')
`,
      inDirectory(''),
    );
    const expected = new Float64Array(Uint8Array.from(readFileSync(inDirectory('t.raw'))).buffer);
    for (const file of ['t.csv', 't.tsv', 't.csv.gz']) {
      for (const memoryLimit of [1e9, 0]) {
        const { data } = await readAll(await openSource(inDirectory(file), { memoryLimit }));
        expect(data, file).toEqual(expected);
      }
    }
    expect((await readMatrix(put('t.tsv.gz', gzipSync(readFileSync(inDirectory('t.tsv')))))).data).toEqual(expected);
  });
});

describeWithNumpy('read by NumPy', () => {
  const LOAD = `
import sys, json, numpy as np
loaded = np.load(sys.argv[1], allow_pickle=False)
arrays = dict(loaded) if hasattr(loaded, 'files') else {'': loaded}
print(json.dumps({k: [str(a.dtype), list(a.shape), a.tolist()] for k, a in arrays.items()}))
`;
  const load = (path: string) => JSON.parse(python(LOAD, path)) as Record<string, [string, number[], unknown]>;

  it('loads every type that is written, without pickle', async () => {
    const path = inDirectory('ours.npz');
    await writeArrays(path, {
      atoms: { rows: 2, cols: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6.5) },
      mean: { shape: [3], data: Float64Array.of(0.1, -0.2, 1e300) },
      pairs: { shape: [2, 1], data: Int32Array.of(-1, 2) },
      long: { shape: [1], data: BigInt64Array.of(-(2n ** 40n)) },
      pixels: { shape: [1, 1, 2], data: Uint8Array.of(0, 255) },
      none: { shape: [0, 3], data: new Float64Array(0) },
      scalar: { shape: [], data: Float64Array.of(7) },
      meta: '{"name": "größe 𝒜"}',
      blank: '',
      größe: { shape: [1], data: Float64Array.of(1) },
    });
    expect(load(path)).toEqual({
      atoms: [
        'float32',
        [2, 3],
        [
          [1, 2, 3],
          [4, 5, 6.5],
        ],
      ],
      mean: ['float64', [3], [0.1, -0.2, 1e300]],
      pairs: ['int32', [2, 1], [[-1], [2]]],
      long: ['int64', [1], [-(2 ** 40)]],
      pixels: ['uint8', [1, 1, 2], [[[0, 255]]]],
      none: ['float64', [0, 3], []],
      scalar: ['float64', [], 7],
      meta: ['<U19', [], '{"name": "größe 𝒜"}'],
      blank: ['<U1', [], ''],
      größe: ['float64', [1], [1]],
    });
    expect((await readArray(`${path}:meta`)).data).toEqual(['{"name": "größe 𝒜"}']);
    expect((await readArray(`${path}:blank`)).data).toEqual(['']);
  });

  it('loads a .npy file, a streamed array and the zip64 form', async () => {
    const path = inDirectory('ours.npy');
    await writeArray(path, { rows: 1, cols: 2, data: Float64Array.of(1, 2) });
    expect(load(path)).toEqual({ '': ['float64', [1, 2], [[1, 2]]] });

    const streamed = inDirectory('streamed.npz');
    async function* pieces() {
      yield Float32Array.of(1, 2, 3);
      yield Float32Array.of(4);
    }
    await writeArrays(streamed, { codes: { shape: [2, 2], precision: 'f32', pieces: pieces() } });
    expect(load(streamed)).toEqual({
      codes: [
        'float32',
        [2, 2],
        [
          [1, 2],
          [3, 4],
        ],
      ],
    });

    const wide = inDirectory('wide.npz');
    const entries = () => ['a', 'b'].map((name) => [name, npyBytes([1, 2], Float64Array.of(1, 2))] as const);
    await writeAtomically(wide, (sink) => writeZip(sink, npzEntries(entries()), true));
    expect(load(wide)).toEqual({ a: ['float64', [1, 2], [[1, 2]]], b: ['float64', [1, 2], [[1, 2]]] });
    expect((await readMatrix(`${wide}:b`)).data).toEqual(Float64Array.of(1, 2));
    expect(python('import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())', wide).trim()).toBe('None');
  });
});

describeWithNumpy('counts that SciPy writes', () => {
  it('are read in compressed rows', async () => {
    python(
      `import sys, numpy as np
np.savez_compressed(sys.argv[1], indices=np.array([0, 2, 1], np.int32), indptr=np.array([0, 2, 3], np.int32),
  format=b'csr', shape=np.array([2, 3]), data=np.array([4, 5, 6]))
np.savez(sys.argv[2], indices=np.array([0]), indptr=np.array([0, 1]), format=b'csc', shape=np.array([1, 1]), data=np.array([4]))`,
      inDirectory('scipy.npz'),
      inDirectory('csc.npz'),
    );
    const { counts: read } = await readCounts(inDirectory('scipy.npz'));
    expect(read).toMatchObject({ rows: 2, cols: 3, data: Float64Array.of(4, 5, 6), indices: Int32Array.of(0, 2, 1) });
    await expect(readCounts(inDirectory('csc.npz'))).rejects.toThrow('in the format csr; got "csc"');
  });
});
