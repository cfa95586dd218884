/** Learns a dictionary from patches of the picture, step by step, and codes the picture in it, in PCA and in the DCT. */
import {
  type Colour,
  InputError,
  type LearnResult,
  learnSteps,
  type Matrix,
  type Matrix64,
  type PatchShape,
  type Picture,
  type Progress,
  patchesOf,
  type Source,
} from 'orthodict';
import { inColour, memorySource, pcaAtoms, shareMatrix } from 'orthodict/extend';
import { sleep } from '../../breathe.ts';
import type { Job, JobContext } from '../../context.ts';
import type { JobProgress } from '../../session.svelte.ts';
import { cosines, normOfCodes, withoutMeans } from './bases.ts';
import { bitmapOf } from './bitmaps.ts';
import { BASES, type BasisName, made, studio } from './studio.ts';
import { TileCodes, tilesOf } from './tiles.ts';

export interface LearnRequest {
  readonly colour: Colour;
  /** Side of a patch in pixels. */
  readonly side: number;
  /** q, of the norm of the codes. */
  readonly norm: number;
  /** Largest number of patches to learn from. */
  readonly patches: number;
}

export interface LearnEvent {
  readonly progress: JobProgress;
  /** The present atoms, unordered. */
  readonly atoms?: Float32Array<ArrayBuffer>;
  /** Sparsity of the codes relative to those of the DCT. */
  readonly sparsity?: number;
  /** Sparsity of the codes of PCA relative to those of the DCT, reported once. */
  readonly pcaSparsity?: number;
}

export interface LearnedPicture {
  readonly patch: PatchShape;
  /** Atoms by descending energy. */
  readonly atoms: Float32Array;
  /** The share of the energy, by atom. */
  readonly energies: readonly number[];
  readonly original: ImageBitmap;
  readonly width: number;
  readonly height: number;
  /** Number of patches learned from. */
  readonly patches: number;
  readonly iterations: number;
  readonly threads: number;
  readonly status: LearnResult['status'];
  /** PSNR in dB for k = 1 … n codes of every tile, by basis. */
  readonly psnr: Readonly<Record<BasisName, readonly number[]>>;
}

/** Milliseconds per step: at most 30 steps a second, so that eyes can follow. */
const PACE = 33;
/** Number of patches for measuring sparsity during learning, without their brightness, which would hide the rest. */
const WATCHED = 1000;

export const learnPicture: Job<LearnRequest, LearnEvent, LearnedPicture> = async (request, context) => {
  const { colour, side, patches: limit } = request;
  const picture = inColour(made('picture', 'a picture'), colour) as Picture;
  const { width, height } = picture;
  if (Math.min(width, height) < side) {
    throw new InputError(
      `Your picture: must be at least as large as a patch, ${side}×${side}; got ${width}×${height}.`,
    );
  }
  const patch: PatchShape = { width: side, height: side, channels: picture.channels ?? 1 };
  const patches = shareMatrix(patchesOf(picture, { width: side, limit }));
  context.emit({ progress: { words: `Looking at ${patches.rows.toLocaleString('en')} patches` } });
  const pca = await pcaAtoms(patches);
  const dct = cosines(side, patch.channels);
  const few = withoutMeans(patchesOf(picture, { width: side, limit: WATCHED }), patch.channels);
  const watch = watcher(few, dct, request.norm, context);
  context.emit({ progress: { words: 'Starting' }, pcaSparsity: watch(pca) });
  const result = await watched({ ...memorySource(patches), patch }, request, context, watch);
  context.emit({ progress: { words: 'Comparing with PCA and DCT' } });
  const bases = { learned: result.dictionary.atoms, pca, dct };
  const tiles = tilesOf(picture, side);
  const codes = {} as Record<BasisName, TileCodes>;
  for (const name of BASES) codes[name] = await TileCodes.of(tiles, bases[name]);
  context.signal.throwIfAborted();
  studio.learned = { picture, side, result, codes };
  return told(picture, patch, result, codes);
};

async function told(
  picture: Picture,
  patch: PatchShape,
  result: LearnResult,
  codes: Readonly<Record<BasisName, TileCodes>>,
): Promise<LearnedPicture> {
  const { dictionary, energies, samples, iterations, threads, status } = result;
  const psnr = Object.fromEntries(BASES.map((name) => [name, psnrByCodes(codes[name], dictionary.features)]));
  return {
    patch,
    atoms: Float32Array.from(dictionary.atoms.data),
    energies: Array.from(energies ?? []),
    original: await bitmapOf(picture),
    width: picture.width,
    height: picture.height,
    patches: samples,
    iterations,
    threads,
    status,
    psnr: psnr as Record<BasisName, number[]>,
  };
}

/** PSNR from the energy of the omitted codes, and of rounding to whole numbers (1/12 for each). */
function psnrByCodes({ left, tiles }: TileCodes, n: number): number[] {
  return Array.from(left.subarray(1), (energy) => 10 * Math.log10(255 ** 2 / (energy / (tiles * n) + 1 / 12)));
}

/** Measures how sparse the codes of a few patches are, relative to those of the DCT. */
function watcher(patches: Matrix, dct: Matrix64, norm: number, { executor: { kernels } }: JobContext<LearnEvent>) {
  const known = normOfCodes(patches, dct, norm, kernels);
  return (atoms: Matrix64) => (known > 0 ? normOfCodes(patches, atoms, norm, kernels) / known : Number.NaN);
}

/** Learns, and reports after every step. */
async function watched(
  source: Source,
  { norm }: LearnRequest,
  context: JobContext<LearnEvent>,
  watch: (atoms: Matrix64) => number,
): Promise<LearnResult> {
  const { executor, signal, turn } = context;
  const steps = learnSteps(source, { norm }, { executor, signal });
  let count = 0;
  await turn();
  for (;;) {
    const started = performance.now();
    const { done, value } = await steps.next();
    signal.throwIfAborted();
    if (done) return value;
    if (value.iteration === 0) continue;
    emitStep(value, ++count, context, watch);
    await sleep(PACE - (performance.now() - started));
    await turn();
  }
}

function emitStep(
  { atoms }: Progress,
  count: number,
  { emit }: JobContext<LearnEvent>,
  watch: (atoms: Matrix64) => number,
): void {
  const progress = { words: `Step ${count}` };
  const now = atoms?.();
  if (!now) {
    emit({ progress });
    return;
  }
  const shown = Float32Array.from(now.data);
  emit({ progress, atoms: shown, sparsity: watch(now) }, [shown.buffer]);
}
