/** What reading pictures takes: their file extensions, options, a decoder; apart from the code that reads them, which few runs need. */
import type { PatchShape } from '../../../engine/source/source.ts';
import type { Colour } from '../../../pictures/colour.ts';
import type { Picture, Pixels } from '../../../pictures/picture.ts';
import type { Bytes } from '../../bytes/bytes.ts';
import { fileName } from '../../bytes/spec.ts';

/** File name extensions of pictures. */
export const PICTURES = ['.png', '.jpg', '.jpeg', '.webp', '.tif', '.tiff'] as const;

export const isPictureName = (path: string): boolean =>
  PICTURES.some((known) => fileName(path).toLowerCase().endsWith(known));

/** Size of a picture as displayed, before it is read. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Decoder of pictures on this platform. */
export interface PictureDecoder {
  /** Decodes the whole picture. */
  decode(bytes: Bytes): Promise<Picture<Pixels>>;
  size(bytes: Bytes): Promise<PictureSize>;
}

/** Options for cutting pictures into samples. */
export interface PatchReading {
  /** Width and height of a patch in pixels; default: 8×8. */
  readonly patches?: { readonly width: number; readonly height: number } | undefined;
  /** Pixels from one patch to the next; default: 1. */
  readonly stride?: number | undefined;
  /** Most patches to take, spread evenly over all pictures; Infinity: all of them. Default: 100,000. */
  readonly limit?: number | undefined;
  /** Grey or colour; default: grey. */
  readonly color?: Colour | undefined;
  /** Patch shape of a model: it is the default shape, and all patches are taken by default. */
  readonly like?: PatchShape | undefined;
  /** Seed of the choice of patches if there are more than `limit`. */
  readonly seed?: number | undefined;
}
