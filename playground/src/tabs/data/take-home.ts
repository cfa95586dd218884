/** What the user can take home from a table: files, the same run on the command line and in code. */

import { counted } from '../../parts/numbers.ts';
import type { FileKind } from '../../session/jobs/data/files.ts';
import type { Learned } from '../../session/jobs/data/messages.ts';
import type { Preview } from '../../session/jobs/data/table.ts';
import { Work } from '../../session/session.svelte.ts';
import { hashFor } from '../../settings.ts';
import type { TakeHome, TakeHomeFile } from '../../take-home.svelte.ts';
import { flagsOf, literal } from '../../take-home-code.ts';
import { type Chosen, chosenPicks, columnsFlag, quotedForShell } from './columns.ts';
import { energyChart } from './energy-chart.ts';
import { agreementSentence, energySentence } from './sentences.ts';
import { DEFAULTS, learnOptions, type Settings } from './settings.ts';

/** A result, with the settings and the table it comes from. */
export interface Made {
  readonly learned: Learned;
  readonly settings: Settings;
  readonly table: {
    readonly file: File;
    readonly preview: Preview;
    readonly chosen: Chosen;
    readonly array?: string | undefined;
    readonly missing?: string | undefined;
  };
}

export function takeHome(made: Made): TakeHome {
  const { learned, settings, table } = made;
  const { rows, heldOut, atoms, evaluation } = learned;
  const learnedFrom = `${counted(atoms.rows, 'atom')} of ${counted(rows - heldOut, 'row')} of ${table.file.name}`;
  return {
    summary: `${learnedFrom}. ${energySentence(evaluation)} ${agreementSentence(learned)}`,
    files: filesOf(made),
    command: commandOf(made),
    snippet: nodeSnippet(made),
    inBrowser: browserSnippet(made),
    hash: hashFor('data', settings, DEFAULTS),
  };
}

function filesOf({ learned, settings, table }: Made): TakeHomeFile[] {
  const { number, rows, atoms, codeBytes } = learned;
  const file = (name: FileKind, about: string, size?: number): TakeHomeFile => ({
    name,
    about,
    ...(size !== undefined && { size }),
    make: () => made(number, name),
  });
  const own: TakeHomeFile = {
    name: table.file.name,
    about: 'The table itself, for the command line.',
    size: table.file.size,
    make: async () => table.file,
  };
  return [
    file('model.npz', 'The dictionary. The command line and NumPy open it.'),
    file('codes.npz', 'The codes of all rows, for NumPy.', codeBytes * rows * atoms.rows),
    file('codes.csv', 'The same as text, a column per atom, for spreadsheets.'),
    file('atoms.csv', 'The atoms as text: a row per atom, a column per feature, with their names.'),
    { name: 'energy.svg', about: 'The chart of the energy missing, as a drawing.', make: () => drawing(learned) },
    ...(settings.data === 'own' ? [] : [own]),
  ];
}

/** Makes a file in the session, where the result is. */
async function made(number: number, kind: FileKind): Promise<Blob> {
  const work = new Work('dataFile');
  const blob = await work.start({ number, kind });
  if (!blob) throw new Error(work.error ?? 'it was cancelled.');
  return blob;
}

async function drawing({ evaluation }: Learned): Promise<Blob> {
  const { drawSvg } = await import('../../parts/vega.ts');
  return drawSvg({ ...energyChart(evaluation), width: 560, height: 340 });
}

/** The options as they were in force. */
function optionsOf({ settings, learned }: Made): object {
  const { holdout, ...rest } = learnOptions(settings) as Record<string, unknown>;
  return { ...rest, ...(learned.heldOut > 0 && { holdout }) };
}

function commandOf(made: Made): string {
  const { file, preview, chosen, array, missing } = made.table;
  const data = quotedForShell(array ? `${file.name}:${array}` : file.name);
  const columns = preview.hasColumns ? columnsFlag(chosen, preview.columns) : '';
  const reading = `${data}${columns}${missing ? ` --missing ${missing}` : ''}`;
  return [
    `orthodict learn ${reading}${flagsOf(optionsOf(made))} --out model.npz`,
    `orthodict inspect model.npz --top 4`,
    `orthodict evaluate model.npz --data ${reading}`,
    `orthodict encode model.npz ${reading} --out codes.npz`,
  ].join('\n');
}

/** How the table is opened, beyond its name. */
function readingOf({ table: { preview, chosen, missing } }: Made): Record<string, unknown> {
  const columns = preview.hasColumns ? chosenPicks(chosen, preview.columns) : undefined;
  const left = preview.columns.filter((_, place) => !chosen.has(place)).map(({ pick }) => pick);
  const isShorter = columns && left.length < columns.length;
  const table = { ...(isShorter ? { drop: left } : columns && { columns }), ...(missing && { missing }) };
  return Object.keys(table).length > 0 ? { table } : {};
}

const second = (options: object): string => (Object.keys(options).length > 0 ? `, ${literal(options)}` : '');

function nodeSnippet(made: Made): string {
  const { file, array } = made.table;
  const name = array ? `${file.name}:${array}` : file.name;
  return `import { learn, openSource, saveModel } from 'orthodict/node';

const samples = await openSource(${literal(name)}${second(readingOf(made))});
const result = await learn(samples${second(optionsOf(made))});
await saveModel('model.npz', result);`;
}

function browserSnippet(made: Made): string {
  const { array } = made.table;
  return `import { createBrowserExecutor, learn, openSource } from 'orthodict/browser';

const [file] = document.querySelector('input[type=file]').files;
const samples = await openSource(file${second({ ...(array && { array }), ...readingOf(made) })});
const executor = await createBrowserExecutor();
const { dictionary } = await learn(samples${second(optionsOf(made)) || ', {}'}, { executor });`;
}
