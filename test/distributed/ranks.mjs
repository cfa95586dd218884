// A program for mpirun: `node ranks.mjs DIST FOLDER OPTIONS`. Rank 0 computes in all ways on all ranks, and prints what differs from one thread.
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';

const [dist, folder, options] = process.argv.slice(2);
const load = (module) => import(`${dist}${module}`);
const { createMpiExecutor } = await load('distributed/mpi-executor.js');
const rank = Number(process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK ?? 0);
const isOdd = process.env.ODD_RANK === String(rank);

try {
  const executor = await createMpiExecutor({
    threads: undefined,
    ...JSON.parse(options),
    ...(isOdd && { backend: 'wasm' }),
  });
  if (executor) {
    const found = await computeAll(executor);
    await executor.close();
    console.log(JSON.stringify(found));
  } else console.log('served');
} catch (error) {
  console.log(`${error.name} at ${rank}: ${error.message}`);
}

async function computeAll(executor) {
  const [{ inlineExecutor }, { openSource, readMatrix }, { memorySource }] = await Promise.all(
    ['engine/executor.js', 'node/index.js', 'engine/source/memory.js'].map(load),
  );
  const [{ surveyPass }, { encodePass }, shards] = await Promise.all(
    ['passes/survey.js', 'passes/encode.js', 'node/io/shards.js'].map(load),
  );
  const local = inlineExecutor(executor.kernels);
  const path = join(folder, 'data.npy');
  const opened = await openSource(path, { memoryLimit: 0 });
  const { rows, cols } = opened;
  const differences = [];
  const same = (name, a, b) => {
    if (!serialize(a).equals(serialize(b))) differences.push(name);
  };
  const all = async (values) => {
    const list = [];
    for await (const value of values) list.push(value);
    return list;
  };
  const identity = {
    rows: cols,
    cols,
    data: Float64Array.from({ length: cols ** 2 }, (_, k) => Number(k % (cols + 1) === 0)),
  };
  const encoding = { transform: { kind: 'dense', encoder: identity }, conditioning: { scale: 1 }, selection: {} };
  const moments = { moments: true };
  for (const chunks of [2, 3, 11, 40]) {
    const size = Math.ceil(rows / chunks);
    const ranges = Array.from({ length: chunks }, (_, k) => ({ start: k * size, end: Math.min(rows, (k + 1) * size) }));
    const source = { ...opened, ranges };
    same(
      `sum of ${chunks}`,
      await executor.sum(surveyPass, moments, source),
      await local.sum(surveyPass, moments, source),
    );
    const [there, here] = [executor, local].map((each) => each.map(encodePass, encoding, source));
    same(`map of ${chunks}`, await all(there), await all(here));
    const within = { first: 0, count: 1, level: 0 };
    const part = [executor, local].map((each) => each.sum(surveyPass, moments, source, undefined, within));
    same(`part of ${chunks}`, ...(await Promise.all(part)));
    const target = await shards.openShards(join(folder, 'codes'), 'codes');
    const blocks = Array.from({ length: chunks }, (_, first) => ({ first, count: 1, level: 0 }));
    const work = { executor, pass: encodePass, params: encoding, source, target };
    const written = await all(shards.writeShards(work, blocks));
    await shards.finishShards(target);
    const sizes = written.map((shard) => shard.rows);
    same(`rows of ${chunks}`, `${sizes}`, `${ranges.map(({ start, end }) => end - start)}`);
    same(`files of ${chunks}`, (await readMatrix(join(folder, 'codes'))).data, (await readMatrix(path)).data);
  }
  const inMemory = memorySource(await readMatrix(path));
  same('memory', await executor.sum(surveyPass, moments, inMemory), await local.sum(surveyPass, moments, inMemory));

  const refusals = [];
  const refused = async (act) => {
    try {
      await act();
      refusals.push('nothing');
    } catch (error) {
      refusals.push(`${error.name}: ${error.message.replaceAll(folder, '')}`);
    }
  };
  const ranges = [0, 1, 2, 3, 4, 5].map((k) => ({ start: 100 * k, end: 100 * k + 100 }));
  const source = { ...opened, ranges };
  const abort = AbortSignal.abort(new Error('enough'));
  await refused(() => executor.sum(surveyPass, moments, source, abort));
  const { mtime } = statSync(path);
  utimesSync(path, new Date(0), new Date(0)); // another file, as far as ranks can tell
  const strange = { ...source, locator: { ...source.locator, stamp: '1' } };
  await refused(() => executor.sum(surveyPass, moments, strange));
  await refused(() => all(executor.map(encodePass, encoding, strange)));
  utimesSync(path, mtime, mtime);
  same('after all', await executor.sum(surveyPass, moments, source), await local.sum(surveyPass, moments, source));
  await opened.close();
  return { threads: executor.threads, kernels: executor.kernels.name, differences, refusals };
}
