/** `orthodict image denoise`. */

import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import { psnr } from '../../metrics/psnr.ts';
import { ssim } from '../../metrics/ssim.ts';
import { checkSvg, writeSvg } from '../../node/chart.ts';
import { checkWritable } from '../../node/io/atomic-write.ts';
import { loadModel } from '../../node/io/model-file.ts';
import { checkPicturePath, readPicture, writePicture } from '../../node/io/picture-file.ts';
import { denoise } from '../../node/models.ts';
import { denoiseOptions } from '../../pictures/denoise.ts';
import { type Panel, panels } from '../../pictures/labelled-gallery.ts';
import { type Picture, type Pixels, pixelsLike, whiteOf } from '../../pictures/picture.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { addOptions, optionsFrom } from '../terminal/option-flags.ts';
import { formatNumber, printFacts, printJson, printRemark } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { addThreadFlags, type ThreadFlags } from '../terminal/run-flags.ts';

const WHO = 'image denoise';

interface Flags extends ThreadFlags {
  readonly out: string;
  readonly model?: string;
  readonly truth?: string;
  readonly picture?: string;
  readonly json?: boolean;
}

export function denoiseCommand(): Command {
  const command = new Command('denoise')
    .description('Denoise a picture with dictionaries learned from the picture itself.')
    .argument('<IN.png>', 'the noisy picture: .png .jpg .webp .tiff, or .npy of pixels')
    .requiredOption('--out <OUT.png>', 'the picture to write, in the format of its name');
  addOptions(command, WHO, denoiseOptions.table)
    .option('--model <model.npz>', 'use this dictionary of patches instead of learning one')
    .option('--truth <FILE>', 'the picture without noise; prints PSNR and SSIM')
    .option('--picture <FILE>', 'draw before, after and their difference, as .png or .svg')
    .option('--json', 'print one JSON object');
  return addThreadFlags(command, WHO)
    .addHelpText('after', EXAMPLES)
    .action((path: string, flags: Flags) => run(path, flags, command));
}

const EXAMPLES = `
Without --sigma, the standard deviation of the noise is estimated, on a scale where white is 255.

Examples:
  orthodict image denoise noisy.png --out clean.png
  orthodict image denoise noisy.png --sigma 25 --out clean.png --picture compare.png --truth original.png
  orthodict learn photos/ --patches 8x8 --out patches.npz
  orthodict image denoise noisy.jpg --model patches.npz --out clean.jpg`;

/** Remark if the estimate is 0. */
const UNCHANGED = 'no noise was found, so the picture is unchanged; give its strength with --sigma S';

async function run(path: string, flags: Flags, command: Command): Promise<void> {
  const { out, model, truth, picture } = flags;
  await checkPicturePath(out);
  await checkWritable(out);
  if (picture !== undefined) await checkSvg(picture);
  if (picture !== undefined) await checkWritable(picture);
  const options = optionsFrom(command, denoiseOptions.table);
  denoiseOptions.settle(WHO, options);
  const { threads, backend } = flags;
  const { dictionary, patch, remark } = model === undefined ? {} : await patchModel(model);
  const noisy = await readPicture(path, undefined, { transparency: 'keep' });
  const original =
    truth === undefined
      ? undefined
      : sameSize(await readPicture(truth, colourOf(noisy), { transparency: 'keep' }), noisy, truth);
  const line = progressLine();
  const found = await interruptible((signal) =>
    denoise(
      noisy,
      { ...(patch && { patch }), ...options, dictionary },
      { threads, backend, signal, onProgress: line.update },
    ).finally(line.clear),
  );
  if (remark) printRemark(`image denoise: ${model}: ${remark}.`);
  await writePicture(out, found.picture);
  const scores = original && { before: score(original, noisy), after: score(original, found.picture) };
  if (picture !== undefined) await writeSvg(picture, comparison(noisy, found.picture, original, scores), 1);
  report(noisy, found, scores, (options.sigma ?? 'auto') === 'auto', flags);
}

