/** Which columns of a table are used: as numbers in a link, as flags of the command line. */
import type { PreviewColumn } from 'orthodict/browser';

type Columns = readonly PreviewColumn[];
/** Places of columns, from 0. */
export type Chosen = ReadonlySet<number>;

/** `1-4,7` as places; those that the table does not have or cannot use are left out. Empty: all that it can use. */
export function columnsIn(text: string, columns: Columns): Chosen {
  const usable = columns.flatMap(({ numbers }, place) => (numbers ? [place] : []));
  if (text === '') return new Set(usable);
  const wanted = text.split(',').map((part) => part.split('-').map(Number));
  const isWanted = (place: number) => wanted.some(([first, last = first]) => place + 1 >= first && place + 1 <= last);
  return new Set(usable.filter(isWanted));
}

/** The opposite: empty if all that can be used are. */
export function columnsText(chosen: Chosen, columns: Columns): string {
  if (columns.every(({ numbers }, place) => numbers === chosen.has(place))) return '';
  const ranges = rangesOf(placesOf(columns, chosen));
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

const placesOf = (columns: Columns, chosen: Chosen, isChosen = true): number[] =>
  columns.flatMap((_, place) => (chosen.has(place) === isChosen ? [place] : []));

/** Runs of neighbours, by numbers from 1. */
function rangesOf(places: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const place of places) {
    const current = ranges.at(-1);
    if (current?.[1] === place) current[1]++;
    else ranges.push([place + 1, place + 1]);
  }
  return ranges;
}

/** What the library calls the chosen ones, in the order of the table; undefined if it is all of them. */
export function chosenPicks(chosen: Chosen, columns: Columns): string[] | undefined {
  if (chosen.size === columns.length) return undefined;
  return placesOf(columns, chosen).map((place) => columns[place].pick);
}

/** More columns are told by their numbers. */
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
  const names = new Set(columns.map(({ name }) => name));
  return rangesOf(places).map(([first, last]) =>
    first === last && !names.has(`${first}`) ? `${first}` : `${first}-${last}`,
  );
}

/** As it is where a shell takes it so. */
export const quotedForShell = (text: string): string =>
  /^[\p{L}\p{N}_.,:+%/=@-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
