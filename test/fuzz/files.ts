/**
 * Targets made of files. A whole file is taken apart (the members of an archive, the text inside a gzip), edited inside,
 * put together with valid checksums, and edited outside. What the reader makes of it must be an InputError, or what an
 * independent reader makes of it.
 */
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '#src/core/errors.ts';
import type { Random } from '#src/core/random.ts';
import { applyEdits, drawEdit, type Edit, pick, withoutOne } from './edits.ts';
import { type Subject, subject, type Target } from './target.ts';

export interface WholeFile {
  /** Its name, which decides the format. */
  readonly name: string;
  readonly parts: readonly Uint8Array[];
  /** Puts the parts together. */
  pack(parts: readonly Uint8Array[]): Uint8Array;
}

export interface FileTarget extends Pick<Target, 'name' | 'about' | 'cases'> {
  whole(): WholeFile[] | Promise<WholeFile[]>;
  /** Pieces of text that mean something in the format. */
  readonly words: readonly string[];
  /** Reads the file as a user would; throws an InputError, or any other error if the outcome is wrong. */
  read(path: string): Promise<void>;
  close?(): Promise<void>;
}

interface Case {
  readonly file: number;
  readonly inside: readonly { readonly part: number; readonly edit: Edit }[];
  readonly outside: readonly Edit[];
}

export function fileTarget(target: FileTarget): Target {
  const { name, about, cases } = target;
  return { name, about, cases, open: async (folder) => subject(fileSubject(target, await target.whole(), folder)) };
}

function fileSubject({ read, words, close }: FileTarget, whole: readonly WholeFile[], folder: string): Subject<Case> {
  const bytesOf = ({ file, inside, outside }: Case): Uint8Array => {
    const { parts, pack } = whole[file];
    const editsOf = (part: number) => inside.filter((one) => one.part === part).map(({ edit }) => edit);
    return applyEdits(pack(parts.map((bytes, part) => applyEdits(bytes, editsOf(part)))), outside);
  };
  return {
    draw: (random) => drawCase(random, whole, words),
    check: async (given) => {
      const path = join(folder, whole[given.file].name);
      writeFileSync(path, bytesOf(given));
      return outcomeOf(read(path));
    },
    *smaller({ file, inside, outside }) {
      for (const fewer of withoutOne(outside)) yield { file, inside, outside: fewer };
      for (const fewer of withoutOne(inside)) yield { file, inside: fewer, outside };
    },
    keep: async (given, destination) => {
      const { name } = whole[given.file];
      await writeFile(join(destination, name), bytesOf(given));
      return `file ${name}, ${bytesOf(given).length} bytes`;
    },
    ...(close && { close }),
  };
}

function drawCase(random: Random, whole: readonly WholeFile[], words: readonly string[]): Case {
  const file = random.integer(whole.length);
  const { parts, pack } = whole[file];
  const [first, second] = pick(random, [
    [1, 0],
    [2, 0],
    [5, 0],
    [0, 1],
    [0, 3],
    [1, 1],
  ]);
  const inside = Array.from({ length: first }, () => {
    const part = random.integer(parts.length);
    return { part, edit: drawEdit(random, parts[part].length, words) };
  });
  const length = pack(parts).length;
  return { file, inside, outside: Array.from({ length: second }, () => drawEdit(random, length, [])) };
}

/** `read` or `refused`; any error but an InputError of one printable line is a failure. */
export async function outcomeOf(read: Promise<unknown>): Promise<string> {
  try {
    await read;
    return 'read';
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    requireOneLine(error.message);
    return 'refused';
  }
}

/** Control characters, line breaks and marks that turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export function requireOneLine(message: string): void {
  if (UNPRINTABLE.test(message)) throw new Error(`the message is not printable: ${JSON.stringify(message)}`);
  if (message.length > 2000) throw new Error(`the message has ${message.length} characters`);
}
