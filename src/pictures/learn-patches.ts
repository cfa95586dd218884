/** Learns a dictionary of the patches of one plane of a picture, without their means. */
import type { Matrix, Matrix64 } from '../core/matrix.ts';
import { shareMatrix } from '../core/shared-memory.ts';
import type { Run } from '../engine/run.ts';
import { learn } from '../learn/learn.ts';
import { patchesOf } from './patches.ts';

/** Most patches to learn from: more change the result by less than .01 dB. */
const LEARNED_FROM = 30_000;
/** Largest number of steps; further ones do not show in the picture. */
const STEPS = 40;

/** The orthogonal atoms, side²×side²; undefined if there are fewer patches than pixels in one, or all are constant. */
export async function learnPatches(
  plane: Matrix<Float32Array>,
  side: number,
  seed: number,
  run: Run,
): Promise<Matrix64 | undefined> {
  const picture = { width: plane.cols, height: plane.rows, pixels: plane.data };
  const patches = patchesOf(picture, { width: side, limit: LEARNED_FROM, seed, removeMean: true });
  if (patches.rows < patches.cols || patches.data.every((value) => value === 0)) return undefined;
  run.begin('learning');
  const options = { refine: 'none', maxIterations: STEPS, seed } as const;
  const { dictionary } = await learn(shareMatrix(patches), options, { executor: run.executor, signal: run.signal });
  run.signal?.throwIfAborted();
  return dictionary.atoms;
}
