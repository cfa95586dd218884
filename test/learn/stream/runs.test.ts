/** Streams of small batches, and what they have found at the end. A change of these must be meant. */
import { expect, it } from 'vitest';
import { type Matrix, rowRange } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { StreamLearner, type StreamLearnerOptions } from '#src/learn/stream/stream-learner.ts';
import { type GenerateOptions, generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { product } from '../../helpers/matrices.ts';

/** The reference kernels give the same bits on every machine. */
const run = { executor: inlineExecutor(referenceKernels) };
const SIZE = { samples: 2400, features: 4 };

function laplace(): Matrix {
  const random = createRandom(1, 'laplace');
  const draw = () => (random.uniform() < 0.5 ? 1 : -1) * Math.log(1 - random.uniform());
  const codes = Float64Array.from({ length: SIZE.samples * SIZE.features }, draw);
  return product({ rows: SIZE.samples, cols: SIZE.features, data: codes }, normalMatrix(4, 4, random));
}

async function followed(kind: string, data: Partial<GenerateOptions>, options: StreamLearnerOptions) {
  const samples = kind === 'Laplace' ? laplace() : generate({ ...SIZE, theta: 0.3, seed: 1, ...data }).samples;
  if (options.center) for (let at = 0; at < samples.data.length; at++) samples.data[at] += at % 4;
  const learner = new StreamLearner({ seed: 1, first: 600, ...options });
  for (let at = 0; at < samples.rows; at += 300) await learner.partialFit(rowRange(samples, at, at + 300), run);
  const { dictionary, refined, samples: seen, energies } = await learner.result(run);
  const round = (numbers: Iterable<number>) => Array.from(numbers, (x) => Number(x.toFixed(6)));
  return { refined, seen, atoms: round(dictionary.atoms.data), energies: round(energies ?? []) };
}

const STREAMS: [name: string, kind: string, data: object, options: object, found: object][] = [
  [
    'sparse codes, orthogonal',
    'sparse',
    { theta: 0.3 },
    { whiten: 'none', center: false },
    {
      refined: true,
      seen: 2400,
      atoms: [
        -0.161593, -0.486048, 0.079259, 0.855197, -0.004117, 0.710767, 0.612183, 0.346447, 0.199645, -0.507796,
        0.773458, -0.322564, 0.966443, 0.026658, -0.143918, 0.211103,
      ],
      energies: [0.239631, 0.249225, 0.268011, 0.243133],
    },
  ],
  [
    'noisy codes, orthogonal',
    'noisy',
    { theta: 0.3, noise: 0.1 },
    { whiten: 'none', center: false },
    {
      refined: true,
      seen: 2400,
      atoms: [
        -0.00038, 0.7098, 0.616194, 0.341304, -0.157579, -0.483481, 0.082069, 0.857135, 0.192419, -0.511751, 0.770779,
        -0.327087, 0.968578, 0.023286, -0.13953, 0.204562,
      ],
      energies: [0.249243, 0.240487, 0.267293, 0.242978],
    },
  ],
  [
    'Laplace codes, orthogonal',
    'Laplace',
    {},
    { whiten: 'none', center: false },
    {
      refined: false,
      seen: 2400,
      atoms: [
        0.136383, 0.644285, 0.686136, -0.309052, 0.170087, 0.732406, -0.582234, 0.30928, 0.963843, -0.209789, -0.062949,
        -0.151765, 0.15322, -0.066828, 0.431576, 0.886453,
      ],
      energies: [0.61165, 0.314963, 0.063139, 0.010248],
    },
  ],
  [
    'sparse codes, orthogonal, centred',
    'sparse',
    { theta: 0.3 },
    { whiten: 'none', center: true },
    {
      refined: true,
      seen: 2400,
      atoms: [
        -0.161593, -0.486048, 0.079259, 0.855197, -0.004117, 0.710767, 0.612183, 0.346447, 0.199645, -0.507796,
        0.773458, -0.322564, 0.966443, 0.026658, -0.143918, 0.211103,
      ],
      energies: [0.239631, 0.249225, 0.268011, 0.243133],
    },
  ],
  [
    'noisy codes, orthogonal, centred',
    'noisy',
    { theta: 0.3, noise: 0.1 },
    { whiten: 'none', center: true },
    {
      refined: true,
      seen: 2400,
      atoms: [
        -0.011779, 0.715682, 0.610361, 0.339292, -0.167503, -0.476796, 0.078127, 0.859363, 0.194779, -0.509545,
        0.776522, -0.315339, 0.966367, 0.028782, -0.135533, 0.21665,
      ],
      energies: [0.249184, 0.24038, 0.266993, 0.243443],
    },
  ],
  [
    'Laplace codes, orthogonal, centred',
    'Laplace',
    {},
    { whiten: 'none', center: true },
    {
      refined: false,
      seen: 2400,
      atoms: [
        0.136509, 0.644133, 0.686197, -0.309179, 0.170247, 0.732486, -0.582163, 0.30914, 0.96392, -0.210065, -0.06262,
        -0.151031, 0.152447, -0.066564, 0.431623, 0.886584,
      ],
      energies: [0.611641, 0.314863, 0.063191, 0.010304],
    },
  ],
  [
    'sparse codes, complete',
    'sparse',
    { theta: 0.3, condition: 4 },
    { whiten: 'zca', center: false },
    {
      refined: true,
      seen: 2400,
      atoms: [
        0.519625, -0.42162, 0.736525, 0.098778, 0.735653, 0.443513, -0.436451, 0.267621, 0.046673, -0.104771, 0.906259,
        -0.406866, -0.454185, 0.697527, -0.305085, 0.462704,
      ],
      energies: [0.241135, 0.250788, 0.269693, 0.244659],
    },
  ],
  [
    'noisy codes, complete',
    'noisy',
    { theta: 0.3, noise: 0.1, condition: 4 },
    { whiten: 'zca', center: false },
    {
      refined: false,
      seen: 2400,
      atoms: [
        0.473401, -0.457783, 0.745544, 0.102419, 0.732082, 0.457883, -0.423591, 0.273806, 0.032782, -0.075422, 0.903152,
        -0.421371, -0.447378, 0.697424, -0.292971, 0.477095,
      ],
      energies: [0.244512, 0.252049, 0.257695, 0.245743],
    },
  ],
  [
    'Laplace codes, complete',
    'Laplace',
    { condition: 4 },
    { whiten: 'zca', center: false },
    {
      refined: false,
      seen: 2400,
      atoms: [
        0.059112, 0.672617, 0.68135, -0.282586, -0.135657, -0.538278, 0.765611, -0.325106, 0.709606, 0.482123, 0.436697,
        -0.270763, -0.030458, 0.389556, -0.619938, 0.680438,
      ],
      energies: [0.483231, 0.257994, 0.15907, 0.099705],
    },
  ],
  [
    'sparse codes, complete, centred',
    'sparse',
    { theta: 0.3, condition: 4 },
    { whiten: 'zca', center: true },
    {
      refined: true,
      seen: 2400,
      atoms: [
        0.519625, -0.42162, 0.736525, 0.098778, 0.735653, 0.443513, -0.436451, 0.267621, 0.046673, -0.104771, 0.906259,
        -0.406866, -0.454185, 0.697527, -0.305085, 0.462704,
      ],
      energies: [0.241135, 0.250788, 0.269693, 0.244659],
    },
  ],
  [
    'noisy codes, complete, centred',
    'noisy',
    { theta: 0.3, noise: 0.1, condition: 4 },
    { whiten: 'zca', center: true },
    {
      refined: true,
      seen: 2400,
      atoms: [
        0.49879, -0.437419, 0.741351, 0.101351, 0.68783, 0.464748, -0.482873, 0.278806, 0.058491, -0.120897, 0.90383,
        -0.406268, -0.463344, 0.685044, -0.324264, 0.459216,
      ],
      energies: [0.25122, 0.268802, 0.294396, 0.265641],
    },
  ],
  [
    'Laplace codes, complete, centred',
    'Laplace',
    { condition: 4 },
    { whiten: 'zca', center: true },
    {
      refined: false,
      seen: 2400,
      atoms: [
        0.05902, 0.672711, 0.681332, -0.282423, -0.135907, -0.538826, 0.76547, -0.324424, 0.709139, 0.481402, 0.437342,
        -0.272223, -0.028648, 0.389127, -0.620225, 0.680501,
      ],
      energies: [0.482914, 0.25764, 0.159465, 0.099982],
    },
  ],
  [
    'a window',
    'noisy',
    { theta: 0.3, noise: 0.1 },
    { window: 400 },
    {
      refined: true,
      seen: 400,
      atoms: [
        -0.00038, 0.7098, 0.616194, 0.341304, -0.157579, -0.483481, 0.082069, 0.857135, 0.192419, -0.511751, 0.770779,
        -0.327087, 0.968578, 0.023286, -0.13953, 0.204562,
      ],
      energies: [0.247401, 0.238233, 0.268829, 0.245537],
    },
  ],
  [
    'denser codes',
    'sparse',
    { theta: 0.6, noise: 0.02 },
    {},
    {
      refined: false,
      seen: 2400,
      atoms: [
        0.201322, -0.494884, 0.760413, -0.369231, -0.15794, -0.476852, 0.145358, 0.852372, 0.966674, 0.019063,
        -0.139794, 0.213624, 0.008109, 0.726181, 0.617334, 0.302482,
      ],
      energies: [0.252545, 0.253002, 0.253188, 0.241265],
    },
  ],
  [
    'few first samples',
    'sparse',
    { theta: 0.3, noise: 0.02 },
    { first: 80 },
    {
      refined: false,
      seen: 2400,
      atoms: [
        0.959599, 0.022625, -0.149312, 0.237409, 0.210664, -0.500995, 0.778398, -0.314199, -0.014085, 0.7032, 0.606239,
        0.371195, -0.185988, -0.503987, 0.06539, 0.84091,
      ],
      energies: [0.242913, 0.267889, 0.248557, 0.240642],
    },
  ],
];

it.each(STREAMS)('%s', async (_, kind, data, options, found) => {
  expect(await followed(kind, data, options)).toEqual(found);
});
