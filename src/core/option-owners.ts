/**
 * Options that belong to some choices only, such as methods of `learn` or kinds of data. An option that the choice does not
 * use is refused with a message that names the choices that do.
 */
import { InputError, inputError } from './errors.ts';
import type { OptionTable } from './options.ts';

export interface Choices {
  /** What is chosen: `method`, `--kind`. */
  readonly word: string;
  readonly chosen: string;
  /** The options of every choice, by its name. */
  readonly tables: Readonly<Record<string, OptionTable>>;
  /** An option as the user writes it; default: its name. */
  shown?(option: string): string;
}

/** Largest number of owners that a message lists. */
const MOST_OWNERS = 4;

/** `own`: the options of the chosen one; `given`: names of the options that the user gave. */
export function requireOwnOptions(
  who: string,
  own: OptionTable,
  given: readonly string[],
  { word, chosen, tables, shown = (option) => option }: Choices,
): void {
  for (const option of given) {
    if (Object.hasOwn(own, option)) continue;
    const owners = Object.keys(tables).filter((name) => Object.hasOwn(tables[name], option));
    if (owners.length === 0) {
      const known = [word, ...Object.keys(own)].join(', ');
      throw new InputError(`${who}: there is no option "${option}"; known: ${known}.`, who);
    }
    const others = owners.length > MOST_OWNERS ? `another ${word}` : `${word} ${owners.join(' or ')} only`;
    throw inputError(who, shown(option), `given with ${others}`, `${shown(option)} with ${chosen}`);
  }
}
