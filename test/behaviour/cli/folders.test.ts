/** Commands that write into a folder say what `learn` says about a file, and do so before they compute. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '#src/node/io/make-folder.ts';
import { callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { itUnless } from '../../helpers/skip.ts';

const scratch = scratchDirectory();
const f = scratch.file;

describe('demo', () => {
  const refused = (out: string) => callRefused('demo', '--out', out);

  it('refuses a folder that cannot be made or written into', async () => {
    writeFileSync(f('file'), '');
    mkdirSync(f('demo/model.npz'), { recursive: true });
    expect(await refused(f('file'))).toBe(`${f('file')}: cannot be written (there is a file of that name).\n`);
    const below = f('file/folder');
    expect(await refused(below)).toBe(`${below}: cannot be written (a part of the path is not a directory).\n`);
    const taken = `${f('demo')}/model.npz`;
    expect(await refused(f('demo'))).toBe(`${taken}: cannot be written (it is a directory).\n`);
  });

  // a stand-in for a folder without permission, which root has everywhere
  const missing = existsSync('/proc/self') ? undefined : 'there is no /proc';
  itUnless(missing, 'refuses a place where no files can be', async () => {
    const why = 'cannot be written (the directory takes no files).\n';
    expect(await refused('/proc')).toBe(`/proc/model.npz: ${why}`);
    expect(await refused('/proc/new')).toBe(`/proc/new: ${why}`);
    expect(await refused('/proc/new/folder')).toMatch(/^\/proc\/new\/folder: cannot be written/);
  });
});

it('makes a folder, those above it, and none where there is one', async () => {
  await makeFolder(f('a/b/c'));
  await makeFolder(f('a/b/c'));
  await makeFolder('.');
  expect(existsSync(f('a/b/c'))).toBe(true);
});
