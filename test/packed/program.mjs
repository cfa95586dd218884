/** Uses the installed package as a program outside does, on threads, and prints what it finds as JSON. */
import { createHash } from 'node:crypto';
import { generate, generateHouseholder, InputError, METHODS } from 'orthodict';
import { memorySource, shareMatrix } from 'orthodict/extend';
import { createNodeExecutor, learn, learnMoments, openSource, writeArray } from 'orthodict/node';
import { wherePass } from './where-pass.mjs';

const samples = shareMatrix(generate({ samples: 9000, features: 64, theta: 0.3, seed: 1 }).samples);
const reflected = generateHouseholder({ samples: 9000, features: 64, reflectors: 1, theta: 0.2, seed: 1 }).samples;
const one = await createNodeExecutor({ threads: 1, backend: 'wasm' });
const two = await createNodeExecutor({ threads: 2, backend: 'wasm' });
await two.warm();

const ranges = Array.from({ length: 18 }, (_, k) => ({ start: k * 500, end: (k + 1) * 500 }));
const askWhere = (refuse) => {
  const seen = new Int32Array(new SharedArrayBuffer(4));
  return two.sum(wherePass, { seen, refuse }, { ...memorySource(samples), ranges });
};
const where = await askWhere(false);

const isRefused = (promise) => promise.then(String, (error) => error instanceof InputError);
await writeArray('bad.npy', { ...samples, data: samples.data.with(300_000, Number.NaN) });
const bad = await openSource('bad.npy', { memoryLimit: 0 });
const refused = {
  'a missing file': await isRefused(learn('missing.npy')),
  'an option': await isRefused(learn(samples, { seed: 'x' }, { executor: two })),
  'a pass in a thread': await isRefused(askWhere(true)),
  'a file read by threads': await isRefused(learn(bad, {}, { executor: two })),
};
await bad.close();

/** Passes of the package live in several files of its bundle: threads must find them all. */
const sameBits = {};
for (const method of METHODS) {
  const options = { method, ...(!['dct', 'householder', 'pca'].includes(method) && { maxIterations: 2 }) };
  const data = method === 'householder' ? reflected : samples;
  const hashes = [];
  for (const executor of [one, two]) hashes.push(hashOf((await learn(data, options, { executor })).dictionary.atoms));
  sameBits[method] = hashes[0] === hashes[1];
}
const moments = [];
for (const executor of [one, two])
  moments.push(hashOf((await learnMoments(samples, { maxIterations: 1 }, { executor })).factors));
sameBits.moments = moments[0] === moments[1];

function hashOf({ data }) {
  return createHash('sha256').update(data).digest('hex');
}

await two.close();
console.log(JSON.stringify({ where, refused, sameBits }));
