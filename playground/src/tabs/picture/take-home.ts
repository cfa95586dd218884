/** What the user can take home from a picture: files, the same run on the command line and in code. */
import { counted } from '../../parts/numbers.ts';
import type { PictureFile } from '../../session/jobs/picture/files.ts';
import { Work } from '../../session/session.svelte.ts';
import type { TakeHome, TakeHomeFile } from '../../take-home.svelte.ts';
import type { Desk } from './desk.svelte.ts';
import { decibels } from './figures.ts';
import type { PictureSettings } from './settings.ts';

/** The offer of the tab; undefined until something has been learned. */
export function takeHome(desk: Desk, hash: string): TakeHome | undefined {
  const { learned, settings, opened, finished } = desk;
  if (!learned || !opened) return undefined;
  const isDenoised = finished.both !== undefined;
  return {
    summary: summaryOf(desk),
    files: filesOf(settings.k, isDenoised),
    command: commandOf(settings, isDenoised),
    snippet: nodeSnippet(settings),
    inBrowser: browserSnippet(settings),
    hash,
  };
}

function summaryOf({ learned, settings, opened, rebuilt }: Desk): string {
  const { side, colour } = settings;
  const atoms = `${counted(learned!.energies.length, 'atom')} of ${side}×${side} pixels in ${colour === 'grey' ? 'grey' : 'colour'}`;
  const from = `${counted(learned!.patches, 'patch', 'patches')} of ${opened!.name} in ${counted(learned!.iterations, 'step')}`;
  const psnr = rebuilt.value
    ? ` From ${counted(rebuilt.value.k, 'code')} of every patch the picture is rebuilt with a PSNR of ${decibels(rebuilt.value.psnr.learned)}.`
    : '';
  return `${atoms}, learned from ${from}.${psnr}`;
}

function filesOf(k: number, isDenoised: boolean): TakeHomeFile[] {
  const file = (name: string, about: string, request: PictureFile): TakeHomeFile => ({
    name,
    about,
    make: () => made(request),
  });
  return [
    file('model.npz', 'The dictionary. The command line and NumPy open it.', { file: 'model' }),
    file('atoms.png', 'All atoms as a picture, those with the most energy first.', { file: 'atoms' }),
    file('picture.png', 'The picture as it was used here, for the command line.', { file: 'picture' }),
    file(`rebuilt-${k}.png`, `The picture from ${counted(k, 'learned code')} of every patch.`, { file: 'rebuilt', k }),
    ...(isDenoised
      ? [
          file('noisy.png', 'The picture with its noise.', { file: 'noisy' }),
          file('denoised.png', 'The picture without it.', { file: 'denoised' }),
        ]
      : []),
  ];
}

/** Makes a file in the session, where the pictures are. */
async function made(request: PictureFile): Promise<Blob> {
  const work = new Work('pictureFile');
  const blob = await work.start(request);
  if (!blob) throw new Error(work.error ?? 'it was cancelled.');
  return blob;
}

function commandOf({ side, colour, norm, patches, k }: PictureSettings, isDenoised: boolean): string {
  const colours = colour === 'rgb' ? ' --color rgb' : '';
  const norms = norm === 4 ? '' : ` --norm ${norm}`;
  return [
    `orthodict learn picture.png --patches ${side}x${side}${colours} --limit ${patches}${norms} --out model.npz`,
    'orthodict inspect model.npz --atoms atoms.png',
    `orthodict encode model.npz picture.png --stride ${side} --keep ${k} --out codes.npz`,
    ...(isDenoised ? ['orthodict image denoise noisy.png --stride 2 --out denoised.png'] : []),
  ].join('\n');
}

/** How the picture is read, and the options of learning, as code. */
function optionsOf({ side, colour, norm, patches }: PictureSettings): { pictures: string; options: string } {
  const colours = colour === 'rgb' ? ", color: 'rgb'" : '';
  return {
    pictures: `{ patches: { width: ${side}, height: ${side} }, limit: ${patches}${colours} }`,
    options: norm === 4 ? '{}' : `{ norm: ${norm} }`,
  };
}

function nodeSnippet(settings: PictureSettings): string {
  const { pictures, options } = optionsOf(settings);
  return `import { learn, openSource, saveModel } from 'orthodict/node';

const patches = await openSource('picture.png', { pictures: ${pictures} });
const result = await learn(patches, ${options});
await saveModel('model.npz', result);`;
}

function browserSnippet(settings: PictureSettings): string {
  const { pictures, options } = optionsOf(settings);
  return `import { createBrowserExecutor, learn, openSource } from 'orthodict/browser';

const [file] = document.querySelector('input[type=file]').files;
const patches = await openSource(file, { pictures: ${pictures} });
const executor = await createBrowserExecutor();
const { dictionary } = await learn(patches, ${options}, { executor });`;
}
