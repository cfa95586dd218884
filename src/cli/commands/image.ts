/** `orthodict image`: denoise, compress and restore pictures. */
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import { quoted } from '../../core/printable.ts';
import { compressCommand, restoreCommand } from './image-compress.ts';
import { denoiseCommand } from './image-denoise.ts';

export function imageCommand(): Command {
  return new Command('image')
    .argument('[WHAT]')
    .usage('[options] <denoise|compress|restore>')
    .action((what?: string) => {
      throw new InputError(
        `image: must be followed by denoise, compress or restore; got ${what ? quoted(what) : 'nothing'}.`,
      );
    })
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
