/** Rewords operating system errors: `x.npy: cannot be read (no such file).` */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../../core/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EEXIST: 'there is a file of that name',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large for the file system',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'the device reports an error',
  EBUSY: 'the file is in use',
  ENOENT: 'the directory takes no files',
  ESPIPE: 'the target is a pipe, not a file',
  EPIPE: 'the reader has closed the pipe',
};

/** Returns the `code` of an operating system error; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Turns an operating system error into an InputError; returns any other error unchanged. */
export function readFailure(path: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new InputError(`${path}: cannot be read (${code === 'ENOENT' ? 'no such file' : reason(code)}).`);
}

/** Rewords an error of writing, like `readFailure`; here ENOENT means a missing directory, or one that takes no files, as /proc. */
export function writeFailure(path: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const isMissing = code === 'ENOENT' && !existsSync(dirname(path));
  const why = isMissing ? `no such directory ${dirname(path)}` : reason(code);
  return new InputError(`${path}: cannot be written (${why}).`);
}

function reason(code: string): string {
  return REASONS[code] ?? code;
}
