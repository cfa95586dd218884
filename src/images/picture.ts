/** Pictures in memory: 8 bits per value, row by row from the top. */

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** width · height · channels values. */
  readonly pixels: Uint8Array;
  /** 1 (grey, the default) or 3 (interleaved red, green, blue). */
  readonly channels?: 1 | 3;
}
