/** The thread that generates a data set: see `makeData`. */
import { parentPort, workerData } from 'node:worker_threads';
import { generate, type Matrix64 } from 'orthodict';
import { shareMatrix } from 'orthodict/extend';
import { writeArray } from 'orthodict/node';
import type { DataJob } from './data-sets.ts';

const { set, file, file32 } = workerData as DataJob;
const { features, theta, seed } = set;
const { samples, atoms } = generate({ features, samples: set.samples, theta, seed });
await writeArray(file, samples);
await writeArray(file32, { ...samples, data: Float32Array.from(samples.data) });
parentPort?.postMessage({ samples: shareMatrix(samples as Matrix64), truth: atoms }, [
  atoms.data.buffer as ArrayBuffer,
]);
