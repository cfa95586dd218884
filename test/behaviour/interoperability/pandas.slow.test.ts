/** Tables that pandas writes are read as pandas reads them; sparse matrices go to SciPy and come back. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import type { TableOptions } from '#src/io/tables/options.ts';
import { readMatrix } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { writeSparse } from '#src/node/io/sparse-write.ts';
import { scratchFiles } from '../../helpers/files.ts';
import { describeWithModule, python } from '../../helpers/numpy.ts';

const { inDirectory, refusal } = scratchFiles();

const WRITE = `
import sys, numpy as np, pandas as pd
folder = sys.argv[1]
rng = np.random.default_rng(5)
a = rng.standard_normal((40, 5)) * 10.0 ** rng.integers(-300, 300, (40, 5))
words = pd.DataFrame(a, columns=['plain', 'two words', 'comma, inside', 'quote " inside', 'é'])
words.to_csv(folder + '/words.csv', index=False)
words.to_csv(folder + '/index.csv')
words.to_csv(folder + '/quoted.csv', index=False, quoting=1)
words.to_csv(folder + '/windows.csv', index=False, lineterminator='\\r\\n', encoding='utf-8-sig')
words.to_csv(folder + '/packed.csv.gz', index=False)
words.to_csv(folder + '/comma.csv', index=False, sep=';', decimal=',')
words.to_csv(folder + '/tabs.tsv', index=False, sep='\\t')
wide = pd.DataFrame(rng.standard_normal((20, 64)))
wide.to_csv(folder + '/wide.csv', index=False)
wide.to_csv(folder + '/wide-index.csv')
holes = words.mask(rng.random(words.shape) < 0.2)
holes['label'] = ['a', 'b'] * 20
holes.to_csv(folder + '/holes.csv', index=False)
holes.to_csv(folder + '/none.csv', index=False, na_rep='NaN')
a.tofile(folder + '/words.raw')
wide.to_numpy().tofile(folder + '/wide.raw')
left = holes.drop(columns='label')
left.dropna().to_numpy().tofile(folder + '/dropped.raw')
pd.DataFrame(left.isna().to_numpy().astype(float)).to_numpy().tofile(folder + '/missing.raw')
`;

const raw = (name: string) => new Float64Array(Uint8Array.from(readFileSync(inDirectory(`${name}.raw`))).buffer);

describeWithModule('pandas', 'written by pandas', () => {
  beforeAll(() => void python(WRITE, inDirectory('')));

  it.each<[string, TableOptions, string, RegExp | undefined]>([
    ['words.csv', {}, 'words', undefined],
    ['index.csv', { drop: ['1'] }, 'words', undefined],
    ['quoted.csv', {}, 'words', undefined],
    ['windows.csv', {}, 'words', undefined],
    ['packed.csv.gz', {}, 'words', undefined],
    ['comma.csv', { decimal: ',' }, 'words', undefined],
    ['tabs.tsv', {}, 'words', undefined],
    ['wide.csv', {}, 'wide', /line 1 \(0, 1, 2, …\) counts the columns/],
    ['wide-index.csv', { drop: [''] }, 'wide', /line 1 \(\(empty\), 0, 1, …\) counts the columns/],
    ['holes.csv', { drop: ['label'], missing: 'drop' }, 'dropped', undefined],
    ['none.csv', { drop: ['label'], missing: 'drop' }, 'dropped', undefined],
  ])('%s %j', async (name, table, expected, said) => {
    const remarks: string[] = [];
    const options = { table: { ...table, onRemark: (text: string) => void remarks.push(text) } };
    expect((await readMatrix(inDirectory(name), options)).data).toEqual(raw(expected));
    expect(remarks).toEqual(said ? [expect.stringMatching(said)] : []);
  });

  it('names of columns survive quotes', async () => {
    const names = ['plain', 'two words', 'comma, inside', 'quote " inside', 'é'];
    for (const name of ['words.csv', 'quoted.csv', 'windows.csv', 'tabs.tsv']) {
      expect((await openSource(inDirectory(name))).names, name).toEqual(names);
    }
    expect((await openSource(inDirectory('wide.csv'), { table: { onRemark: () => {} } })).names?.[63]).toBe('63');
  });

  it('missing numbers take means where pandas sees them', async () => {
    const table = { drop: ['label'], missing: 'mean' } as const;
    const { data } = await readMatrix(inDirectory('holes.csv'), { table });
    const [whole, missing] = [raw('words'), raw('missing')];
    for (const [at, value] of data.entries()) if (missing[at] === 0) expect(value).toBe(whole[at]);
    expect(await refusal(openSource(inDirectory('holes.csv'), { table: { drop: ['label'] } }))).toContain(
      '--missing drop',
    );
    expect(await refusal(openSource(inDirectory('holes.csv'), { table: { missing: 'drop' } }))).toContain(
      '--drop leaves',
    );
  });
});

describeWithModule('scipy.sparse', 'SciPy', () => {
  const DENSE = Float64Array.from({ length: 60 }, (_, i) => (i % 4 === 1 ? i / 7 : 0));

  it('reads what is written', async () => {
    async function* pieces() {
      yield DENSE;
    }
    await writeSparse(inDirectory('ours.npz'), { rows: 12, cols: 5, precision: 'f64', pieces: pieces() });
    const said = python(
      `
import sys, json, scipy.sparse as s
a = s.load_npz(sys.argv[1])
a.check_format(full_check=True)
print(json.dumps([a.format, list(a.shape), str(a.dtype), bool(a.has_sorted_indices), a.toarray().ravel().tolist()]))
`,
      inDirectory('ours.npz'),
    );
    expect(JSON.parse(said)).toEqual(['csr', [12, 5], 'float64', true, [...DENSE]]);
  });

  it('writes what is read: both widths, both precisions, unsorted, packed or not', async () => {
    python(
      `
import sys, numpy as np, scipy.sparse as s
dense = np.array([i / 7 if i % 4 == 1 else 0 for i in range(60)]).reshape(12, 5)
for kind in ('f4', 'f8'):
    for width in ('i4', 'i8'):
        for packed in (True, False):
            a = s.csr_matrix(dense.astype(kind))
            a.indices, a.indptr = a.indices.astype(width), a.indptr.astype(width)
            s.save_npz(f'{sys.argv[1]}/{kind}-{width}-{packed}.npz', a, compressed=packed)
a = s.coo_matrix(dense[:, ::-1]).tocsr()
a = a[:, [4, 3, 2, 1, 0]]
s.save_npz(sys.argv[1] + '/unsorted.npz', a)
s.save_npz(sys.argv[1] + '/columns.npz', a.tocsc())
`,
      inDirectory(''),
    );
    for (const kind of ['f4', 'f8']) {
      const expected = kind === 'f4' ? Float32Array.from(DENSE) : DENSE;
      for (const rest of ['i4-True', 'i4-False', 'i8-True', 'i8-False']) {
        expect((await readMatrix(inDirectory(`${kind}-${rest}.npz`))).data, rest).toEqual(expected);
      }
    }
    expect((await readMatrix(inDirectory('unsorted.npz'))).data).toEqual(DENSE);
    expect(await refusal(readMatrix(inDirectory('columns.npz')))).toContain('Save it with .tocsr()');
  });
});
