/** Learns with the method of clipped-l4.mjs on two threads, from data with outliers, beside the package's own method. */
import { generate, recoveryError } from 'orthodict';
import { learn } from 'orthodict/node';
import { clippedL4 } from './clipped-l4.mjs';

const { samples, atoms } = generate({ samples: 20_000, features: 20, theta: 0.3, seed: 1 });
for (let j = 0; j < 20; j++) samples.data[j * 20 * 500 + (j % 20)] = 60; // twenty samples with a huge number

const run = { threads: 2 };
const robust = await learn(samples, { method: clippedL4, clip: 3, refine: 'none' }, run);
const plain = await learn(samples, { refine: 'none' }, run);

console.log(`${robust.description}: error ${recoveryError(robust.dictionary.atoms, atoms).toExponential(1)}`);
console.log(`${plain.description}: error ${recoveryError(plain.dictionary.atoms, atoms).toExponential(1)}`);
