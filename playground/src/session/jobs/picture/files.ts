/** The files to download: the model, its atoms as a picture, and the pictures. */
import { atomGallery, InputError, modelBlob, type Picture, pictureBlob } from 'orthodict/browser';
import type { Job } from '../../context.ts';
import { made } from './studio.ts';

export type PictureFile =
  | { readonly file: 'model' | 'atoms' | 'picture' | 'noisy' | 'denoised' }
  | { readonly file: 'rebuilt'; readonly k: number };

/** Pixels of the file per pixel of an atom. */
const ENLARGED = 6;

export const pictureFile: Job<PictureFile, never, Blob> = async (request) => {
  switch (request.file) {
    case 'model': {
      const { result } = made('learned', 'a learned dictionary');
      return modelBlob(result);
    }
    case 'atoms':
      return png(gallery());
    case 'rebuilt': {
      const { codes, picture, side } = made('learned', 'a learned dictionary');
      return png(codes.learned.rebuild(request.k, picture, side));
    }
    case 'picture':
      return png(made('picture', 'a picture'));
    default: {
      const { pictures } = made('denoised', 'a denoised picture');
      const picture = pictures[request.file === 'noisy' ? 'noisy' : 'both'];
      if (!picture) throw new InputError('Your picture: a denoised picture must be there first.');
      return png(picture);
    }
  }
};

function gallery(): Picture {
  const { result, picture, side } = made('learned', 'a learned dictionary');
  const channels = picture.channels ?? 1;
  return atomGallery(result.dictionary.atoms, { width: side, channels, scale: ENLARGED, gap: ENLARGED / 2 });
}

const png = (picture: Picture): Promise<Blob> => pictureBlob(picture, 'image/png');
