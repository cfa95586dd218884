/** Codes as many files: together they are the codes in one. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { denseDictionary } from '#src/dictionaries/dense.ts';
import { encodeParams } from '#src/dictionaries/encode.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { createNodeExecutor, readMatrix } from '#src/node/index.ts';
import { finishShards, openShards, type Shard, shardBlocks, writeShards } from '#src/node/io/shards.ts';
import { encodePass } from '#src/passes/encode.ts';
import { bits } from '../../helpers/bytes.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const samples = normalMatrix(240_000, 6, createRandom(4, 'shards'));
const source = memorySource(samples);
const dictionary = denseDictionary({ atoms: normalMatrix(6, 6, createRandom(5, 'shards')) });
const params = encodeParams(dictionary, { keep: 2 });

/** Writes the codes into files of at most `bytes` bytes each. */
async function write(folder: string, bytes: number): Promise<Shard[]> {
  const executor = await createNodeExecutor({ threads: 2, backend: 'wasm' });
  const target = await openShards(folder, 'codes');
  const shards: Shard[] = [];
  try {
    const blocks = shardBlocks(source, encodePass.effort, { cols: 6, precision: 'f64', bytes });
    for await (const shard of writeShards({ executor, pass: encodePass, params, source, target }, blocks)) {
      shards.push(shard);
    }
    await finishShards(target);
  } finally {
    await executor.close();
  }
  return shards;
}

describe('a folder of codes', () => {
  it.each([1, 300_000, 1e9])('of %s bytes a file is the codes in one', async (bytes) => {
    const folder = f(`codes-${bytes}`);
    const shards = await write(folder, bytes);
    expect(readdirSync(folder).sort()).toEqual(shards.map((_, k) => `codes-0000${k}.npy`));
    expect(shards.reduce((sum, { rows }) => sum + rows, 0)).toBe(240_000);
    expect(shards.reduce((sum, { kept }) => sum + kept, 0)).toBe(480_000);
    const whole = await dictionary.encode(samples, { keep: 2 });
    const { cols, data } = await readMatrix(folder);
    expect(cols).toBe(6);
    data.forEach((code, k) => {
      if (Math.abs(code - whole.data[k]) > 1e-13) throw new Error(`code ${k}: ${code} and ${whole.data[k]}`);
    });
    if (bytes > 1) expect(bits(await readMatrix(folder))).toBe(bits(await readMatrix(f('codes-1'))));
  });

  it('replaces one of an earlier run, and nothing else', async () => {
    await write(f('again'), 1);
    const files = readdirSync(f('again')).length;
    for (const left of ['.run-01234567-89ab-cdef-0123-456789abcdef', '.codes-00001.npy.77-0af3.tmp']) {
      writeFileSync(f(`again/${left}`), ''); // of a run that was killed
    }
    await expect(readMatrix(f('again'))).rejects.toThrow('was left unfinished by a run');
    await expect(openShards(f('again'), 'codes', [f('again/codes-00000.npy')])).rejects.toThrow(
      'must be another folder than that of the data',
    );
    await write(f('again'), 1e9);
    expect([files > 1, readdirSync(f('again'))]).toEqual([true, ['codes-00000.npy']]);
    mkdirSync(f('full'));
    writeFileSync(f('full/thesis.txt'), 'years of work');
    await expect(openShards(f('full'), 'codes')).rejects.toThrow('got one with thesis.txt');
    writeFileSync(f('file'), '');
    await expect(openShards(f('file'), 'codes')).rejects.toThrow('cannot be written (there is a file of that name)');
  });

  it('is written to only while the run is there', async () => {
    const executor = await createNodeExecutor({ threads: 1, backend: 'wasm' });
    const target = await openShards(f('gone'), 'codes');
    await finishShards(target);
    const blocks = shardBlocks(source, encodePass.effort, { cols: 6, precision: 'f64' });
    const writing = writeShards({ executor, pass: encodePass, params, source, target }, blocks);
    await expect(writing.next()).rejects.toThrow('is not the folder of this run');
    await executor.close();
  });
});
