/**
 * Denoises a picture with bases learned from its patches, in two stages over overlapping patches at every place (shrink-pass.ts):
 * the first learns a dictionary from the noisy patches and keeps the large codes of each; the second learns another, of larger
 * patches, from this estimate, and shrinks the codes of the noisy patches by what the estimate says about their size. The cosine
 * transform is a second basis in both stages: the two err in different places, and their mean errs less.
 */
import { inputError } from '../core/errors.ts';
import { type Matrix, norm, row, transpose } from '../core/matrix.ts';
import {
  choice,
  count,
  defineOptions,
  notNegativeOrWord,
  type OptionSpec,
  type SettingsOf,
  seed,
} from '../core/options.ts';
import { isMatrix } from '../core/require-matrix.ts';
import { sharedZeros } from '../core/shared-memory.ts';
import { dctAtoms } from '../dictionaries/dct.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { Run, type RunOptions } from '../engine/run.ts';
import { memorySource } from '../engine/source/memory.ts';
import { inColour, withoutEqualColours } from './colour.ts';
import { pictureOfPlanes, planesOf } from './colour-planes.ts';
import { learnPatches } from './learn-patches.ts';
import { noiseLevel } from './noise-level.ts';
import type { DenoiseOptions } from './option-types.ts';
import { patchPlaces } from './patch-grid.ts';
import { type Picture, type Pixels, requirePatch, requirePicture } from './picture.ts';
import { addBand, type PatchBasis, type ShrinkParams, shrinkPass } from './shrink-pass.ts';

const isDictionary = (value: unknown): value is Dictionary =>
  isMatrix((value as Partial<Dictionary> | null)?.atoms) && 'transform' in (value as Dictionary);

/** The options of `denoise`. */
export const denoiseOptions = defineOptions({
  sigma: notNegativeOrWord(['auto'], {
    placeholder: 'S',
    default: 'auto',
    help: 'standard deviation of the noise on a scale where white is 255, whatever the bit depth; auto: estimated',
  }),
  patch: count(
    {
      placeholder: 'SIDE',
      default: 8,
      help: 'side of the square patches in pixels; 1.5 times as large in the second stage',
    },
    2,
    16,
  ),
  stride: count(
    { placeholder: 'S', default: 1, help: 'pixels between patches; 2 or 3 are a little faster and a little worse' },
    1,
    16,
  ),
  bases: choice(['both', 'learned', 'dct'], {
    placeholder: 'WHICH',
    default: 'both',
    help: 'learned: a dictionary of the patches; dct: the cosine transform; both: the average of the two',
  }),
  seed: seed('seed of the random start of learning'),
  dictionary: {
    is: isDictionary,
    mustBe: 'a dictionary',
    default: undefined,
    help: 'a dictionary in which patches of patch×patch pixels are sparse; default: learned from the picture',
    type: 'Dictionary',
  } satisfies OptionSpec<Dictionary, undefined>,
});

type DenoiseSettings = SettingsOf<typeof denoiseOptions.table>;

/** A denoised picture. */
export interface DenoiseResult<P extends Pixels> {
  readonly picture: Picture<P>;
  /** Standard deviation of the noise, given or estimated, with white = 255. If it is 0, the picture is unchanged. */
  readonly sigma: number;
  readonly seconds: number;
}

const THRESHOLD = 2.4;
/** Factor of the patch side in the second stage, where less noise hides the structure. */
const LARGER = 1.5;
/** Number of rows of patches computed at a time. */
const BAND = 16;

/**
 * Denoises a picture: grey or colour, with 8 or 16 bits or numbers from 0 to 1.
 *
 * @example
 * ```js
 * import { denoise } from 'orthodict';
 *
 * const pixels = Uint8Array.from({ length: 64 * 64 }, (_, k) => 128 + 40 * Math.sign(k % 64 - 32) + 20 * Math.sin(k * k));
 * const { picture, sigma } = await denoise({ width: 64, height: 64, pixels });
 * console.log(picture.width, sigma > 10 && sigma < 18); // 64 true
 * ```
 */
