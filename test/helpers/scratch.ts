/** A directory for the files of one test file, removed at the end. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export interface Scratch {
  readonly path: string;
  file(name: string): string;
}

export function scratchDirectory(): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'orthodict-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return { path, file: (name) => join(path, name) };
}

export const leftoverFiles = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder).filter((name) => pattern.test(name));
