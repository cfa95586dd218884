/** Parses command-line arguments, with errors that name the option. */
import { InputError } from '../../core/errors.ts';

/** Help for DATA. */
export const SAMPLES =
  'samples as rows: .npy .npz .csv .tsv .idx, also gzipped, .parquet, .wav, also at an http(s) address; patches of pictures: .png .jpg .webp .tiff; file.npz:name picks an array; a folder, a pattern in quotes or @list.txt are many files as one; - is standard input';

/** A commander parser for a number; the function that receives it checks its range. */
export function numberOption(command: string, flag: string): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) throw new InputError(`${command}: ${flag} must be a number; got "${text}".`);
    return value;
  };
}

/** Numbers with commas between them, or ranges of whole numbers: `1,2,5`, `1-8`. */
export function numbersOption(command: string, flag: string): (text: string) => number[] {
  return (text) =>
    text.split(',').flatMap((part) => {
      const value = part.trim() === '' ? Number.NaN : Number(part);
      const numbers = Number.isNaN(value) ? rangeOf(part) : [value];
      if (numbers) return numbers;
      throw new InputError(
        `${command}: ${flag} must be numbers with commas between them, or a range as 1-8; got "${text}".`,
      );
    });
}

/** A longer range is a slip. */
const LONGEST_RANGE = 10_000;

/** `2-5` as 2, 3, 4, 5. */
function rangeOf(text: string): number[] | undefined {
  const found = /^\s*(\d+)-(\d+)\s*$/.exec(text);
  if (!found) return undefined;
  const [first, last] = [Number(found[1]), Number(found[2])];
  if (!(last >= first && last - first < LONGEST_RANGE)) return undefined;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** A number, or one of `words`. */
export function numberOrWord<W extends string>(
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

/** `8x6`: width and height. */
export function parseShape(command: string, text: string): { width: number; height: number } {
  const found = /^(\d+)x(\d+)$/.exec(text);
  if (!found) throw new InputError(`${command}: --shape must be of the form 8x8; got "${text}".`);
  return { width: Number(found[1]), height: Number(found[2]) };
}