export async function denoise<P extends Pixels>(
  picture: Picture<P>,
  options: DenoiseOptions = {},
  runOptions: RunOptions = {},
): Promise<DenoiseResult<P>> {
  const who = 'denoise';
  const settings = denoiseOptions.settle(who, options);
  requirePicture(who, picture);
  const { patch, stride, bases, dictionary } = settings;
  requirePatch(who, picture, patch);
  if (stride > patch) throw inputError(who, 'stride', `at most ${patch}, the side of a patch`, stride);
  if (dictionary && bases === 'dct') throw inputError(who, 'bases', 'learned or both with a dictionary', bases);
  const given = dictionary && basisOf(who, dictionary, patch);
  const run = await Run.start(who, runOptions);
  const seen = withoutEqualColours(picture); // a grey picture has one noise, not three
  run.begin('noise');
  const sigma = settings.sigma === 'auto' ? noiseLevel(seen, run.kernels) : settings.sigma;
  if (sigma === 0) return { picture: { ...picture, pixels: picture.pixels.slice() as P }, sigma, seconds: run.seconds };
  const planes = planesOf(seen);
  const clean: Matrix[] = [];
  for (const [k, plane] of planes.entries()) {
    const name = planes.length === 1 ? '' : `plane ${k + 1} of ${planes.length}, `;
    clean.push(await denoisePlane({ plane, sigma, settings, given, run, name }));
  }
  const { channels = 1, pixels, alpha } = picture;
  const found = inColour(pictureOfPlanes(clean, pixels), channels === 1 ? 'grey' : 'rgb');
  return { picture: { ...found, ...(alpha && { alpha }) }, sigma, seconds: run.seconds };
}

interface Job {
  readonly plane: Matrix<Float32Array>;
  readonly sigma: number;
  readonly settings: DenoiseSettings;
  /** A basis to use instead of learned ones. */
  readonly given: PatchBasis | undefined;
  readonly run: Run;
  /** Name of the plane in progress reports. */
  readonly name: string;
}

async function denoisePlane(job: Job): Promise<Matrix> {
  const { plane, settings, given } = job;
  const { patch } = settings;
  const first = await stage(job, patch, plane, 'first stage');
  const larger = Math.min(Math.round(LARGER * patch), plane.rows, plane.cols);
  return stage(job, given ? patch : larger, first, 'second stage', first);
}

/** Denoises one plane in one stage. `model`: the plane from which a dictionary is learned; `guide`: for the second stage. */
async function stage(
  { plane, sigma, settings, given, run, name }: Job,
  side: number,
  model: Matrix<Float32Array>,
  words: string,
  guide?: Matrix,
): Promise<Matrix<Float32Array>> {
  const { bases, seed, stride } = settings;
  const atoms = given || bases === 'dct' ? undefined : await learnPatches(model, side, seed, run);
  const own = given ?? (atoms && dictionaryBasis(atoms)); // undefined if there is nothing to learn from
  const cosines = own && bases === 'learned' ? undefined : dictionaryBasis(dctAtoms(side, side));
  const { lefts, tops } = patchPlaces('denoise', { width: plane.cols, height: plane.rows }, { width: side, stride });
  const params = {
    plane,
    guide,
    bases: [own, cosines].filter((basis) => basis !== undefined),
    sigma,
    threshold: THRESHOLD,
    patch: { width: side, height: side },
    places: { lefts, tops },
  };
  return shrink(params, run, `${name}${words}`);
}

/** The basis of a given dictionary. */
function basisOf(who: string, { transform, atoms, features }: Dictionary, side: number): PatchBasis {
  if (features !== side * side || atoms.rows > features) {
    const got = `${atoms.rows} atoms of ${features} values`;
    throw inputError(who, 'dictionary', `at most ${side * side} atoms of ${side}×${side} pixels`, got);
  }
  return dictionaryBasis(atoms, transform.kind === 'dense' ? transform.encoder : atoms);
}

function dictionaryBasis(atoms: Matrix, encoder: Matrix = atoms): PatchBasis {
  return {
    encoder,
    synthesis: transpose(atoms),
    noise: Float64Array.from({ length: encoder.rows }, (_, k) => norm(row(encoder, k))),
  };
}

/** Runs one stage over all rows of patches. */
async function shrink(params: ShrinkParams, run: Run, name: string): Promise<Matrix<Float32Array>> {
  const { plane, places } = params;
  const ranges = [];
  for (let start = 0; start < places.tops.length; start += BAND) {
    ranges.push({ start, end: Math.min(start + BAND, places.tops.length) });
  }
  const rows = { ...memorySource(sharedZeros(places.tops.length, 1, 'f32')), ranges };
  const out = sharedZeros(plane.rows, plane.cols, 'f32') as Matrix<Float32Array>;
  const whole = { top: 0, width: plane.cols, sums: out.data, weights: new Float32Array(out.data.length) };
  let done = 0;
  for await (const band of run.executor.map(shrinkPass, params, rows, run.signal)) {
    run.begin(`${name}, ${Math.round((100 * done++) / ranges.length)} %`);
    addBand(whole, band);
  }
  for (let k = 0; k < out.data.length; k++) out.data[k] /= whole.weights[k];
  return out;
}
