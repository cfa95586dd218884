/** Parses command-line arguments, with errors that name the option. */
import { InputError } from '../../core/errors.ts';

/** Help text of the argument DATA. */
export const SAMPLES =
  'samples as rows: .npy .npz .csv .tsv .idx (also gzipped), .parquet or .wav; or pictures, cut into patches: .png .jpg .webp .tiff. file.npz:name picks an array. A folder, a quoted glob or @list.txt reads many files as one; http(s) addresses work too; - is standard input';

/** A commander parser for a number; the function that receives it checks its range. */
export function numberOption(command: string, flag: string): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) throw new InputError(`${command}: ${flag} must be a number; got "${text}".`);
    return value;
  };
}

/** A commander parser for comma-separated numbers and ranges of whole numbers: `1,2,5`, `1-8`. */
export function numbersOption(command: string, flag: string): (text: string) => number[] {
  return (text) =>
    text.split(',').flatMap((part) => {
      const value = part.trim() === '' ? Number.NaN : Number(part);
      const numbers = Number.isNaN(value) ? rangeOf(part) : [value];
      if (numbers) return numbers;
      throw new InputError(
        `${command}: ${flag} must be comma-separated numbers, or a range such as 1-8; got "${text}".`,
      );
    });
}

/** Longest range accepted; a longer one is surely a typo. */
const LONGEST_RANGE = 10_000;

/** Expands `2-5` to 2, 3, 4, 5. */
function rangeOf(text: string): number[] | undefined {
  const found = /^\s*(\d+)-(\d+)\s*$/.exec(text);
  if (!found) return undefined;
  const [first, last] = [Number(found[1]), Number(found[2])];
  if (!(last >= first && last - first < LONGEST_RANGE)) return undefined;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** A commander parser for a number or one of `words`. */
export function numberOrWordOption<W extends string>(
  command: string,
  flag: string,
  words: readonly W[],
): (text: string) => number | W {
  const parse = numberOption(command, flag);
  return (text) => {
    const word = words.find((known) => known === text);
    if (word) return word;
    try {
      return parse(text);
    } catch {
      throw new InputError(`${command}: ${flag} must be ${words.join(', ')} or a number; got "${text}".`);
    }
  };
}

export function requireExtension(command: string, flag: string, path: string, extensions: readonly string[]): void {
  if (extensions.some((extension) => path.toLowerCase().endsWith(extension))) return;
  throw new InputError(`${command}: ${flag} must be a file ending in ${extensions.join(' or ')}; got "${path}".`);
}

/** Parses `8x6` as width and height. */
export function parseShape(command: string, text: string): { width: number; height: number } {
  const found = /^(\d+)x(\d+)$/.exec(text);
  if (!found) throw new InputError(`${command}: --shape must be of the form 8x8; got "${text}".`);
  return { width: Number(found[1]), height: Number(found[2]) };
}
