/** File extensions of pictures; apart from the code that reads them, which few runs need. */
import { fileName } from '../../bytes/spec.ts';

/** File name extensions of pictures. */
export const PICTURES = ['.png', '.jpg', '.jpeg', '.webp', '.tif', '.tiff'] as const;

export const isPictureName = (path: string): boolean =>
  PICTURES.some((known) => fileName(path).toLowerCase().endsWith(known));
