/** `orthodict image`: denoise, compress and restore pictures. */
import { Command } from 'commander';
import { compressCommand, restoreCommand } from './image-compress.ts';
import { denoiseCommand } from './image-denoise.ts';

export function imageCommand(): Command {
  return new Command('image')
    .usage('<denoise|compress|restore> <PICTURE>')
    .addCommand(denoiseCommand())
    .addCommand(compressCommand())
    .addCommand(restoreCommand())
    .addHelpText(
      'after',
      `
Examples:
  orthodict image denoise noisy.png --out clean.png
  orthodict image compress photo.png --quality 40 --out photo.npz
  orthodict image restore photo.npz --out again.png`,
    );
}
