/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */
import type { Dictionary } from '../dictionaries/dictionary.ts';

/** The options of `compressPicture`. */
export interface CompressOptions {
  /** Peak signal-to-noise ratio of the restored picture in decibels; default: 38. */
  readonly quality?: number | undefined;
  /** Keep the K largest codes of every tile, instead of reaching a quality. */
  readonly keep?: number | undefined;
  /** Side of the square tiles in pixels. Default: `8`. */
  readonly patch?: number | undefined;
  /** learned: a dictionary of the tiles; dct: the cosine transform, for comparison. Default: `'learned'`. */
  readonly basis?: 'learned' | 'dct' | undefined;
  /** Seed of the random start of learning. Default: `0`. */
  readonly seed?: number | undefined;
}

/** The options of `denoise`. */
export interface DenoiseOptions {
  /**
   * Standard deviation of the noise on a scale where white is 255, whatever the bit depth; auto: estimated. Default:
   * `'auto'`.
   */
  readonly sigma?: number | 'auto' | undefined;
  /** Side of the square patches in pixels; 1.5 times as large in the second stage. Default: `8`. */
  readonly patch?: number | undefined;
  /** Pixels between patches; 2 or 3 are a little faster and a little worse. Default: `1`. */
  readonly stride?: number | undefined;
  /**
   * learned: a dictionary of the patches; dct: the cosine transform; both: the average of the two. Default: `'both'`.
   */
  readonly bases?: 'both' | 'learned' | 'dct' | undefined;
  /** Seed of the random start of learning. Default: `0`. */
  readonly seed?: number | undefined;
  /** A dictionary in which patches of patch×patch pixels are sparse; default: learned from the picture. */
  readonly dictionary?: Dictionary | undefined;
}
