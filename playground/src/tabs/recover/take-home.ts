/** What can be taken home of a race: files, the same on the command line and in JavaScript, and a link. */
import { CONTENDERS, generateOptionsOf, learnOptionsOf, type Recipe } from '../../session/jobs/recover/contenders.ts';
import { Work } from '../../session/session.svelte.ts';
import { hashFor } from '../../settings.ts';
import type { TakeHome, TakeHomeFile } from '../../take-home.svelte.ts';
import { flagsOf, literal } from '../../take-home-code.ts';
import type { PhaseMap } from './map.svelte.ts';
import type { Track } from './race.svelte.ts';
import { DEFAULTS, type Settings } from './settings.ts';
import { grouped, seconds, small } from './words.ts';

/** The offer of the tab. `track`: a finished contender; `backend`: the kernels that it ran on. */
export function takeHome(
  { name, finish, snapshot, errors, seconds: taken }: Track,
  recipe: Recipe,
  backend: string,
  settings: Settings,
  map: PhaseMap,
): TakeHome {
  const { n, p, theta } = recipe;
  const { matched, maxAtomError } = snapshot!;
  const { label } = CONTENDERS[name];
  return {
    summary: `${label} recovered ${matched} of ${n} atoms from ${grouped(p)} samples (θ = ${theta}) in ${grouped(finish!.iterations)} iterations and ${seconds(taken)}: recovery error ${small(errors.at(-1)!)}, largest error of an atom ${small(maxAtomError)}.`,
    files: [
      {
        name: 'model.npz',
        about: 'The learned dictionary, as orthodict learn writes it. numpy.load opens it too.',
        make: async () => finish!.model,
      },
      {
        name: 'data.npz',
        about: 'The samples, the true atoms and the codes, as orthodict generate writes them.',
        make: () => dataBlob(recipe),
      },
      ...mapFile(map),
    ],
    command: commandsOf(learnOptionsOf(name, recipe), recipe, backend),
    snippet: snippetOf(learnOptionsOf(name, recipe), recipe),
    hash: hashFor('recover', settings, DEFAULTS),
  };
}

function mapFile(map: PhaseMap): TakeHomeFile[] {
  if (map.done.length === 0) return [];
  const about = 'The phase-transition map: a line for each cell, with its trials and their mean error.';
  return [{ name: 'map.csv', about, make: async () => new Blob([map.csv()], { type: 'text/csv' }) }];
}

async function dataBlob(recipe: Recipe): Promise<Blob> {
  const work = new Work('recoverData');
  const blob = await work.start(recipe);
  if (!blob) throw new Error(work.error);
  return blob;
}

/** Commands that give the same digits: they use the kernels of the page, since others round differently. */
function commandsOf(options: object, recipe: Recipe, backend: string): string {
  return [
    `orthodict generate${flagsOf(generateOptionsOf(recipe))} --out data.npz`,
    `orthodict learn data.npz${flagsOf(options)} --backend ${backend.startsWith('wasm') ? 'wasm' : 'js'} --out model.npz`,
    'orthodict evaluate model.npz --truth data.npz:atoms',
  ].join(' && \\\n');
}

const snippetOf = (options: object, recipe: Recipe): string =>
  `import { generate, learn, matchAtoms, recoveryError } from 'orthodict';

const { samples, atoms } = generate(${literal(generateOptionsOf(recipe))});
const { dictionary, iterations } = await learn(samples, ${literal(options)});
const { matched, maxAtomError } = matchAtoms(dictionary.atoms, atoms);
console.log(recoveryError(dictionary.atoms, atoms), matched, maxAtomError, iterations);`;
