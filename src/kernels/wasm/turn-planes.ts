/**
 * Turns planes of rows inside the machine's memory. Rows are copied in once for as many planes as possible, and copied
 * back at the end. Successive planes without a common row are one step: their rotations wait for the next step, which
 * applies them and sums over its own planes in one go through the rows (assembly/planes.ts).
 */
import { type FloatArray, type Matrix64, row } from '../../core/matrix.ts';
import type { TurnRequest } from '../kernels.ts';
import type { Arena } from './arena.ts';
import type { Machine } from './module.ts';

/** Bytes of entries in memory, as in assembly/planes.ts. */
const TURN_BYTES = 24;
const PLANE_BYTES = 8;
const SUMS_BYTES = 32;

/** Rows are filled up with zeros to two vectors. */
const UNIT_BYTES = 32;
/** Rows begin this far apart within a page: at the same place they would compete for the same lines of a cache. */
const PAGE_BYTES = 4096;
const SKEW_BYTES = 320;

type Plane = TurnRequest['planes'][number];

export function turnPlanes(machine: Machine, { rows, planes, sums, choose }: TurnRequest): void {
  const bytes = Math.ceil((rows.cols * Float64Array.BYTES_PER_ELEMENT) / UNIT_BYTES) * UNIT_BYTES;
  const most = Math.max(2, Math.floor(machine.sampleBytes / Math.max(1, bytes)));
  for (const part of runsOf(planes, (distinct) => distinct <= most)) {
    const steps = [...runsOf(part, (distinct, all) => distinct === all)];
    const widest = Math.max(...steps.map(({ length }) => length));
    const resident = new ResidentRows(machine, rows, [...new Set(part.flat())], bytes, widest);
    for (const step of steps) resident.turn(step, sums === 'cubic', choose);
    resident.finish();
  }
}

/** Rows in the machine's memory, and the rotations that wait. */
class ResidentRows {
  readonly #machine: Machine;
  readonly #rows: Matrix64;
  /** Where each row begins, and its copy. */
  readonly #places = new Map<number, number>();
  readonly #copies = new Map<number, Float64Array>();
  readonly #bytes: number;
  readonly #turns: Table;
  readonly #planes: Table;
  readonly #sums: Table;
  #waiting = 0;

  /** `names`: numbers of the rows; `bytes`: length of a row; `widest`: most planes in a step. */
  constructor(machine: Machine, rows: Matrix64, names: readonly number[], bytes: number, widest: number) {
    const { arena } = machine;
    arena.reset();
    this.#machine = machine;
    this.#rows = rows;
    this.#bytes = bytes;
    const tables = [TURN_BYTES, PLANE_BYTES, SUMS_BYTES].map((size) => ({ at: arena.take(widest * size), size }));
    const distance = Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES + SKEW_BYTES;
    const first = arena.take(names.length * distance);
    [this.#turns, this.#planes, this.#sums] = tables.map(({ at, size }) => tableAt(arena, at, widest * size));
    names.forEach((name, k) => {
      const place = first + k * distance;
      const copy = arena.view(place, bytes / Float64Array.BYTES_PER_ELEMENT, 'f64') as Float64Array;
      copy.set(row(rows, name));
      copy.fill(0, rows.cols);
      this.#places.set(name, place);
      this.#copies.set(name, copy);
    });
  }

  /** Applies the rotations that wait and sums over these planes, which have no row in common; their rotations wait. */
  turn(step: readonly Plane[], cubic: boolean, choose: TurnRequest['choose']): void {
    const { addresses } = this.#planes;
    for (let k = 0; k < step.length; k++) {
      addresses[2 * k] = this.#places.get(step[k][0])!;
      addresses[2 * k + 1] = this.#places.get(step[k][1])!;
    }
    this.#run(step.length, cubic);
    const sums = new Float64Array(cubic ? 4 : 3);
    for (let k = 0; k < step.length; k++) {
      for (let m = 0; m < sums.length; m++) sums[m] = this.#sums.numbers[4 * k + m];
      const rotation = choose(sums);
      if (rotation) this.#wait(addresses[2 * k], addresses[2 * k + 1], rotation);
    }
  }

  /** Applies the rotations that wait, and copies the rows back. */
  finish(): void {
    this.#run(0, false);
    for (const [name, copy] of this.#copies) row(this.#rows, name).set(copy.subarray(0, this.#rows.cols));
  }

  #run(planes: number, cubic: boolean): void {
    const { exports } = this.#machine;
    exports.turnPlanes(this.#turns.at, this.#waiting, this.#planes.at, planes, cubic, this.#bytes, this.#sums.at);
    this.#waiting = 0;
  }

  #wait(x: number, y: number, rotation: readonly [c: number, s: number]): void {
    const { addresses, numbers } = this.#turns;
    const entry = this.#waiting++;
    addresses[6 * entry] = x;
    addresses[6 * entry + 1] = y;
    numbers[3 * entry + 1] = rotation[0];
    numbers[3 * entry + 2] = rotation[1];
  }
}

/** Entries in memory, as integers and as numbers. */
interface Table {
  readonly at: number;
  readonly addresses: Uint32Array;
  readonly numbers: FloatArray;
}

const tableAt = (arena: Arena, at: number, bytes: number): Table => ({
  at,
  addresses: arena.integers(at, bytes / Uint32Array.BYTES_PER_ELEMENT),
  numbers: arena.view(at, bytes / Float64Array.BYTES_PER_ELEMENT, 'f64'),
});

/** Cuts planes into runs as long as `fits` allows, given the number of their different rows, and of all their rows. */
function* runsOf(
  planes: readonly Plane[],
  fits: (distinct: number, all: number) => boolean,
): Generator<readonly Plane[], void> {
  let start = 0;
  const rows = new Set<number>();
  for (let end = 0; end < planes.length; end++) {
    const more = planes[end].filter((name) => !rows.has(name)).length;
    if (end > start && !fits(rows.size + more, 2 * (end + 1 - start))) {
      yield planes.slice(start, end);
      start = end;
      rows.clear();
    }
    for (const name of planes[end]) rows.add(name);
  }
  if (start < planes.length) yield planes.slice(start);
}
