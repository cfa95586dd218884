/** Makes folders for the output of a command. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import { checkWritable } from './atomic-write.ts';
import { systemCode, writeFailure } from './file-errors.ts';

/**
 * Makes the folder of `--out` and those above it, and checks that `file` can be written into it: call it before a long
 * computation. `who`: the command.
 */
export async function makeWritableFolder(who: string, path: string, file: string): Promise<void> {
  if (path === '') throw inputError(who, '--out', 'the name of a folder', '""');
  try {
    await makeFolder(path);
  } catch (error) {
    throw writeFailure(path, error);
  }
  await checkWritable(join(path, file));
}

/** Makes a folder and those above it, one at a time: in /proc, where none can be made, Node's own recursion never ends. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const above = dirname(path);
    const code = systemCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || above === path) throw error;
    await makeFolder(above);
    await mkdir(path).catch((again) => {
      if (systemCode(again) !== 'EEXIST') throw again;
    });
  }
}
