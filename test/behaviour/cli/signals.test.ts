/** Sound and streams through the whole program: a mixture unmixed, and a model that goes on learning. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowRange } from '#src/core/matrix.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { readMatrix, writeArray } from '#src/node/io/arrays.ts';
import { loadModel } from '#src/node/io/model-file.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { callCli } from '../../helpers/call-cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { wav } from '../../helpers/wav.ts';

const f = scratchDirectory().file;

describe('sound', () => {
  const frames = 4000;

  beforeAll(() => {
    const data = Buffer.alloc(4 * frames);
    for (let t = 0; t < frames; t++) {
      const [tone, saw] = [Math.sin(0.3 * t), ((t * 0.037) % 2) - 1];
      data.writeInt16LE(Math.round(16000 * (0.9 * tone + 0.5 * saw)), 4 * t);
      data.writeInt16LE(Math.round(16000 * (0.4 * tone - 0.8 * saw)), 4 * t + 2);
    }
    writeFileSync(f('mix.wav'), wav({ format: 1, bits: 16, channels: 2, rate: 16000, data }));
  });

  it('learn says what unmixes sources that are not sparse; encode writes what can be heard', async () => {
    const zca = await callCli(['learn', f('mix.wav'), '--whiten', 'zca', '--center', '--out', f('zca.npz'), '--json']);
    expect([zca.code, JSON.parse(zca.stdout).remarks.length]).toEqual([0, 1]);
    expect(zca.stderr).toMatch(/^learn: the codes of 2 of 2 atoms are not sparse .*, use --method ica\.\n$/);

    const ica = await callCli(['learn', f('mix.wav'), '--method', 'ica', '--out', f('ica.npz')]);
    expect([ica.code, ica.stderr]).toEqual([0, '']);
    const { meta } = await loadModel(f('ica.npz'));
    expect(meta.features).toEqual(['left', 'right']);
    const heard = await callCli(['encode', f('ica.npz'), f('mix.wav'), '--out', f('sources.wav')]);
    expect([heard.code, heard.stderr]).toEqual([0, '']);
    const { rows, cols, data } = await readMatrix(f('sources.wav'));
    expect([rows, cols]).toEqual([frames, 2]);
    for (const channel of [0, 1]) {
      const signal = Array.from(data).filter((_, at) => at % 2 === channel);
      expect(signal.reduce((most, x) => Math.max(most, Math.abs(x)), 0)).toBeCloseTo(0.99, 6);
      const like = (source: (t: number) => number) =>
        Math.abs(
          correlation(
            signal,
            signal.map((_, t) => source(t)),
          ),
        );
      expect(
        Math.max(
          like((t) => Math.sin(0.3 * t)),
          like((t) => (t * 0.037) % 2),
        ),
      ).toBeGreaterThan(0.99);
    }
  });
});

function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const mean = (x: ArrayLike<number>) => Array.from(x).reduce((sum, y) => sum + y, 0) / x.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) ** 2;
    bb += (b[i] - mb) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

describe('learn --update', () => {
  const { samples, atoms } = generate({ samples: 12000, features: 20, theta: 0.3, noise: 0.1, seed: 2 });

  beforeAll(async () => {
    await writeArray(f('old.npy'), rowRange(samples, 0, 4000));
    await writeArray(f('new.npy'), rowRange(samples, 4000, 12000));
    await callCli(['learn', f('old.npy'), '--out', f('old.npz')]);
  });

  const update = (...more: string[]) => callCli(['learn', f('new.npy'), '--update', f('old.npz'), ...more]);

  it('improves the atoms, keeps their order, counts the samples, and can be repeated', async () => {
    const { code, stdout, stderr } = await update('--out', f('newer.npz'), '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ method: 'msp', added: 8000, samples: 12000, updates: 1, refined: true });
    const [old, newer] = await Promise.all([loadModel(f('old.npz')), loadModel(f('newer.npz'))]);
    const error = (model: typeof old) => matchAtoms(model.dictionary.atoms, atoms).maxAtomError;
    expect(error(newer)).toBeLessThan(0.8 * error(old));
    const { pairs } = matchAtoms(newer.dictionary.atoms, old.dictionary.atoms);
    for (const pair of pairs) expect(pair).toMatchObject({ truth: pair.learned, sign: 1 });
    expect(newer.meta).toMatchObject({ samples: 12000, updates: 1, reason: 'updated with 8000 samples' });
    const again = await callCli(['learn', f('old.npy'), '--update', f('newer.npz'), '--out', f('last.npz')]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('4,000 samples added, 16,000 in all')]);
  });

  it('keeps of the old model what stays true', async () => {
    const flags = ['--starts', '2', '--holdout', '0.2', '--seed', '3', '--center'];
    expect((await callCli(['learn', f('old.npy'), ...flags, '--out', f('told.npz')])).code).toBe(0);
    const argv = ['learn', f('new.npy'), '--update', f('told.npz'), '--window', '1000', '--out', f('moved.npz')];
    const { stdout } = await callCli(argv);
    expect(stdout).toMatch(/8,000 samples added, 1[12],\d00 in all, of which 1,000 count/);
    const [{ meta: old }, { meta, dictionary }] = await Promise.all([
      loadModel(f('told.npz')),
      loadModel(f('moved.npz')),
    ]);
    const { energies, ...rest } = meta;
    const { format, method, options, features, precision, samples: learned } = old;
    const updated = { refined: true, samples: 1000, seen: Number(learned) + 8000, updates: 1, window: 1000 };
    const reason = 'updated with 8000 samples';
    expect(rest).toEqual({ format, method, options, seed: 3, features, precision, reason, ...updated });
    const codes = await dictionary.encode(rowRange(samples, 11000, 12000));
    const powers = Array.from({ length: 20 }, (_, i) =>
      Array.from(codes.data).reduce((sum, x, at) => sum + (at % 20 === i ? x * x : 0), 0),
    );
    const all = powers.reduce((sum, power) => sum + power, 0);
    for (const [i, share] of energies!.entries()) expect(Math.abs(share / (powers[i] / all) - 1)).toBeLessThan(0.25);
    expect(energies!.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5);
  });

  it.each<[string[], RegExp]>([
    [['--whiten', 'zca'], /--update must come without --whiten; got both/],
    [['--method', 'msp'], /--update must come without --method; got both/],
    [['--init', 'x.npy'], /--update must come without --init; got both/],
    [['--window', '0'], /window must be a number above 0; got 0/],
  ])('refuses what the model decides: %s', async (flags, words) => {
    const { code, stderr } = await update('--out', f('x.npz'), ...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  it('refuses other models and other data in one line', async () => {
    await callCli(['learn', f('old.npy'), '--method', 'ica', '--out', f('ica.npz')]);
    await writeArray(f('narrow.npy'), { rows: 100, cols: 3, data: new Float64Array(300).fill(1) });
    const refusal = async (data: string, model: string) =>
      (await callCli(['learn', f(data), '--update', f(model), '--out', f('x.npz')])).stderr;
    expect(await refusal('new.npy', 'ica.npz')).toBe(
      'learn: the model must be of method msp with norm 4; got method ica.\n',
    );
    expect(await refusal('narrow.npy', 'old.npz')).toMatch(/^learn: samples must .*20.*3.*\n$/);
    expect(await refusal('new.npy', 'missing.npz')).toMatch(/missing\.npz/);
    const alone = await callCli(['learn', f('old.npy'), '--window', '9', '--out', f('x.npz')]);
    expect(alone.stderr).toBe('learn: --window must come with --update; got --window alone.\n');
  });

  it('learn says that recordings of one channel are put end to end, and that one feature has nothing to learn', async () => {
    mkdirSync(f('mono'));
    for (const name of ['a', 'b', 'c']) {
      const data = Buffer.alloc(2 * 500);
      for (let t = 0; t < 500; t++) data.writeInt16LE(Math.round(9000 * Math.sin(0.3 * t)), 2 * t);
      writeFileSync(f(`mono/${name}.wav`), wav({ format: 1, bits: 16, channels: 1, rate: 16000, data }));
    }
    const { code, stdout, stderr } = await callCli(['learn', f('mono'), '--out', f('mono.npz'), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).remarks.map((remark: { code: string }) => remark.code)).toEqual(['one-feature']);
    expect(stderr).toMatch(
      /mono: 3 recordings of one channel are put end to end as one feature; .*\nlearn: samples of one feature/,
    );
  });
});
