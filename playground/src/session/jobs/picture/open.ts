/** Reads the picture that the user has chosen. */
import { readPicture } from 'orthodict/browser';
import type { Job } from '../../context.ts';
import { inBytes, scaledDown } from './pixels.ts';
import { studio } from './studio.ts';

export interface OpenedPicture {
  readonly width: number;
  readonly height: number;
  /** Original size, if the picture was larger. */
  readonly from?: { readonly width: number; readonly height: number };
}

/** Larger pictures are scaled down: learning needs no more, and drawing stays quick. */
const MOST_PIXELS = 1 << 20;

export const openPicture: Job<{ readonly blob: Blob }, never, OpenedPicture> = async ({ blob }, { signal }) => {
  const read = inBytes(await readPicture(blob, { color: 'rgb', signal }));
  signal.throwIfAborted();
  const picture = scaledDown(read, MOST_PIXELS);
  studio.picture = picture;
  studio.learned = undefined;
  studio.denoised = undefined;
  const { width, height } = picture;
  return { width, height, ...(picture !== read && { from: { width: read.width, height: read.height } }) };
};
