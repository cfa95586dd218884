/** Opens the bytes of a path: of a file, or of an http(s) address. */
import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { InputError } from '../../core/errors.ts';
import { type ReadLimits, readLimits } from '../../io/bytes/budget.ts';
import type { Bytes } from '../../io/bytes/bytes.ts';
import { type Fingerprint, requireSame } from '../../io/bytes/fingerprint.ts';
import { isAddress } from '../../io/bytes/spec.ts';
import { fileBytes, nodePlatform } from './file-bytes.ts';
import { readFailure } from './file-errors.ts';

const fingerprintOf = ({ size, mtimeMs }: Stats): Fingerprint => ({ size, stamp: `${mtimeMs}` });

export async function openBytes(path: string, limits: ReadLimits = readLimits()): Promise<Bytes> {
  if (isAddress(path)) return (await import('../../io/bytes/http.ts')).openHttpBytes(path, limits, nodePlatform);
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new InputError(`${path}: cannot be read (it is a directory, not a data file).`);
    if (!info.isFile()) throw new InputError(`${path}: cannot be read (it is not a regular file).`);
    if (info.size === 0) throw new InputError(`${path}: is empty.`);
    const file = await open(path, 'r');
    const requireUnchanged = async () => requireSame(path, fingerprintOf(info), fingerprintOf(await file.stat()));
    return { ...fileBytes(path, file, info.size, limits), fingerprint: fingerprintOf(info), requireUnchanged };
  } catch (error) {
    throw readFailure(path, error);
  }
}

/** Returns the fingerprint of the file as it is now. */
export async function currentFingerprint(path: string): Promise<Fingerprint> {
  if (isAddress(path)) return (await import('../../io/bytes/http.ts')).httpFingerprint(path);
  return fingerprintOf(
    await stat(path).catch((error) => {
      throw readFailure(path, error);
    }),
  );
}
