/**
 * Checks the files of a command before it does anything: an output must not also be an input, and no two outputs may be
 * the same file, by whatever name.
 *
 * A flag or an argument is a file if its placeholder looks like one: `<model.npz>`, `<FILE>`, `<DATA>`.
 */
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import { parseSpec, STANDARD_INPUT } from '../../io/bytes/spec.ts';

/** Flags that name output files; all other files are inputs. */
export const OUTPUT_FLAGS: readonly string[] = ['out', 'checkpoint', 'plot', 'picture', 'atoms'];

/** Whether a placeholder stands for a file rather than a folder, a number or a word. */
export const isFile = (placeholder: string): boolean => /\.|^(FILE|DATA|COUNTS)$/.test(placeholder);

/** `--out <model.npz>` → `model.npz` */
export const placeholderOf = ({ flags }: Option): string => /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';

interface NamedFile {
  /** The flag or argument. */
  readonly name: string;
  readonly path: string;
  readonly isOutput: boolean;
}

/** Throws if an output is also an input or another output, or if other machines would have to read standard input. */
export function checkFiles(command: Command): void {
  const files = filesOf(command).map((file) => ({ ...file, identity: identityOf(file.path) }));
  const elsewhere = ['redis', 'mpi'].find((flag) => command.getOptionValue(flag));
  const input = files.find(({ path, isOutput }) => path === STANDARD_INPUT && !isOutput);
  if (input && elsewhere) {
    const mustBe = `${input.name} must be a file that all machines can read for --${elsewhere}`;
    throw new InputError(`${command.name()}: ${mustBe}; got ${STANDARD_INPUT}, standard input.`);
  }
  for (const [k, file] of files.entries()) {
    const other = files.slice(0, k).find(({ identity }) => identity !== undefined && identity === file.identity);
    if (!other || !(file.isOutput || other.isOutput)) continue;
    const [output, rest] = file.isOutput ? [file, other] : [other, file];
    const got =
      output.path === rest.path ? `${output.path} for both` : `${output.path} and ${rest.path}, the same file`;
    throw new InputError(`${command.name()}: ${output.name} must be another file than ${rest.name}; got ${got}.`);
  }
}

function filesOf(command: Command): NamedFile[] {
  const given = command.registeredArguments.map((argument: Argument, k) => [argument.name(), command.processedArgs[k]]);
  const inputs = given
    .filter(([name, path]) => isFile(name) && typeof path === 'string')
    .map(([name, path]) => ({ name, path: parseSpec(path).path, isOutput: false }));
  const flags = command.options.flatMap((option) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value !== 'string' || !isFile(placeholderOf(option))) return [];
    const isOutput = OUTPUT_FLAGS.includes(option.attributeName());
    return [{ name: option.long!, path: isOutput ? value : parseSpec(value).path, isOutput }];
  });
  return [...inputs, ...flags];
}

/** A text that identifies the file, whatever its path; undefined for devices such as /dev/null, which hold nothing. */
function identityOf(path: string): string | undefined {
  const info = statOf(path);
  if (info) return info.isCharacterDevice() || info.isBlockDevice() ? undefined : `${info.dev}:${info.ino}`;
  const folder = dirname(resolve(path));
  const name = join(statOf(folder) ? realpathSync(folder) : folder, basename(path));
  return IGNORES_CASE ? name.normalize('NFC').toLowerCase() : name;
}

/** File systems on these platforms ignore case, unless configured otherwise. */
const IGNORES_CASE = process.platform === 'darwin' || process.platform === 'win32';

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
