/** The flags of every command that reads samples: their format, and how to read tables and pictures. */
import { type Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { PatchShape } from '../../engine/source/source.ts';
import { FORMAT_NAMES, type Format, HEADERS, MISSING } from '../../io/tables/options.ts';
import type { FileSourceOptions } from '../../node/io/file-source.ts';
import { numberOrWordOption } from './arguments.ts';
import { printRemark } from './output.ts';

const TABLES = 'Tables (.csv .tsv .parquet):';
const PICTURES = 'Pictures (.png .jpg .webp .tiff):';

export interface DataFlags {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly drop?: readonly string[];
  readonly header?: (typeof HEADERS)[number];
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly missing?: (typeof MISSING)[number];
  readonly patches?: { readonly width: number; readonly height: number };
  readonly stride?: number;
  readonly limit?: number | 'all';
  readonly color?: 'grey' | 'rgb';
  /** The command's own seed, if it has one. */
  readonly seed?: number;
}

const listed = (text: string): string[] => text.split(',').map((name) => name.trim());
/** Names for characters that are hard to type in a shell. */
const character = (text: string): string => ({ tab: '\t', '\\t': '\t', space: ' ' })[text] ?? text;

/** The flag of commands that read rows of numbers. */
export const formatOption = (): Option =>
  new Option('--format <NAME>', 'format of the data if its name does not show it, as for -').choices(FORMAT_NAMES);

export function addDataFlags(command: Command): Command {
  command.addOption(formatOption());
  const options = [
    new Option(
      '--columns <LIST>',
      'columns to read: comma-separated names or 1-based numbers, and ranges like 3-7',
    ).argParser(listed),
    new Option('--drop <LIST>', 'columns to leave out').argParser(listed),
    new Option(
      '--header <WHEN>',
      'text files: whether the first line names the columns; auto: if it contains words, or counts: 0, 1, 2, …',
    )
      .choices(HEADERS)
      .default(undefined, 'auto'),
    new Option(
      '--delimiter <C>',
      'text files: field separator, such as "|" or tab; default: detected from the first line',
    ).argParser(character),
    new Option('--decimal <C>', 'text files: decimal mark').choices(['.', ',']).default(undefined, '.'),
    new Option(
      '--missing <HOW>',
      'if a number is missing (empty, NA, NaN, null): stop with an error, drop the row, or use the mean of the column',
    )
      .choices(MISSING)
      .default(undefined, 'error'),
  ];
  for (const option of options) command.addOption(option.helpGroup(TABLES));
  for (const option of pictureOptions()) command.addOption(option.helpGroup(PICTURES));
  return command;
}

const pictureOptions = (): Option[] => [
  new Option('--patches <WxH>', 'patch size in pixels').argParser(patchSize).default(undefined, '8x8'),
  new Option('--stride <S>', 'pixels from one patch to the next')
    .argParser(wholeNumber('--stride'))
    .default(undefined, '1'),
  new Option('--limit <P>', 'largest number of patches, spread evenly over all pictures; or all')
    .argParser(numberOrWordOption('data', '--limit', ['all']))
    .default(undefined, '100000'),
  new Option('--color <HOW>', 'grey: one number per pixel; rgb: three')
    .choices(['grey', 'rgb'])
    .default(undefined, 'grey'),
];

function patchSize(text: string): { width: number; height: number } {
  const [, width, height = width] = /^([1-9]\d{0,3})(?:x([1-9]\d{0,3}))?$/.exec(text) ?? [];
  if (width === undefined) throw new InputError(`data: --patches must be of the form 8x8; got "${text}".`);
  return { width: Number(width), height: Number(height) };
}

const wholeNumber = (flag: string) => (text: string) => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InputError(`data: ${flag} must be a whole number from 1; got "${text}".`);
  return Number(text);
};

/** Reading options from the flags. `like`: the patches of the model that is applied to the pictures. */
export function readingFrom(flags: DataFlags, like?: PatchShape): Pick<FileSourceOptions, 'table' | 'pictures'> {
  const { format, columns, drop, header, delimiter, decimal, missing, patches, stride, limit, color, seed } = flags;
  return {
    table: { format, columns, drop, header, delimiter, decimal, missing, onRemark: printRemark },
    pictures: { patches, stride, limit: limit === 'all' ? Number.POSITIVE_INFINITY : limit, color, seed, like },
  };
}
