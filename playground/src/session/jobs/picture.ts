/** The jobs of the tab "picture". */
import { denoisePicture, showDenoised } from './picture/denoise.ts';
import { pictureFile } from './picture/files.ts';
import { learnPicture } from './picture/learn.ts';
import { openPicture } from './picture/open.ts';
import { rebuildPicture, whereUsed } from './picture/rebuild.ts';

export const pictureJobs = {
  openPicture,
  learnPicture,
  rebuildPicture,
  whereUsed,
  denoisePicture,
  showDenoised,
  pictureFile,
};
