/** Improves a dictionary with samples that arrived since it was learned: one pass over them, in constant memory. */
import { demand, inputError } from '../../core/errors.ts';
import type { Matrix } from '../../core/matrix.ts';
import { identity, maxDifference, rootMeanSquareDifference } from '../../core/matrix.ts';
import { requireColumns } from '../../dictionaries/require-shape.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { sourceOf } from '../../engine/source/memory.ts';
import type { RowRange, Source } from '../../engine/source/source.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { UpdateOptions } from '../option-types.ts';
import { LEAST_SAMPLES } from './block-step.ts';
import { DictionaryStream, type FollowedDictionary, type KnownDictionary } from './dictionary-stream.ts';
import { streamPlace } from './stream-frame.ts';
import { updateOptions } from './update-options.ts';

/** A dictionary improved with new samples. */
export interface UpdatedDictionary extends FollowedDictionary {
  /** Number of new samples. */
  readonly added: number;
  /** Distance that the atoms moved (root mean square). */
  readonly change: number;
  readonly seconds: number;
}

/** Numbers in a block; fewest rows, in all and per atom; number of blocks for few samples, as each is a step. */
const BLOCK = { numbers: 1 << 17, rows: 1024, perAtom: 4, count: 8 };

export const blockRows = (features: number, components: number): number =>
  Math.max(Math.ceil(BLOCK.numbers / features), BLOCK.rows, BLOCK.perAtom * components);

/**
 * Improves the result of `learn` with samples that arrived since, in one pass over these. The old samples are not
 * needed: the dictionary stands for as many as it was learned from. Atoms keep their order and signs.
 *
 * @example
 * ```js
 * import { generate, learn, recoveryError, updateDictionary } from 'orthodict';
 *
 * const { samples, atoms } = generate({ samples: 6000, features: 20, theta: 0.3, noise: 0.1, seed: 1 });
 * const part = (from, to) => ({ rows: to - from, cols: 20, data: samples.data.subarray(20 * from, 20 * to) });
 * const first = await learn(part(0, 2000));
 * const better = await updateDictionary(first, part(2000, 6000));
 * console.log(better.samples, recoveryError(better.dictionary.atoms, atoms)); // below 1e-3
 * ```
 */
export async function updateDictionary(
  known: KnownDictionary,
  samples: Matrix | Source,
  options: UpdateOptions = {},
  runOptions: RunOptions = {},
): Promise<UpdatedDictionary> {
  const who = 'updateDictionary';
  const { window } = updateOptions.settle(who, options);
  const source = sourceOf(who, samples);
  const run = await Run.start(who, runOptions);
  requireKnownDictionary(who, known, run.kernels);
  const { features, components, atoms } = known.dictionary;
  requireColumns(who, 'samples', source, features, 'features');
  demand(source.rows >= LEAST_SAMPLES, who, 'samples', `at least ${LEAST_SAMPLES}, to tell zeros apart`, source.rows);
  let stream = new DictionaryStream(who, known, window);
  const place = streamPlace(run);
  for (const { start, end } of evenBlocks(source.rows, features, components)) {
    run.begin(`samples ${start} of ${source.rows}`);
    stream = await stream.after(await source.read(start, end), place);
  }
  const result = stream.result(run.kernels);
  const change = rootMeanSquareDifference(result.dictionary.atoms, atoms);
  return { ...result, added: source.rows, change, seconds: run.seconds };
}

/** Splits samples into blocks that differ by one sample at most: a short one would carry little information. */
function evenBlocks(rows: number, features: number, components: number): RowRange[] {
  const some = Math.max(LEAST_SAMPLES, BLOCK.perAtom * components, Math.ceil(rows / BLOCK.count));
  const count = Math.max(1, Math.floor(rows / Math.min(blockRows(features, components), some)));
  const edge = (k: number) => Math.floor((k * rows) / count);
  return Array.from({ length: count }, (_, k) => ({ start: edge(k), end: edge(k + 1) }));
}

/** Tolerance of orthonormality: atoms of models in float32 are orthonormal to its rounding. */
const INVERSE = 1e-4;

/** Throws unless it is a dictionary that a stream can follow. */
export function requireKnownDictionary(who: string, known: KnownDictionary, kernels: Kernels): void {
  const { dictionary, samples } = known ?? {};
  const { atoms, encoder, transform } = dictionary ?? {};
  if (transform?.kind !== 'dense') {
    throw inputError(who, 'dictionary', 'dense, as learn makes it', transform?.kind ?? 'none');
  }
  demand(samples >= 0 && Number.isFinite(samples), who, 'samples of the dictionary', 'a number, 0 or more', samples);
  const product = kernels.multiply(encoder, atoms, 'nt');
  const error = maxDifference(product, identity(product.rows));
  const mustBe = 'orthonormal, or have an encoder that is their inverse';
  demand(error <= INVERSE, who, 'atoms', mustBe, `an error of ${error.toPrecision(2)}`);
}
