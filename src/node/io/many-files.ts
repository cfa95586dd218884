/**
 * Joins many files to one table, one after the other: a folder, a pattern (`shards/*.npy`), or a list of names (`@files.txt`, one a
 * line, of files or addresses). Files are sorted by name, character by character; a list keeps its order.
 */

import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { type FloatArray, type Precision, precisionOf } from '../../core/matrix.ts';
import { byteCount } from '../../io/bytes/budget.ts';
import { isAddress } from '../../io/bytes/spec.ts';
import { allocate } from '../../io/codecs/npy/dtype.ts';
import type { Table } from '../../io/tables/table.ts';

/** Most files to open at once. */
const MOST_FILES = 4096;
/** Most bytes of a list of files: as many names as long as systems allow. */
const LONGEST_LIST = MOST_FILES * 4096;

/** Name of the mark of a run: a hidden file in a folder that the run writes to, present until the folder is complete. */
export const MARK = /^run-[-0-9a-f]{36}$/;

export const isMark = (file: string): boolean => file.startsWith('.') && MARK.test(file.slice(1));

/** Returns the files that a name stands for; undefined if it is the name of one file. `isKnown`: whether a format has this ending. */
export async function filesOf(spec: string, isKnown: (name: string) => boolean): Promise<string[] | undefined> {
  if (isAddress(spec)) return undefined;
  const found = await stat(spec).catch(() => undefined);
  if (found && !found.isDirectory()) return undefined;
  if (found) {
    await requireFinished(spec);
    return requireSome(spec, (await namesIn(spec)).filter(isKnown), `a folder with files of samples`, spec);
  }
  if (spec.startsWith('@')) return listedIn(spec.slice(1));
  if (!/[*?]/.test(spec)) return undefined;
  return requireSome(spec, await matching(spec), 'a pattern that fits some files');
}

/** Throws if a run writes to the folder, or left it unfinished. */
async function requireFinished(folder: string): Promise<void> {
  if (!(await readdir(folder)).some(isMark)) return;
  throw new InputError(
    `${folder}: is being written to, or was left unfinished by a run that failed: let it run to its end.`,
  );
}

