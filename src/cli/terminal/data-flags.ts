/** The flags of every command that reads samples: their format, and how a table is to be understood. */
import { type Command, Option } from 'commander';
import { FORMAT_NAMES, type Format, HEADERS, MISSING, type TableOptions } from '../../node/formats/table-options.ts';
import { printRemark } from './output.ts';

const GROUP = 'Tables (.csv .tsv .parquet):';

export interface DataFlags {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly drop?: readonly string[];
  readonly header?: (typeof HEADERS)[number];
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly missing?: (typeof MISSING)[number];
}

const listed = (text: string): string[] => text.split(',').map((name) => name.trim());
/** What shells make hard to type. */
const character = (text: string): string => ({ tab: '\t', '\\t': '\t', space: ' ' })[text] ?? text;

/** For commands that read rows of numbers. */
export const formatOption = (): Option =>
  new Option('--format <NAME>', 'format of the data if its name does not tell it, as for -').choices(FORMAT_NAMES);

export function addDataFlags(command: Command): Command {
  command.addOption(formatOption());
  const options = [
    new Option(
      '--columns <LIST>',
      'columns to take, with commas between them, by name or by number from 1; 3-7 are five of them',
    ).argParser(listed),
    new Option('--drop <LIST>', 'columns to leave out').argParser(listed),
    new Option(
      '--header <WHEN>',
      'of text: whether the first line names the columns; auto: if it has words or counts them',
    )
      .choices(HEADERS)
      .default(undefined, 'auto'),
    new Option(
      '--delimiter <C>',
      'of text: what separates fields, as in "|" or tab; default: found in the first line',
    ).argParser(character),
    new Option('--decimal <C>', 'of text: the decimal mark').choices(['.', ',']).default(undefined, '.'),
    new Option(
      '--missing <HOW>',
      'where a number is missing (empty, NA, NaN, null): drop the row, or take the mean of the column',
    )
      .choices(MISSING)
      .default(undefined, 'error'),
  ];
  for (const option of options) command.addOption(option.helpGroup(GROUP));
  return command;
}

/** What was given. */
export function tableFrom({ format, columns, drop, header, delimiter, decimal, missing }: DataFlags): TableOptions {
  return { format, columns, drop, header, delimiter, decimal, missing, onRemark: printRemark };
}
