/**
 * Real data, in a part to learn from and a part to score by.
 *
 *     digits    8×8 pictures of handwritten digits, every other one                       899×64
 *     patches   8×8 patches of a photograph without their means, of every other stripe    20,000×64
 *     MNIST     pictures of handwritten digits in their 100 principal directions           10,000×100
 */
import { fileURLToPath } from 'node:url';
import { type Matrix, type Matrix64, patchesOf } from 'orthodict';
import { rowRange, selectRows, stackRows, toFloat64 } from 'orthodict/extend';
import { learn, readMatrix } from 'orthodict/node';
import type { Size } from '../../contenders/contender.ts';
import { PCA } from '../../contenders/our-options.ts';
import { missingDataPackage } from '../../data-package.ts';
import { mnist } from '../../experiments/l4/picture-sets.ts';
import { repository } from '../../files.ts';

export interface Parts {
  readonly training: Matrix64;
  readonly heldOut: Matrix64;
}

export interface RealSet extends Size {
  readonly name: string;
  /** Codes that a held-out sample keeps. */
  readonly kept: number;
  /** The residual may be larger than that of plain MSP at its end by this share. */
  readonly within: number;
  /** Passes that the default may take. */
  readonly mostPasses: number;
  readonly mostRuns: number;
  /** A longer run is aborted. */
  readonly limitSeconds: number;
  /** Why the data is not here. */
  missing?(): string | undefined;
  read(): Promise<Parts>;
}

const shipped = (spec: string): Promise<Matrix> => readMatrix(fileURLToPath(new URL(`data/${spec}`, repository)));

/** Neighbours come from the same writer: every other picture goes to the other part. */
async function digits(): Promise<Parts> {
  const all = toFloat64(await shipped('digits.npz:samples'));
  const every = (first: number) => Array.from({ length: Math.ceil((all.rows - first) / 2) }, (_, k) => 2 * k + first);
  return { training: selectRows(all, every(0)), heldOut: selectRows(all, every(1)) };
}

const STRIPE = 64;
const PATCH = 8;
const PATCHES = 20_000;

/** Stripes of the photograph belong to the two parts in turn, so that no pixel is in both. */
async function patches(): Promise<Parts> {
  const photograph = await shipped('photograph.npz:pixels');
  const { rows: height, cols } = photograph;
  const stripes = Array.from({ length: Math.floor(cols / STRIPE) }, (_, k) => {
    const pixels = new Uint8Array(height * STRIPE);
    for (let y = 0; y < height; y++) {
      pixels.set(photograph.data.subarray(y * cols + k * STRIPE, y * cols + (k + 1) * STRIPE), y * STRIPE);
    }
    return { width: STRIPE, height, pixels };
  });
  const part = (first: number): Matrix64 => {
    const own = stripes.filter((_, k) => k % 2 === first);
    const options = { width: PATCH, limit: PATCHES / own.length, removeMean: true };
    return toFloat64(own.map((stripe, seed) => patchesOf(stripe, { ...options, seed })).reduce(stackRows));
  };
  return { training: part(0), heldOut: part(1) };
}

const IMAGES = 10_000;
const DIRECTIONS = 100;

/** The principal directions are those of the training part. */
async function mnistDirections(): Promise<Parts> {
  const all = await mnist.read(2 * IMAGES);
  const { dictionary } = await learn(rowRange(all, 0, IMAGES), { ...PCA, components: DIRECTIONS });
  const codes = toFloat64(await dictionary.encode(all));
  return { training: rowRange(codes, 0, IMAGES), heldOut: rowRange(codes, IMAGES, 2 * IMAGES) };
}

const LIMITS = { kept: 5, mostRuns: 5, limitSeconds: 600 } as const;

export const REAL_SETS: readonly RealSet[] = [
  { ...LIMITS, name: 'digits', samples: 899, features: 64, within: 0.01, mostPasses: 20, read: digits },
  { ...LIMITS, name: 'patches', samples: PATCHES, features: 64, within: 0.005, mostPasses: 15, read: patches },
  {
    ...LIMITS,
    name: 'MNIST',
    samples: IMAGES,
    features: DIRECTIONS,
    within: 0.005,
    mostPasses: 25,
    missing: () => missingDataPackage(mnist.data),
    read: mnistDirections,
  },
];

export const describeRealSet = ({ name, samples, features }: Pick<RealSet, 'name' | 'samples' | 'features'>): string =>
  `${name}, ${samples.toLocaleString('en-US')}×${features}`;
