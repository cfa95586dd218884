/** Adds noise to the picture, or takes it as noisy, and takes the noise out: with learned dictionaries and by the DCT alone. */
import { denoise, type Executor, generate, type Picture, psnr, ssim } from 'orthodict';
import type { Job } from '../../context.ts';
import type { JobProgress } from '../../session.svelte.ts';
import { type View, viewOf } from './bitmaps.ts';
import { inColour, toBytes } from './pixels.ts';
import { type Colour, made, studio } from './studio.ts';

export interface DenoiseRequest {
  readonly colour: Colour;
  /** Standard deviation of the noise to add, of 255; absent: the picture is noisy already. */
  readonly sigma?: number | undefined;
}

/** How close a picture is to the one before the noise. */
export interface Closeness {
  /** In decibels. */
  readonly psnr: number;
  /** Absent for pictures of fewer than 11 pixels in a direction. */
  readonly ssim?: number | undefined;
}

export const DENOISED = ['noisy', 'both', 'dct'] as const;
export type DenoisedName = (typeof DENOISED)[number];

export interface DenoiseTold {
  /** Of the noise, as estimated from the noisy picture. */
  readonly sigma: number;
  /** Seconds with learned dictionaries. */
  readonly seconds: number;
  /** Absent where nobody knows the picture without noise. */
  readonly closeness?: Readonly<Record<DenoisedName, Closeness>>;
}

const SEED = 1;
const STAGES = 2;

export const denoisePicture: Job<DenoiseRequest, { readonly progress: JobProgress }, DenoiseTold> = async (
  { colour, sigma },
  { executor, signal, emit },
) => {
  const picture = inColour(made('picture', 'a picture'), colour);
  const noisy = sigma === undefined ? picture : withNoise(picture, sigma);
  const [bases, planes] = [['both', 'dct'] as const, picture.channels ?? 1];
  let words = '';
  const tell = (fraction: number) => emit({ progress: { words, fraction } });
  const counted = counting(executor, bases.length * planes * STAGES, tell);
  const clean = { sigma: 0, seconds: 0, both: noisy, dct: noisy };
  for (const name of bases) {
    words = name === 'both' ? 'Taking noise out with learned atoms' : 'The same with the DCT alone';
    const { picture: result, ...figures } = await denoise(noisy, { bases: name }, { executor: counted, signal, onProgress: ({ solver }) => emit({ progress: { words: solver } }) });
    Object.assign(clean, { [name]: result }, name === 'both' && figures);
  }
  const { both, dct } = clean;
  studio.denoised = { reference: picture, noisy, both, dct };
  const closeness = { noisy: close(picture, noisy), both: close(picture, both), dct: close(picture, dct) };
  return { sigma: clean.sigma, seconds: clean.seconds, ...(sigma !== undefined && { closeness }) };
};

/** Normal noise, then whole numbers from black to white, as in a file. Codes without zeros (θ = 1) are normal numbers. */
function withNoise(picture: Picture, sigma: number): Picture {
  const { pixels, width, height, channels = 1 } = picture;
  const { codes } = generate({ samples: width * height, features: channels, theta: 1, seed: SEED });
  return { ...picture, pixels: toBytes(Float32Array.from(pixels, (value, k) => value + sigma * codes.data[k])) };
}

function close(reference: Picture, picture: Picture): Closeness {
  const { width, height, channels, pixels } = reference;
  const isLarge = Math.min(width, height) >= 11;
  return {
    psnr: psnr(pixels, picture.pixels),
    ...(isLarge && { ssim: ssim(pixels, picture.pixels, { width, height, channels }) }),
  };
}

/** The same executor; tells after every piece of a map how much of all `maps` is done. */
function counting(executor: Executor, maps: number, tell: (fraction: number) => void): Executor {
  let begun = 0;
  return {
    ...executor,
    async *map(pass, params, source, signal) {
      const map = begun++;
      const pieces = source.ranges?.length ?? 1;
      let done = 0;
      for await (const piece of executor.map(pass, params, source, signal)) {
        tell((map + ++done / pieces) / maps);
        yield piece;
      }
    },
  };
}

/** The pictures of the last run. */
export const showDenoised: Job<{ readonly view: View }, never, Readonly<Record<DenoisedName, ImageBitmap>>> = async ({
  view,
}) => {
  const { reference, ...pictures } = made('denoised', 'a denoised picture');
  const [noisy, both, dct] = await Promise.all(DENOISED.map((name) => viewOf(view, pictures[name], reference)));
  return { noisy, both, dct };
};
