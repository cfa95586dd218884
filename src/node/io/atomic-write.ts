/**
 * Atomic writes: a file is either complete or absent. Data goes to a temporary file in the same directory, is flushed
 * to disk, then renamed, and the directory is flushed. Devices and pipes, such as /dev/null, are written directly; a pipe must have a reader, because
 * opening it would block otherwise, and is kept open from the check to the end, because otherwise the reader would end in between.
 */
import { unlinkSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { access, constants, mkdtemp, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import type { Chunks, Sink } from '../../io/bytes/sink.ts';
import { systemCode, writeFailure } from './file-errors.ts';
import { fileSink, writeAll } from './write-all.ts';

/** Content of a file, or a function that writes it. */
export type FileContent = Chunks | ((sink: Sink) => Promise<void>);

interface Target {
  /** The file itself if the given path is a symbolic link. */
  readonly path: string;
  readonly mode: number;
  readonly device: boolean;
  readonly pipe: boolean;
}

/** Temporary files, removed if the process exits before they are renamed. */
const unfinished = new Set<string>();

/** Replaces or creates a file; on any failure the old file is left unchanged. */
export async function writeAtomically(path: string, content: FileContent): Promise<void> {
  try {
    const target = await findTarget(path);
    if (target.device) await writeDirectly(target, content);
    else await writeAside(target, content);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/**
 * Fails with the same message as `writeAtomically` would; call it before a long computation. Removes temporary files of processes that
 * were killed while they wrote the same file.
 */
export async function checkWritable(path: string): Promise<void> {
  try {
    const target = await findTarget(path);
    if (target.pipe) pipes.set(path, pipes.get(path) ?? (await openPipe(path)));
    if (target.device) return;
    const temporary = temporaryName(target.path);
    const file = await open(temporary, 'wx');
    await file.close();
    await rm(temporary);
    await removeLeftovers(target.path);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

async function findTarget(path: string): Promise<Target> {
  const info = await stat(path).catch((error) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!info) return { path, mode: 0o666, device: false, pipe: false };
  if (info.isDirectory()) throw new InputError(`${path}: cannot be written (it is a directory).`);
  await access(path, constants.W_OK);
  const [device, pipe] = [!info.isFile(), info.isFIFO()];
  return { path: device ? path : await realpath(path), mode: info.mode & 0o777, device, pipe };
}

/** Open pipes that will be written to. */
const pipes = new Map<string, FileHandle>();

/** Opens a pipe without blocking: a thread blocked in `open` can be released only by a reader. */
async function openPipe(path: string): Promise<FileHandle> {
  return open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error) => {
    if (systemCode(error) !== 'ENXIO') throw error;
    throw new InputError(`${path}: cannot be written (no program reads from this pipe; start the reader first).`);
  });
}

async function writeDirectly({ path, pipe }: Target, content: FileContent): Promise<void> {
  const file = pipe ? (pipes.get(path) ?? (await openPipe(path))) : await open(path, 'w');
  pipes.delete(path);
  try {
    if (typeof content === 'function') await writeThroughFile(file, content);
    else await writeAll(file, content);
  } finally {
    await file.close();
  }
}

/** Writes an archive to a pipe through a temporary file, because it goes back to write its checksums, which a pipe cannot. */
async function writeThroughFile(pipe: FileHandle, content: (sink: Sink) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'orthodict-'));
  const file = await open(join(folder, 'content'), 'wx+');
  try {
    await rm(folder, { recursive: true }); // the open file remains until the process ends
    await content(fileSink(file));
    await writeAll(pipe, file.createReadStream({ start: 0, autoClose: false }));
  } finally {
    await file.close();
  }
}

async function writeAside({ path, mode }: Target, content: FileContent): Promise<void> {
  const temporary = temporaryName(path);
  const file = await open(temporary, 'wx', mode);
  if (unfinished.size === 0) process.once('exit', removeUnfinished);
  unfinished.add(temporary);
  try {
    try {
      await writeContent(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    unfinished.delete(temporary);
    if (unfinished.size === 0) process.off('exit', removeUnfinished);
  }
}

/** Flushes the folder, if possible, so that the new name lasts too. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows does not open folders, some file systems do not flush them; the file is whole either way.
  }
}

async function writeContent(file: FileHandle, content: FileContent): Promise<void> {
  if (typeof content === 'function') await content(fileSink(file));
  else await writeAll(file, content);
}

/** Unique per process and time; opening with `wx` fails on a collision. */
function temporaryName(path: string): string {
  const moment = BigInt.asUintN(32, process.hrtime.bigint()).toString(16).padStart(8, '0');
  return join(dirname(path), `.${basename(path)}.${process.pid}-${moment}.tmp`);
}

/** Age from which a temporary file is abandoned: one that a process on another machine is writing changes more often. */
const ABANDONED_MILLISECONDS = 60_000;

async function removeLeftovers(path: string): Promise<void> {
  const prefix = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const pid = name.startsWith(prefix) ? /^(\d+)-[0-9a-f]{8}\.tmp$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    const leftover = join(dirname(path), name);
    const info = await stat(leftover).catch(() => undefined);
    if (info && Date.now() - info.mtimeMs > ABANDONED_MILLISECONDS) await rm(leftover, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // Nothing can be done about it while exiting.
    }
  }
}
