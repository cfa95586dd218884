import { readWavHeader } from '../../io/codecs/wav/header.ts';
import { withBytes } from './arrays.ts';

/** Returns the frames per second of a WAV file. */
export const wavRate = (path: string): Promise<number> =>
  withBytes(path, {}, async (bytes) => (await readWavHeader(bytes)).rate);
