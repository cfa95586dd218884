/**
 * Rotates rows plane by plane, by assembly/planes.ts. Successive planes without a common row are one step: their rotations wait
 * for the next step, which applies them and sums over its own planes in one go through the rows.
 *
 * Rows in shared WebAssembly memory (plane-rows.ts) are rotated in place. Others are copied into the machine's
 * memory, once for as many planes as possible, and copied back. Both do the same arithmetic.
 */
import { precisionOf, row } from '../../core/matrix.ts';
import type { RotateRequest } from '../kernels.ts';
import type { Machine, SharedExports } from './module.ts';
import { HEADER_BYTES, spreadBytes } from './plane-rows.ts';

type Plane = RotateRequest['planes'][number];

export function rotatePlanes(machine: Machine, request: RotateRequest): void {
  const { rows, planes } = request;
  if (rows.memory) {
    const at = rows.data.byteOffset - rows.rows * HEADER_BYTES;
    const exports = machine.on(rows.memory);
    const bytes = rows.cols * rows.data.BYTES_PER_ELEMENT;
    rotateSteps(exports, { buffer: rows.memory.buffer, at, rows: rows.rows, bytes }, planes, request);
    return;
  }
  const bytes = spreadBytes(rows.cols * rows.data.BYTES_PER_ELEMENT);
  const most = Math.max(2, Math.floor(machine.sampleBytes / bytes));
  for (const part of runsOf(planes, (distinct) => distinct <= most)) rotateCopies(machine, part, bytes, request);
}

/** Copies the rows of these planes into the machine's memory, `bytes` apart, rotates them there, and copies them back. */
function rotateCopies(
  { arena, exports }: Machine,
  planes: readonly Plane[],
  bytes: number,
  request: RotateRequest,
): void {
  const { rows } = request;
  const names = [...new Set(planes.flat())];
  const places = new Map(names.map((name, k) => [name, k]));
  const width = bytes / rows.data.BYTES_PER_ELEMENT;
  arena.reset();
  const at = arena.take(names.length * (HEADER_BYTES + bytes));
  const copies = arena.view(at + names.length * HEADER_BYTES, names.length * width, precisionOf(rows));
  names.forEach((name, k) => {
    copies.set(row(rows, name), k * width);
    copies.fill(0, k * width + rows.cols, (k + 1) * width);
  });
  const copied = planes.map(([i, j]) => [places.get(i)!, places.get(j)!] as const);
  rotateSteps(exports, { buffer: copies.buffer, at, rows: names.length, bytes }, copied, request);
  names.forEach((name, k) => {
    row(rows, name).set(copies.subarray(k * width, k * width + rows.cols));
  });
}

/** Headers, then rows of `bytes` each, from address `at` of a memory. */
interface Place {
  readonly buffer: ArrayBufferLike;
  readonly at: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Offsets of the entries of a header, in numbers of 4 and of 8 bytes; the end of a list. */
const ROTATION = { next: 0, y: 1, factors: 1 };
const SUM = { next: 6, y: 7, sums: 4 };
const END = -1;

function rotateSteps(
  exports: SharedExports,
  { buffer, at, rows, bytes }: Place,
  planes: readonly Plane[],
  { rows: given, sums, choose }: RotateRequest,
): void {
  const rotateStep = exports[`rotatePlanes_${precisionOf(given)}`];
  const links = new Int32Array(buffer, at, (rows * HEADER_BYTES) / 4);
  const numbers = new Float64Array(buffer, at, (rows * HEADER_BYTES) / 8);
  const [first, cubic] = [at + rows * HEADER_BYTES, sums === 'cubic'];
  const found = new Float64Array(cubic ? 4 : 3);
  let waiting = END;
  for (const step of runsOf(planes, (distinct, all) => distinct === all)) {
    let list = END;
    for (const [i, j] of step) {
      links[16 * i + SUM.next] = list;
      links[16 * i + SUM.y] = j;
      list = i;
    }
    rotateStep(at, first, bytes, bytes, waiting, list, cubic);
    waiting = END;
    for (const [i, j] of step) {
      for (let k = 0; k < found.length; k++) found[k] = numbers[8 * i + SUM.sums + k];
      const rotation = choose(found);
      if (!rotation) continue;
      numbers[8 * i + ROTATION.factors] = rotation[0];
      numbers[8 * i + ROTATION.factors + 1] = rotation[1];
      links[16 * i + ROTATION.next] = waiting;
      links[16 * i + ROTATION.y] = j;
      waiting = i;
    }
  }
  rotateStep(at, first, bytes, bytes, waiting, END, cubic);
}

/** Cuts planes into runs as long as `fits` allows; it gets the number of distinct rows of a run, and of all its rows. */
function* runsOf(
  planes: readonly Plane[],
  fits: (distinct: number, all: number) => boolean,
): Generator<readonly Plane[], void> {
  let start = 0;
  const rows = new Set<number>();
  for (let end = 0; end < planes.length; end++) {
    const [i, j] = planes[end];
    const more = (rows.has(i) ? 0 : 1) + (rows.has(j) ? 0 : 1);
    if (end > start && !fits(rows.size + more, 2 * (end + 1 - start))) {
      yield planes.slice(start, end);
      start = end;
      rows.clear();
    }
    rows.add(i).add(j);
  }
  if (start < planes.length) yield planes.slice(start);
}
