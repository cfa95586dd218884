/** Which columns of a table are used: as numbers in a link, as names for the library and the command line. */

export interface Column {
  readonly name: string;
  readonly numbers: boolean;
}

/** `1-4,7` as places from 0; those that the table does not have or cannot use are left out. Empty: all that it can use. */
export function columnsIn(text: string, columns: readonly Column[]): Set<number> {
  const usable = columns.flatMap(({ numbers }, place) => (numbers ? [place] : []));
  if (text === '') return new Set(usable);
  const wanted = text.split(',').map((part) => part.split('-').map(Number));
  const isWanted = (place: number) => wanted.some(([first, last = first]) => place + 1 >= first && place + 1 <= last);
  return new Set(usable.filter(isWanted));
}

/** The opposite: empty if all that can be used are. */
export function columnsText(chosen: ReadonlySet<number>, columns: readonly Column[]): string {
  if (columns.every(({ numbers }, place) => numbers === chosen.has(place))) return '';
  return rangesOf([...chosen].sort((a, b) => a - b).map((place) => place + 1)).join(',');
}

/** 1, 2, 3, 7 → 1-3, 7 */
function rangesOf(numbers: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const current = ranges.at(-1);
    if (current?.last === number - 1) current.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}

/** What the library calls every column: its name, or its number where the name is not unique. */
function keysOf(columns: readonly Column[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
  return columns.map(({ name }, place) => (name !== '' && counts.get(name) === 1 ? name : `${place + 1}`));
}

/** The chosen ones for the library, in the order of the table; undefined if it is all of them. */
export function chosenKeys(chosen: ReadonlySet<number>, columns: readonly Column[]): string[] | undefined {
  return chosen.size === columns.length ? undefined : keysOf(columns).filter((_, place) => chosen.has(place));
}

/** A list of names is no longer than this; more columns are told by their numbers. */
const MOST_NAMES = 12;

/** ` --drop time`, ` --columns 2-5,9`, the shorter one; nothing if all columns are used. */
export function columnsFlag(chosen: ReadonlySet<number>, columns: readonly Column[]): string {
  if (chosen.size === columns.length) return '';
  const places = columns.map((_, place) => place);
  const [taken, left] = [places.filter((place) => chosen.has(place)), places.filter((place) => !chosen.has(place))];
  const [flag, listed] = left.length <= taken.length ? ['--drop', left] : ['--columns', taken];
  const keys = keysOf(columns);
  const names = listed.map((place) => keys[place]);
  // a number means a column of that name first, if there is one
  const mayCount = columns.every(({ name }) => !/^\d+(-\d+)?$/.test(name));
  const mayName = names.every((name) => !name.includes(',') && name.trim() === name);
  const byNumber = mayCount && (names.length > MOST_NAMES || !mayName);
  const list = byNumber ? rangesOf(listed.map((place) => place + 1)) : names;
  return ` ${flag} ${quotedForShell(list.join(','))}`;
}

/** As it is where a shell takes it so. */
export const quotedForShell = (text: string): string =>
  /^[\p{L}\p{N}_.,:+%/=@-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
