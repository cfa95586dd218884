/** Which columns of a table are used: as numbers in a link, as flags of the command line. */

/** A column of a preview: its name, what the library calls it, and whether it holds numbers. */
interface Column {
  readonly name: string;
  readonly pick: string;
  readonly numbers: boolean;
}
type Columns = readonly Column[];
/** Places of columns, from 0. */
export type Chosen = ReadonlySet<number>;

/** Parses `1-4,7` as places, without columns that the table does not have or cannot use. An empty text means all usable columns. */
export function columnsIn(text: string, columns: Columns): Chosen {
  const usable = columns.flatMap(({ numbers }, place) => (numbers ? [place] : []));
  if (text === '') return new Set(usable);
  const wanted = text.split(',').map((part) => part.split('-').map(Number));
  const isWanted = (place: number) => wanted.some(([first, last = first]) => place + 1 >= first && place + 1 <= last);
  return new Set(usable.filter(isWanted));
}

/** The inverse of `columnsIn`: empty if all usable columns are used. */
export function columnsText(chosen: Chosen, columns: Columns): string {
  if (columns.every(({ numbers }, place) => numbers === chosen.has(place))) return '';
  const ranges = rangesOf(placesOf(columns, chosen));
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

const placesOf = (columns: Columns, chosen: Chosen, isChosen = true): number[] =>
  columns.flatMap((_, place) => (chosen.has(place) === isChosen ? [place] : []));

/** Ranges of consecutive places, as numbers from 1. */
function rangesOf(places: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const place of places) {
    const current = ranges.at(-1);
    if (current?.[1] === place) current[1]++;
    else ranges.push([place + 1, place + 1]);
  }
  return ranges;
}

/** The library's names of the chosen columns, in the order of the table; undefined for all columns. */
export function chosenPicks(chosen: Chosen, columns: Columns): string[] | undefined {
  if (chosen.size === columns.length) return undefined;
  return placesOf(columns, chosen).map((place) => columns[place].pick);
}

/** Largest number of columns given by name; more are given by number. */
const MOST_NAMES = 12;

/** ` --drop time` or ` --columns 2-5,9`, the shorter one; nothing if all columns are used. */
export function columnsFlag(chosen: Chosen, columns: Columns): string {
  if (chosen.size === columns.length) return '';
  const [taken, left] = [placesOf(columns, chosen), placesOf(columns, chosen, false)];
  const [flag, listed] = left.length <= taken.length ? ['--drop', left] : ['--columns', taken];
  const names = listed.map((place) => columns[place].pick);
  const byName = names.length <= MOST_NAMES && names.every((name) => !name.includes(',') && name.trim() === name);
  return ` ${flag} ${quotedForShell((byName ? names : numbersOf(listed, columns)).join(','))}`;
}

/** A name comes before a number: `3-3` is the third column even if another is called 3. */
function numbersOf(places: readonly number[], columns: Columns): string[] {
  const names = new Set(columns.map(({ name }) => name).filter((name, place) => name !== `${place + 1}`));
  return rangesOf(places).flatMap(([first, last]) => {
    if (first < last && !names.has(`${first}-${last}`)) return [`${first}-${last}`];
    const numbers = Array.from({ length: last - first + 1 }, (_, k) => `${first + k}`);
    return numbers.map((number) => (names.has(number) ? `${number}-${number}` : number));
  });
}

/** Quotes a text for a shell, if it needs quotes. */
export const quotedForShell = (text: string): string =>
  /^[\p{L}\p{N}_.,:+%/=@-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