/** Prints what was done; `estimated`: whether the noise was. */
function report(
  { width, height, channels = 1 }: Picture<Pixels>,
  { sigma, seconds }: { readonly sigma: number; readonly seconds: number },
  scores: Scores | undefined,
  estimated: boolean,
  { out, picture, json }: Flags,
): void {
  const isUnchanged = estimated && sigma === 0;
  if (isUnchanged) printRemark(`${WHO}: ${UNCHANGED}.`);
  if (json) {
    const remarks = isUnchanged && { remarks: [UNCHANGED] };
    const facts = { out, width, height, channels, sigma, estimated, ...remarks, ...scores, seconds };
    printJson({ ...facts, ...(picture && { picture }) });
    return;
  }
  printFacts([
    ['picture', `${out}: ${width} × ${height}, ${channels === 1 ? 'grey' : 'colour'}`],
    ['noise', `standard deviation ${formatNumber(sigma)} of 255, ${estimated ? 'estimated' : 'as given'}`],
    ...(scores ? [['quality', `${inWords(scores.after)}; before: ${inWords(scores.before)}`] as const] : []),
    ...(picture ? [['drawn', picture] as const] : []),
    ['time', `${seconds.toFixed(1)} s`],
  ]);
}

/** Loads a dictionary of patches, with their side if the model stores it. */
async function patchModel(
  path: string,
): Promise<{ dictionary: Dictionary; patch?: number; remark?: string | undefined }> {
  const { dictionary, meta, remark } = await loadModel(path);
  if (!meta.patch) return { dictionary, remark };
  const { width, height, channels } = meta.patch;
  if (width === height && channels === 1) return { dictionary, patch: width, remark };
  const got = `${width} × ${height}${channels === 3 ? ' in colour' : ''}`;
  throw new InputError(`${path}: must be learned from square patches in grey; got ${got}.`);
}

const colourOf = ({ channels }: Picture<Pixels>): 'grey' | 'rgb' => (channels === 3 ? 'rgb' : 'grey');

function sameSize(truth: Picture<Pixels>, noisy: Picture<Pixels>, path: string): Picture<Pixels> {
  const size = ({ width, height }: Picture<Pixels>) => `${width} × ${height}`;
  if (size(truth) === size(noisy)) return truth;
  throw new InputError(`${path}: must be ${size(noisy)} pixels, as the noisy picture; got ${size(truth)}.`);
}

interface Score {
  readonly psnr: number;
  readonly ssim: number | null;
}

interface Scores {
  readonly before: Score;
  readonly after: Score;
}

const inWords = ({ psnr, ssim }: Score): string =>
  `PSNR ${psnr.toFixed(2)} dB${ssim === null ? '' : `, SSIM ${ssim.toFixed(4)}`}`;

/** PSNR and SSIM on a scale where white is 255, with values clamped as on a screen. */
function score(truth: Picture<Pixels>, picture: Picture<Pixels>): Score {
  const [reference, estimate] = [inBytes(truth), inBytes(picture)];
  const isLarge = Math.min(truth.width, truth.height) >= 11;
  return { psnr: psnr(reference, estimate), ssim: isLarge ? ssim(reference, estimate, truth) : null };
}

/** Pixels scaled to 0 … 255, not rounded. */
const inBytes = ({ pixels }: Picture<Pixels>): Float32Array => {
  const unit = 255 / whiteOf(pixels);
  return Float32Array.from(pixels, (value) => Math.min(Math.max(value * unit, 0), 255));
};

/** Factor by which differences are amplified in the drawing. */
const STRONGER = 3;

function comparison(
  noisy: Picture<Pixels>,
  clean: Picture<Pixels>,
  truth: Picture<Pixels> | undefined,
  scores: Scores | undefined,
): string {
  const [before, after] = [inBytes(noisy), inBytes(clean)];
  const shown = (values: Float32Array): Picture => ({
    width: noisy.width,
    height: noisy.height,
    channels: noisy.channels,
    pixels: pixelsLike(
      new Uint8Array(0),
      values.map((value) => value / 255),
    ),
  });
  const said = (words: string, of: Score | undefined) => (of ? `${words}: ${inWords(of)}` : words);
  const all: Panel[] = [
    { caption: said('before', scores?.before), picture: shown(before) },
    { caption: said('after', scores?.after), picture: shown(after) },
    {
      caption: `removed (before − after), amplified ${STRONGER} times; grey is 0`,
      picture: shown(before.map((value, k) => 128 + STRONGER * (value - after[k]))),
    },
    ...(truth ? [{ caption: 'the truth', picture: shown(inBytes(truth)) }] : []),
  ];
  return panels('Denoised by orthodict', all);
}
