/** Model files with damaged arrays and meta: refused, or a dictionary of the arrays that NumPy reads, which encodes and decodes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Dictionary } from '#src/dictionaries/dictionary.ts';
import { methods } from '#src/learn/options.ts';
import { loadModel, saveModel } from '#src/node/io/model-file.ts';
import { learn } from '#src/node/learn.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { fileTarget, type WholeFile } from '../files.ts';
import { closeOracle, requireSameNumbers } from '../oracle.ts';
import { archive } from './samples.ts';

const WORDS = [
  '"format"',
  '"method"',
  '"options"',
  '"status"',
  ':',
  ',',
  '{',
  '}',
  '[',
  ']',
  'null',
  '1e999',
  '-1',
  '"',
]
  .concat(['\\u0000', '__proto__', '"constructor"', 'NaN', '9'.repeat(30), '<f4', '<i8', '|O', '<U9', '|S1', 'True'])
  .concat(['(6, 6)', '(36,)', '(2, 18)', '(0, 6)', '(6, 0)', '()', '(1, 6)', '(6, 1)', '(12, 3)']);

/** A model of every method, taken apart by another program than the one that wrote it. */
async function wholeModels(): Promise<WholeFile[]> {
  const { samples } = generateHouseholder({ samples: 60, features: 6, reflectors: 1, theta: 0.2, seed: 3 });
  const folder = mkdtempSync(join(tmpdir(), 'orthodict-fuzz-'));
  const files: WholeFile[] = [];
  for (const { name, takes } of methods) {
    const options = { method: name, ...(takes ? {} : { maxIterations: 3, center: true }) };
    const result = await learn(samples, options, { threads: 1 });
    const path = join(folder, `${name}.npz`);
    await saveModel(path, result);
    const members = Object.entries(unzipSync(readFileSync(path)));
    const byName = Object.fromEntries(members.map(([member, bytes]) => [member.replace(/\.npy$/, ''), bytes]));
    files.push(archive(`${name}.npz`, byName, 0), archive(`${name}-deflated.npz`, byName, 6));
  }
  rmSync(folder, { recursive: true });
  return files;
}

async function use(dictionary: Dictionary): Promise<void> {
  const { components, features, atoms } = dictionary;
  if (atoms.rows !== components || atoms.cols !== features) throw new Error('atoms of another shape than the model');
  if (features > 1000) return;
  const Y = normalMatrix(5, features, createRandom(1, 'fuzz models'));
  const codes = await dictionary.encode(Y);
  if (codes.rows !== 5 || codes.cols !== components) throw new Error(`codes of shape ${codes.rows}×${codes.cols}`);
  const decoded = await dictionary.decode(codes);
  if (decoded.rows !== 5 || decoded.cols !== features) throw new Error(`decoded ${decoded.rows}×${decoded.cols}`);
}

export const models = fileTarget({
  name: 'model',
  about: 'models of every method: refused, or the atoms that NumPy reads, and they encode and decode',
  cases: 1200,
  words: WORDS,
  whole: wholeModels,
  read: async (path) => {
    const { dictionary, meta } = await loadModel(path);
    JSON.stringify(meta);
    await use(dictionary);
    const { atoms, transform } = dictionary;
    if (transform.kind === 'dense' || transform.kind === 'pursuit') {
      await requireSameNumbers({ shape: [atoms.rows, atoms.cols], data: atoms.data }, 'npz', path, 'atoms');
    }
  },
  close: closeOracle,
});
