// Runs before tsc, which rewrites only changed files. Removes the files of modules that no longer exist, so that they are not
// packed; and all of dist/ if a file is missing there, or was written after tsc had ended.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const [src, dist] = ['../src/', '../dist/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
/** The last file that tsc writes: its build record. */
const record = join(dist, '.tsbuildinfo');
/** Written by other programs, after tsc. */
const OTHERS = /^(bundle|playground)[\\/]|^cli[\\/]main\.js$|^\.tsbuildinfo$/;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : Number.POSITIVE_INFINITY);

const outputs = filesIn(src)
  .flatMap((name) => ['.js', '.d.ts'].map((end) => name.replace(/\.ts$/, end)))
  .filter((name) => !OTHERS.test(name));
const isWhole = existsSync(record) && outputs.every((name) => modified(join(dist, name)) <= modified(record));

if (isWhole) {
  const known = new Set(outputs);
  for (const name of filesIn(dist)) if (!known.has(name) && !OTHERS.test(name)) rmSync(join(dist, name));
} else rmSync(dist, { recursive: true, force: true });
