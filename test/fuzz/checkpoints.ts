/**
 * Checkpoints of wrong shapes and kinds: each is refused as bad input, or resumes to the result of a run that was never
 * interrupted. A mutated checkpoint gets a valid checksum again, except where the damage is to the bytes of the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { InputError } from '#src/core/errors.ts';
import type { Random } from '#src/core/random.ts';
import type { Checkpoint } from '#src/engine/checkpoint.ts';
import { readArrays, writeArrays } from '#src/node/io/arrays.ts';
import { fileCheckpoint, type PackedArray, withChecksum } from '#src/node/io/checkpoint-file.ts';
import { type CheckpointCase, resumed } from './checkpoint-cases.ts';
import { type FileContent, mutateCheckpoint } from './checkpoint-mutations.ts';
import { pick } from './edits.ts';

/** A checkpoint as it is in a file. */
interface Saved {
  readonly bytes: Buffer;
  readonly arrays: Record<string, PackedArray>;
  readonly meta: string;
}

const known = new Map<Checkpoint, Saved>();

async function savedAs(checkpoint: Checkpoint, path: string): Promise<Saved> {
  const before = known.get(checkpoint);
  if (before) return before;
  await fileCheckpoint(path).save(checkpoint);
  const read = await readArrays(path);
  const arrays: Record<string, PackedArray> = {};
  for (const [name, { shape, data }] of read) if (data instanceof Float64Array) arrays[name] = { shape, data };
  const saved = { bytes: readFileSync(path), arrays, meta: read.get('meta')!.data[0] as string };
  known.set(checkpoint, saved);
  return saved;
}

/** Writes a spoiled checkpoint to the file; what was done to it. */
async function spoil(random: Random, { saved }: CheckpointCase, path: string): Promise<string> {
  const { bytes, arrays, meta } = await savedAs(pick(random, saved), path);
  if (random.uniform() < 0.1) {
    const flipped = Buffer.from(bytes); // nothing is signed again
    for (let k = 1 + random.integer(4); k > 0; k--) flipped[random.integer(flipped.length)] ^= 1 << random.integer(8);
    writeFileSync(path, flipped);
    return 'flipped bits';
  }
  const content: FileContent = { arrays: structuredClone(arrays), meta: JSON.parse(meta) };
  let name: string | undefined;
  while (name === undefined) name = mutateCheckpoint(random, content);
  await writeArrays(path, withChecksum({ ...content.arrays, meta: JSON.stringify(content.meta) }));
  return name;
}

/** Spoils a checkpoint and resumes from it; throws if what comes of it is neither a refusal nor the right result. */
export async function tryCheckpoint(random: Random, given: CheckpointCase, path: string): Promise<'refused' | 'same'> {
  const { learner, whole } = given;
  const mutation = await spoil(random, given, path);
  const outcome = await resumed(learner, { ...fileCheckpoint(path), save: async () => {} }).catch(
    (error: unknown) => error,
  );
  if (outcome instanceof InputError) return 'refused';
  if (outcome === whole) return 'same';
  const words = outcome instanceof Error ? outcome.stack : 'another result';
  throw new Error(`${learner.name}, ${mutation}: ${words}`);
}