function requireSome(spec: string, names: readonly string[], mustBe: string, folder?: string): string[] {
  if (names.length === 0) throw new InputError(`${spec}: must be ${mustBe}; got none.`);
  if (names.length > MOST_FILES) {
    throw new InputError(`${spec}: must be at most ${MOST_FILES} files; got ${names.length}.`);
  }
  return names.map((name) => (folder === undefined ? name : join(folder, name)));
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();

async function listedIn(path: string): Promise<string[]> {
  const refuse = (): never => {
    throw new InputError(`@${path}: the list of files cannot be read.`);
  };
  const found = await stat(path).catch(refuse);
  if (!found.isFile() || found.size > LONGEST_LIST) {
    const got = found.isFile() ? byteCount(found.size) : 'something else';
    throw new InputError(
      `@${path}: must be a file of at most ${byteCount(LONGEST_LIST)} with a list of files; got ${got}.`,
    );
  }
  const text = await readFile(path, 'utf8').catch(refuse);
  const names = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const place = dirname(path);
  return requireSome(
    `@${path}`,
    names.map((name) => (isAbsolute(name) || isAddress(name) ? name : join(place, name))),
    'a list of files, one a line',
  );
}

/** Returns the matching paths, in the order of their names; `*` and `?` stand for characters of one name. */
async function matching(pattern: string): Promise<string[]> {
  const absolute = isAbsolute(pattern);
  let places = [absolute ? '/' : ''];
  for (const part of pattern.split(/[\\/]/).filter((name) => name !== '')) {
    const next: string[] = [];
    for (const place of places) {
      if (!/[*?]/.test(part)) next.push(join(place, part));
      else {
        const fits = expressionOf(part);
        const names = await namesIn(place || '.').catch(() => []);
        next.push(...names.filter((name) => fits.test(name)).map((name) => join(place, name)));
      }
    }
    places = next;
  }
  const isFile = await Promise.all(
    places.map((path) =>
      stat(path).then(
        (found) => found.isFile(),
        () => false,
      ),
    ),
  );
  return places.filter((_, k) => isFile[k]);
}

const expressionOf = (part: string): RegExp =>
  new RegExp(
    `^${part
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

/** Joins the rows of all tables, one after the other; closing the result closes them. */
export function joinTables(name: string, tables: readonly Table[]): Table {
  requireAlike(name, tables);
  const { cols, budget, names, patch } = tables[0];
  const precision = tables.every((table) => table.precision === 'f32') ? 'f32' : 'f64';
  const starts = [0];
  for (const { rows } of tables) starts.push(starts.at(-1)! + rows);
  const files = tables.flatMap(({ locator }) => (locator?.kind === 'file' ? locator : []));
  const everywhere = async (visit: (table: Table) => Promise<void> | undefined) => {
    for (const table of tables) await visit(table);
  };
  const loadRows = async (start: number, out: FloatArray): Promise<void> => {
    const end = start + out.length / cols;
    for (const [k, table] of tables.entries()) {
      const [from, to] = [Math.max(start, starts[k]), Math.min(end, starts[k + 1])];
      if (from >= to) continue;
      const place = out.subarray((from - start) * cols, (to - start) * cols);
      await loadAs(table, place, (part) => table.loadRows!(from - starts[k], part));
    }
  };
  return {
    name,
    rows: starts.at(-1)!,
    cols,
    precision,
    budget,
    ...(names && { names }),
    ...(patch && { patch }),
    locator: tables.length === 1 ? tables[0].locator : { kind: 'files', of: files },
    async load(out) {
      for (const [k, table] of tables.entries()) {
        await loadAs(table, out.subarray(starts[k] * cols, starts[k + 1] * cols), (part) => table.load(part));
      }
    },
    ...(tables.every((table) => table.loadRows) && { loadRows }),
    ...(tables.some((table) => table.verify) && { verify: () => everywhere((table) => table.verify?.()) }),
    stream: (only) => streamAll(tables, starts, precision, only),
    close: () => everywhere((table) => table.close()),
  };
}

/** Throws unless tables have the same columns, and all of them are of pictures or none. */
function requireAlike(name: string, tables: readonly Table[]): void {
  const [{ name: first, cols, names, patch }] = tables;
  for (const table of tables) {
    if (table.cols === cols) continue;
    throw new InputError(`${table.name}: must have ${cols} columns, as ${first}; got ${table.cols}.`);
  }
  const renamed = tables.find((table) => table.names?.some((each, k) => names && each !== names[k]));
  if (renamed) throw new InputError(`${renamed.name}: must name its columns as ${first} does; got other names.`);
  if (tables.some((table) => (table.patch === undefined) !== (patch === undefined))) {
    throw new InputError(`${name}: must be all pictures or none; got both.`);
  }
}

/** Yields the numbers of all tables, those of the rows `only`. `starts`: the row at which each table begins. */
async function* streamAll(
  tables: readonly Table[],
  starts: readonly number[],
  precision: Precision,
  only?: Float64Array,
): AsyncGenerator<FloatArray> {
  for (const [k, table] of tables.entries()) {
    const own = only?.filter((row) => row >= starts[k] && row < starts[k + 1]).map((row) => row - starts[k]);
    if (own?.length === 0) continue;
    for await (const piece of table.stream(own)) yield inSame(piece, precision);
  }
}

/** Makes `load` fill `out`, through memory in the precision of the table if that of `out` is another. */
async function loadAs(
  { precision }: Table,
  out: FloatArray,
  load: (numbers: FloatArray) => Promise<void>,
): Promise<void> {
  if (precision === precisionOf({ data: out })) return load(out);
  const numbers = allocate(precision, out.length);
  await load(numbers);
  out.set(numbers);
}

const inSame = (piece: FloatArray, precision: Precision): FloatArray =>
  precision === 'f64' && piece instanceof Float32Array ? Float64Array.from(piece) : piece;
