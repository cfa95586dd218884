/** A file is complete or absent, and the old one survives every failure. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { checkWritable, writeAtomically } from '#src/node/io/atomic-write.ts';
import { writeFailure } from '#src/node/io/file-errors.ts';
import { scratchFiles } from '../../helpers/files.ts';

const { directory, inDirectory, put, refusal } = scratchFiles();

const text = (content: string) => [Buffer.from(content)];
const temporaries = () => readdirSync(directory).filter((name) => name.endsWith('.tmp'));

describe('writeAtomically', () => {
  it('writes chunks from memory, from a generator and from a function', async () => {
    const path = inDirectory('out');
    await writeAtomically(path, text('one'));
    expect(readFileSync(path, 'utf8')).toBe('one');
    async function* produced() {
      yield* text('two');
      yield* text('three');
    }
    await writeAtomically(path, produced());
    expect(readFileSync(path, 'utf8')).toBe('twothree');
    await writeAtomically(path, async (sink) => {
      await sink.write(text('four'));
    });
    expect(readFileSync(path, 'utf8')).toBe('four');
    expect(temporaries()).toEqual([]);
  });

  it('writes, flushes the file, renames it and flushes the folder, in this order', async () => {
    const path = put('in-order', 'old');
    const calls: string[] = [];
    const probe = await open(path, 'r');
    const prototype = Object.getPrototypeOf(probe);
    await probe.close();
    const { sync } = prototype;
    const contentOf = () => readFileSync(path, 'utf8');
    prototype.sync = async function (this: FileHandle) {
      calls.push(`${(await this.stat()).isDirectory() ? 'folder' : 'file'} flushed over ${contentOf()}`);
      return sync.call(this);
    };
    try {
      await writeAtomically(path, text('new'));
      expect(calls).toEqual(['file flushed over old', 'folder flushed over new']);
      calls.length = 0;
      prototype.sync = async function (this: FileHandle) {
        if (!(await this.stat()).isDirectory()) return sync.call(this);
        calls.push('folder');
        throw Object.assign(new Error('EINVAL'), { code: 'EINVAL', syscall: 'fsync' });
      };
      await writeAtomically(path, text('newer'));
      expect([calls, contentOf()]).toEqual([['folder'], 'newer']);
    } finally {
      prototype.sync = sync;
    }
  });

  it('watches over the exit of the process only while it writes', async () => {
    const before = process.listenerCount('exit');
    const during: number[] = [];
    async function* content() {
      during.push(process.listenerCount('exit'));
      yield* text('x');
      if (during.length === 3) throw new InputError('enough');
    }
    for (let k = 0; k < 2; k++) await writeAtomically(inDirectory('watched'), content());
    expect(await refusal(writeAtomically(inDirectory('watched'), content()))).toBe('enough');
    expect(during).toEqual([before + 1, before + 1, before + 1]);
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('leaves no temporary file when the process ends while it writes, and the old file', async () => {
    const path = put('ended', 'old');
    const listeners = process.listeners('exit');
    async function* content() {
      yield* text('new');
      expect(temporaries()).toHaveLength(1);
      for (const atExit of process.listeners('exit')) if (!listeners.includes(atExit)) atExit(0);
      expect(temporaries()).toEqual([]);
    }
    await expect(writeAtomically(path, content())).rejects.toThrow(); // the file that was to be renamed is gone
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('keeps the old file and leaves no temporary file when the content fails', async () => {
    const path = put('kept', 'old');
    async function* failing() {
      yield* text('new');
      throw new InputError('learn: stopped.');
    }
    expect(await refusal(writeAtomically(path, failing()))).toBe('learn: stopped.');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(temporaries()).toEqual([]);
    async function* short() {
      yield Float32Array.of(1);
    }
    const array = { shape: [2], precision: 'f32', pieces: short() } as const;
    await expect(writeArrays(inDirectory('short.npz'), { array })).rejects.toThrow('expected 8 bytes; got 4');
    expect(existsSync(inDirectory('short.npz'))).toBe(false);
  });

  it('keeps permissions and writes through symbolic links', async () => {
    const path = put('private', 'old');
    chmodSync(path, 0o600);
    symlinkSync(path, inDirectory('link'));
    await writeAtomically(inDirectory('link'), text('new'));
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('does not replace devices', async () => {
    await writeArray('/dev/null', { shape: [1], data: Float64Array.of(1) });
    await writeArrays('/dev/null', { a: { shape: [1], data: Float64Array.of(1) } });
    await checkWritable('/dev/null');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('failures', () => {
  it('have the same message before and after a computation', async () => {
    mkdirSync(inDirectory('folder'));
    put('file', '');
    const cases: [string, string][] = [
      ['nowhere/model.npz', `nowhere/model.npz: cannot be written (no such directory ${inDirectory('nowhere')}).`],
      ['folder', 'folder: cannot be written (it is a directory).'],
      ['file/model.npz', 'file/model.npz: cannot be written (a part of the path is not a directory).'],
    ];
    for (const [path, sentence] of cases) {
      const expected = sentence.replaceAll(`${directory}/`, '');
      expect(await refusal(checkWritable(inDirectory(path)))).toBe(expected);
      expect(await refusal(writeAtomically(inDirectory(path), text('x')))).toBe(expected);
    }
    await checkWritable(inDirectory('new.npz'));
    expect(existsSync(inDirectory('new.npz'))).toBe(false);
    expect(temporaries()).toEqual([]);
  });

  it('give the reason of the operating system, and pass on other errors', () => {
    const system = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' });
    expect(String(writeFailure('m.npz', system('ENOSPC')))).toBe(
      'InputError: m.npz: cannot be written (no space left on the device).',
    );
    expect(String(writeFailure('m.npz', system('EACCES')))).toBe(
      'InputError: m.npz: cannot be written (no permission).',
    );
    const other = new TypeError('a bug');
    expect(writeFailure('m.npz', other)).toBe(other);
  });
});

describe('leftovers of killed processes', () => {
  const DEAD = 2 ** 22 + 1; // above the largest process number of Linux
  const old = new Date(Date.now() - 3_600_000);

  it('are removed before the same file is written again, and nothing else is', async () => {
    const names = [
      `.m.npz.${DEAD}-0123abcd.tmp`,
      `.m.npz.${process.pid}-0123abcd.tmp`,
      `.other.npz.${DEAD}-0123abcd.tmp`,
    ];
    names.push(`.m.npz.${DEAD}-0123abcd.tmp.gz`, `.m.npz.${DEAD}-xyz.tmp`);
    for (const name of names) utimesSync(put(name, 'x'), old, old);
    put(`.m.npz.${DEAD}-ffffffff.tmp`, 'perhaps written by another machine at this moment');
    await checkWritable(inDirectory('m.npz'));
    const left = readdirSync(directory).filter((name) => /^\.(m|other)\.npz/.test(name));
    expect(left.sort()).toEqual([...names.slice(1), `.m.npz.${DEAD}-ffffffff.tmp`].sort());
  });
});
