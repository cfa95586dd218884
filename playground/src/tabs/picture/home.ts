/** What the user takes home from the tab. */

import type { PictureFile } from '../../session/jobs/picture/files.ts';
import { Work } from '../../session/session.svelte.ts';
import type { TakeHome, TakeHomeFile } from '../../take-home.svelte.ts';
import type { Desk } from './desk.svelte.ts';
import { decibels } from './figures.ts';

async function fileOf(request: PictureFile): Promise<Blob> {
  const work = new Work('pictureFile');
  const blob = await work.start(request);
  if (!blob) throw new Error(work.error ?? 'it was cancelled.');
  return blob;
}

/** What was learned, when something was. */
export function takeHome({ learned, settings, denoised, rebuilt, opened }: Desk, hash: string): TakeHome | undefined {
  if (!learned || !opened) return undefined;
  const { k, side, colour } = settings;
  const psnr = rebuilt.value?.psnr.learned;
  const summary =
    `${learned.energies.length} atoms of ${side}×${side} pixels in ${colour === 'grey' ? 'grey' : 'colour'}, learned from ` +
    `${learned.patches.toLocaleString('en')} patches of ${opened.name} in ${learned.iterations} steps.` +
    (psnr === undefined ? '' : ` With ${k} codes of every patch the picture is rebuilt to ${decibels(psnr)}.`);
  return {
    summary,
    files: filesOf(k, denoised !== undefined),
    command: commandOf(settings),
    snippet: snippetOf(settings),
    hash,
  };
}

function filesOf(k: number, isDenoised: boolean): TakeHomeFile[] {
  const file = (name: string, about: string, request: PictureFile): TakeHomeFile => ({
    name,
    about,
    make: () => fileOf(request),
  });
  return [
    file('model.npz', 'the dictionary, for the command line and for NumPy', { file: 'model' }),
    file('atoms.png', 'the atoms as a picture', { file: 'atoms' }),
    file('picture.png', 'the picture as it was used here', { file: 'picture' }),
    file(`rebuilt-${k}.png`, `the picture from ${k} learned codes of every patch`, { file: 'rebuilt', k }),
    ...(isDenoised
      ? [
          file('noisy.png', 'the picture with its noise', { file: 'noisy' }),
          file('denoised.png', 'the picture without it', { file: 'denoised' }),
        ]
      : []),
  ];
}

type Settings = Desk['settings'];

function commandOf({ side, colour, norm, patches, k, noise }: Settings): string {
  const flags = [
    `--patches ${side}x${side}`,
    ...(colour === 'rgb' ? ['--color rgb'] : []),
    `--limit ${patches}`,
    ...(norm === 4 ? [] : [`--norm ${norm}`]),
  ];
  return [
    `orthodict learn picture.png ${flags.join(' ')} --out model.npz`,
    'orthodict inspect model.npz --atoms atoms.png',
    `orthodict encode model.npz picture.png --stride ${side} --keep ${k} --out codes.npz`,
    `orthodict image denoise ${noise === 'added' ? 'noisy.png' : 'picture.png'} --stride 2 --out denoised.png`,
  ].join('\n');
}

function snippetOf({ side, colour, norm, patches }: Settings): string {
  const options = norm === 4 ? '{}' : `{ norm: ${norm} }`;
  const pictures = `{ patches: { width: ${side}, height: ${side} }, limit: ${patches}${colour === 'rgb' ? ", color: 'rgb'" : ''} }`;
  return `import { learn, modelMeta, saveModel } from 'orthodict/node';

const result = await learn('picture.png', ${options}, {
  pictures: ${pictures},
});
await saveModel('model.npz', { dictionary: result.dictionary, meta: modelMeta(result) });`;
}
