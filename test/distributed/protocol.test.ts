/** The schemas of jobs, sources and members: both sides of every limit. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  blockDone,
  blockJob,
  describeMember,
  keysOf,
  lastingKeys,
  MOST,
  member,
  queueOf,
  remoteSource,
  shardWritten,
} from '#src/distributed/protocol.ts';

const file = { kind: 'file', spec: '/data/x.npy', size: 10, stamp: '1' };
const source = { locator: file, rows: 3, cols: 2, precision: 'f64' };
const hash = 'a0'.repeat(32);
const job = {
  run: 'run-1',
  pass: 'survey',
  params: hash,
  source: hash,
  mode: 'sum',
  block: { first: 0, count: 2, level: 1 },
  result: 'run-1-0',
};
const someone = {
  role: 'worker',
  version: '1.0.0',
  backend: 'wasm-0123',
  threads: 2,
  host: 'here',
  pid: 5,
  seen: 1.5,
};

const isSource = (change: object) => v.is(remoteSource, { ...source, ...change });
const isJob = (change: object) => v.is(blockJob, { ...job, ...change });
const isMember = (change: object) => v.is(member, { ...someone, ...change });

it('limits are those that Redis and passes have', () => {
  expect(MOST).toEqual({ value: 2 ** 28, result: 2 ** 29 - 2 ** 20, chunks: 2 ** 24, name: 4096, files: 4096 });
});

describe('a source', () => {
  it('is files, or a subsample, slice or side of them', () => {
    const files = (count: number) => ({ kind: 'files', of: new Array(count).fill(file) });
    for (const good of [
      file,
      { ...file, limits: { memory: 5 } },
      { ...file, spec: 'x'.repeat(4096), stamp: 'x'.repeat(4096), size: 0 },
      files(1),
      files(4096),
      { kind: 'subsample', of: file, rows: 1, turn: 0 },
      { kind: 'slice', of: files(2), start: 0, end: 1 },
      { kind: 'split', of: { kind: 'subsample', of: file, rows: 9, turn: 3 }, held: 1, side: 'held' },
      { kind: 'split', of: file, held: 4, side: 'learned' },
    ]) {
      expect(isSource({ locator: good })).toBe(true);
    }
    for (const bad of [
      undefined,
      'x.npy',
      { ...file, kind: 'memory' },
      { ...file, spec: '' },
      { ...file, spec: 'x'.repeat(4097) },
      { ...file, stamp: 'x'.repeat(4097) },
      { ...file, size: -1 },
      { ...file, size: 1.5 },
      { ...file, more: 1 },
      { ...file, limits: { memory: 'x' } },
      files(0),
      files(4097),
      { kind: 'files', of: [{ kind: 'slice', of: file, start: 0, end: 1 }] },
      { kind: 'slice', of: { kind: 'memory' }, start: 0, end: 1 },
      { kind: 'split', of: file, held: 0, side: 'held' },
      { kind: 'split', of: file, held: 1, side: 'all' },
    ]) {
      expect(isSource({ locator: bad })).toBe(false);
    }
  });

  it('has a shape, and chunks that may be given', () => {
    for (const good of [{}, { precision: 'f32' }, { ranges: [] }, { ranges: [0, 5] }, { rows: 0 }]) {
      expect(isSource(good)).toBe(true);
    }
    for (const bad of [
      { rows: -1 },
      { cols: 0.5 },
      { precision: 'f16' },
      { ranges: [-1] },
      { ranges: 'x' },
      { x: 1 },
    ]) {
      expect(isSource(bad)).toBe(false);
    }
  });
});

it('a job names a pass, what it needs, and where the result goes', () => {
  const target = { folder: '/out', mark: `run-${'0'.repeat(36)}`, name: 'codes' };
  for (const good of [
    {},
    { mode: 'map' },
    { mode: 'write', target },
    { run: 'x'.repeat(128), result: '_' },
    { pass: 'x'.repeat(4096) },
  ]) {
    expect(isJob(good)).toBe(true);
  }
  for (const bad of [
    { mode: 'read' },
    { run: '' },
    { run: 'x'.repeat(129) },
    { result: 'a:b' },
    { pass: '' },
    { pass: 'x'.repeat(4097) },
    { params: hash.slice(1) },
    { params: `${hash}0` },
    { source: hash.toUpperCase() },
    { block: { first: 0, count: 2 } },
    { block: { first: -1, count: 2, level: 1 } },
    { target: { ...target, mark: 'x' } },
    { target: { ...target, name: '../x' } },
    { target: { ...target, folder: '' } },
    { more: 1 },
  ]) {
    expect(isJob(bad)).toBe(false);
  }
});

it('a member says who it is, in few words', () => {
  for (const good of [{}, { role: 'driver', threads: 0 }, { version: 'x'.repeat(64), host: 'x'.repeat(256) }]) {
    expect(isMember(good)).toBe(true);
  }
  for (const bad of [
    { role: 'king' },
    { version: 'x'.repeat(65) },
    { backend: 'x'.repeat(65) },
    { host: 'x'.repeat(257) },
    { threads: -1 },
    { pid: 1.5 },
    { seen: 'now' },
  ]) {
    expect(isMember(bad)).toBe(false);
  }
  expect(describeMember(someone as never)).toBe('worker here:5 (version 1.0.0, wasm-0123, 2 threads)');
  expect(describeMember({ ...someone, threads: 1 } as never)).toContain('1 thread)');
  expect(describeMember({ ...someone, threads: 0 } as never)).toContain('0 threads)');
});

it('answers are counts', () => {
  expect([v.is(blockDone, { bytes: 0, seconds: 0.5 }), v.is(blockDone, { bytes: 0.5, seconds: 1 })]).toEqual([
    true,
    false,
  ]);
  expect([v.is(shardWritten, { rows: 1, kept: 0 }), v.is(shardWritten, { rows: 1 })]).toEqual([true, false]);
});

it('keys have the name of the queue, and those that expire by themselves are not kept', () => {
  const keys = keysOf('q');
  expect([keys.value('h'), keys.result('j'), keys.run('r'), keys.members]).toEqual([
    'q:value:h',
    'q:result:j',
    'q:run:r',
    'q:members',
  ]);
  expect(queueOf('q', '1.0', 'wasm')).toBe('q-1.0-wasm');
  const queue = { wait: 'w', 'stalled-check': 's', limiter: 'l', meta: 'm' };
  expect(lastingKeys('q', queue)).toEqual(['q:members', 'w', 'm']);
});
