/**
 * Makes flags from option tables: the library's `maxIterations` becomes `--max-iterations`, with its help and default.
 */
import { type Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { OptionSpec, OptionsOf, OptionTable } from '../../core/options.ts';
import { numberOption, numberOrWordOption, numbersOption } from './arguments.ts';

/** `maxIterations` → `max-iterations` */
export const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `--norm <Q>`, `--momentum`, `--no-center` */
export function flagText(name: string, { flag, default: preset }: OptionSpec): string {
  if (flag?.kind === 'switch') return preset === true ? `--no-${kebab(name)}` : `--${kebab(name)}`;
  return `--${kebab(name)} <${flag?.placeholder}>`;
}

/** The default as help texts show it; undefined if there is none to show. */
export function shownDefault({ default: preset, flag }: OptionSpec): unknown {
  if (flag?.kind === 'switch') return undefined;
  return preset === Number.POSITIVE_INFINITY ? 'no limit' : preset;
}

/** A commander option for an entry of a table; `who` is the command, for messages. */
export function optionOf(who: string, name: string, spec: OptionSpec): Option {
  const { flag, required } = spec;
  const help = flag?.kind === 'switch' ? (flag.off ?? spec.help) : spec.help;
  const option = new Option(flagText(name, spec), help);
  const long = `--${kebab(name)}`;
  if (flag?.kind === 'number') option.argParser(numberOption(who, long));
  if (flag?.kind === 'numbers') option.argParser(numbersOption(who, long));
  if (flag?.kind === 'number or word') option.argParser(numberOrWordOption(who, long, flag.words));
  if (flag?.kind === 'choice') option.choices(flag.choices);
  const preset = shownDefault(spec);
  if (preset === spec.default) option.default(preset);
  else if (preset !== undefined) option.default(undefined, String(preset)); // shown only: an option that was not given stays absent
  return option.makeOptionMandatory(required === true);
}

/** Adds a flag for every entry that has one. */
export function addOptions(command: Command, who: string, table: OptionTable, except: readonly string[] = []): Command {
  for (const [name, spec] of Object.entries(table)) {
    if (spec.flag && !except.includes(name)) command.addOption(optionOf(who, name, spec));
  }
  return command;
}

/** `checkpointEvery` → `--checkpoint-every` */
export const flagOf = (name: string): string => `--${kebab(name)}`;

/** Refuses flags that have no effect without another: `{ shape: 'picture' }`. */
export function requireTogether(who: string, flags: object, needs: Readonly<Record<string, string>>): void {
  const given = (name: string) => (flags as Readonly<Record<string, unknown>>)[name] !== undefined;
  for (const [name, other] of Object.entries(needs)) {
    if (!given(name) || given(other)) continue;
    throw new InputError(`${who}: ${flagOf(name)} must come with ${flagOf(other)}; got ${flagOf(name)} alone.`);
  }
}

/** The options given on the command line; all others are left to the library's defaults. */
export function optionsFrom<T extends OptionTable>(command: Command, table: T): OptionsOf<T> {
  const given = Object.keys(table).filter((name) => command.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(given.map((name) => [name, command.getOptionValue(name)])) as OptionsOf<T>;
}
