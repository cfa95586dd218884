/** `orthodict image compress` and `orthodict image restore`. */
import { Command } from 'commander';
import { checkWritable } from '../../node/io/atomic-write.ts';
import { loadPicture, savePicture } from '../../node/io/picture-archive.ts';
import { checkPicturePath, readPicture, writePicture } from '../../node/io/picture-file.ts';
import { compressPicture } from '../../node/models.ts';
import { compressOptions, restorePicture } from '../../pictures/compress.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { addOptions, optionsFrom } from '../terminal/option-flags.ts';
import { formatNumber, printFacts, printJson } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addThreadFlags, type ThreadFlags } from '../terminal/run-flags.ts';

const WHO = 'image compress';

interface CompressFlags extends ThreadFlags {
  readonly out: string;
  readonly json?: boolean;
}

export function compressCommand(): Command {
  const command = new Command('compress')
    .description('Store a picture as a few codes in a dictionary learned from it.')
    .argument('<IN.png>', 'a picture: .png .jpg .webp .tiff, or .npy of pixels')
    .requiredOption('--out <f.npz>', 'the file to write; image restore reads it');
  addOptions(command, WHO, compressOptions.table).option('--json', 'print one JSON object');
  return addThreadFlags(command, WHO)
    .addHelpText('after', '\nExample:\n  orthodict image compress photo.png --quality 40 --out photo.npz')
    .action((path: string, flags: CompressFlags) => compress(path, flags, command));
}

async function compress(path: string, flags: CompressFlags, command: Command): Promise<void> {
  const { out, json } = flags;
  await checkOutputs(WHO, { out });
  const options = optionsFrom(command, compressOptions.table);
  compressOptions.settle(WHO, options);
  const { threads, backend } = flags;
  const picture = await readPicture(path);
  const line = progressLine();
  const { compressed, psnr, nonzeros, seconds } = await interruptible((signal) =>
    compressPicture(picture, options, { threads, backend, signal, onProgress: line.update }).finally(line.clear),
  );
  const bytes = await savePicture(out, compressed);
  const { width, height, channels = 1 } = picture;
  const pixels = width * height;
  const facts = { out, width, height, channels, bytes, bitsPerPixel: (8 * bytes) / pixels, psnr, nonzeros, seconds };
  if (json) return printJson(facts);
  printFacts([
    ['file', `${out}: ${formatNumber(bytes)} bytes, ${facts.bitsPerPixel.toFixed(2)} bits per pixel`],
    ['quality', Number.isFinite(psnr) ? `PSNR ${psnr.toFixed(2)} dB` : 'lossless'],
    ['codes', `${formatNumber(nonzeros)} non-zero, ${(nonzeros / pixels / channels).toFixed(3)} per number`],
    ['time', `${seconds.toFixed(1)} s`],
  ]);
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restore a picture from a file that image compress wrote.')
    .argument('<f.npz>', 'a compressed picture')
    .requiredOption('--out <OUT.png>', 'the picture to write, in the format of its name')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  orthodict image restore photo.npz --out again.png')
    .action(async (path: string, { out, json }: { out: string; json?: boolean }) => {
      await checkPicturePath(out);
      await checkWritable(out);
      const picture = await restorePicture(await loadPicture(path));
      await writePicture(out, picture);
      const { width, height, channels = 1 } = picture;
      if (json) printJson({ out, width, height, channels });
      else printFacts([['picture', `${out}: ${width} × ${height}, ${channels === 1 ? 'grey' : 'colour'}`]]);
    });
}
