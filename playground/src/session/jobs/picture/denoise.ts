/** Adds noise to the picture, unless it is noisy already, and removes it: with learned dictionaries, and with the DCT alone. */
import { type Colour, denoise, generate, metrics, type Picture } from 'orthodict';
import { inColour } from 'orthodict/extend';
import type { Job } from '../../context.ts';
import type { JobProgress } from '../../session.svelte.ts';
import { type View, viewOf } from './bitmaps.ts';
import { toBytes } from './pixels.ts';
import { type DenoisedName, made, studio } from './studio.ts';
import { Tally } from './tally.ts';

export interface DenoiseRequest {
  readonly colour: Colour;
  /** Standard deviation of the noise to add, with white = 255; absent if the picture is noisy already. */
  readonly sigma?: number | undefined;
}

/** How close a picture is to the one without noise. */
export interface Closeness {
  /** Peak signal-to-noise ratio in decibels. */
  readonly psnr: number;
  /** Structural similarity; absent for pictures of fewer than 11 pixels in a direction. */
  readonly ssim?: number | undefined;
}

export interface DenoiseEvent {
  readonly progress?: JobProgress;
  /** A finished picture, and how close it is, if the picture without noise is known. */
  readonly done?: DenoisedName;
  readonly closeness?: Closeness;
}

export interface DenoiseTold {
  /** Standard deviation of the noise, estimated from the noisy picture. */
  readonly sigma: number;
}

const SEED = 1;
/** Pixels between patches: faster than using every place, and a little worse. */
const STRIDE = 2;

export const denoisePicture: Job<DenoiseRequest, DenoiseEvent, DenoiseTold> = async (
  { colour, sigma: added },
  { executor, signal, emit },
) => {
  const reference = inColour(made('picture', 'a picture'), colour) as Picture;
  const noisy = added === undefined ? reference : withNoise(reference, added);
  const pictures: Partial<Record<DenoisedName, Picture>> = {};
  studio.denoised = { reference, pictures };
  const finish = (name: DenoisedName, picture: Picture) => {
    pictures[name] = picture;
    emit({ done: name, ...(added !== undefined && { closeness: close(reference, picture) }) });
  };
  finish('noisy', noisy);
  const tally = new Tally(reference.channels ?? 1, (progress) => emit({ progress }));
  const run = { executor: tally.watching(executor), signal };
  const { picture, sigma } = await denoise(noisy, { bases: 'both', stride: STRIDE }, run);
  finish('both', picture);
  finish('dct', (await denoise(noisy, { bases: 'dct', stride: STRIDE }, run)).picture);
  return { sigma };
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
    psnr: metrics.psnr(pixels, picture.pixels),
    ...(isLarge && { ssim: metrics.ssim(pixels, picture.pixels, { width, height, channels }) }),
  };
}

/** Shows the pictures of the last run that are finished. */
export const showDenoised: Job<{ readonly view: View }, never, DenoisedViews> = async ({ view }) => {
  const { reference, pictures } = made('denoised', 'a denoised picture');
  const views: Record<string, ImageBitmap> = {};
  for (const [name, picture] of Object.entries(pictures)) views[name] = await viewOf(view, picture, reference);
  return views;
};

export type DenoisedViews = Partial<Readonly<Record<DenoisedName, ImageBitmap>>>;
