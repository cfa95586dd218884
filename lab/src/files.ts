/** Folders and files that the laboratory writes. */
import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises';
import { InputError } from 'orthodict';

/** The folder of the repository: this module is compiled into lab/dist. */
export const repository = new URL('../../', import.meta.url);

/** Such as ENOENT. */
export const systemCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException)?.code;

/** An error of a file that the user named, in one line. */
export const fileFailure = (path: string, error: unknown): InputError =>
  new InputError(`${path}: ${systemCode(error) ?? String(error)}.`);

/** Writes a whole file: readers see the one before or this one, never a part. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await writeFile(`${path}.part`, content);
    await rename(`${path}.part`, path);
  } catch (error) {
    throw fileFailure(path, error);
  }
}

/** Makes a folder and those above it, and checks that it can be written to: call it before a long computation. */
export async function makeWritableFolder(who: string, path: string): Promise<void> {
  if (path === '') throw new InputError(`${who}: --out must be the name of a folder; got "".`);
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    throw fileFailure(path, error);
  }
}
