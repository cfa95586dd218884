/**
 * Who attends at a board, and what each has been told: a pass once, a shared buffer as long as it is of use. Rounds refer to
 * shared buffers (samples, rows that are turned in place) by number. A worker knows those of its last round, and of those
 * used before as many as {@link MOST_KEPT} allows; it forgets the others, and is told again of one that comes back.
 */
import { weigh } from '../../core/shared-memory.ts';
import type { AnyPass } from '../pass.ts';
import { introduce } from '../registry.ts';
import type { Board } from './control-block.ts';
import { type SharedMemory, sizeOf } from './plain-data.ts';
import type { Member } from './team.ts';

/** Bytes of shared memory that a worker knows of without need. */
const MOST_KEPT = 1 << 26;

interface Told {
  readonly passes: Set<string>;
  /** Bytes of buffers by their numbers; those used last are last. */
  readonly buffers: Map<number, number>;
  arena: SharedArrayBuffer | undefined;
  visits: number;
}

export class Roll {
  readonly #board: Board;
  readonly #told = new Map<Member, Told>();
  readonly #numbers = new WeakMap<SharedMemory, number>();
  #buffers = 0;
  /** Buffers of the round that is being written. */
  readonly #named = new Map<number, SharedMemory>();
  #present: readonly Member[] = [];

  constructor(board: Board) {
    this.#board = board;
  }

  /** The number of a buffer in the round that is being written. */
  readonly numberOf = (buffer: SharedMemory): number => {
    const number = this.#numbers.get(buffer) ?? ++this.#buffers;
    this.#numbers.set(weigh(buffer, sizeOf(buffer)), number);
    this.#named.set(number, buffer);
    return number;
  };

  /** Sees to it that the members attend and know all that the written round refers to. They keep the process alive. */
  call(members: readonly Member[], pass: AnyPass): void {
    for (const member of members) {
      this.#tell(member, pass);
      member.port.hold();
    }
    this.#present = members;
    this.#named.clear();
  }

  /** The round is over. */
  dismiss(): void {
    for (const { port } of this.#present) port.release();
    this.#present = [];
  }

  #tell(member: Member, pass: AnyPass): void {
    const told = this.#toldTo(member);
    const { words, arena } = this.#board;
    const passes = told.passes.has(pass.name) ? [] : [introduce(pass)];
    const buffers = [...this.#named].filter(([number]) => !told.buffers.has(number));
    const forget = this.#outdated(told);
    if (member.callAway && told.arena === arena && passes.length + buffers.length + forget.length === 0) return;
    const [seat, visit] = [member.number, ++told.visits];
    member.post({ words, arena, seat, visit, passes, buffers, forget });
    member.callAway = () => this.#board.callAway(seat, visit);
    told.arena = arena;
    told.passes.add(pass.name);
  }

  /** Takes note of the buffers of the written round; the numbers of those that are to be forgotten for it. */
  #outdated({ buffers }: Told): number[] {
    for (const [number, buffer] of this.#named) {
      buffers.delete(number);
      buffers.set(number, sizeOf(buffer));
    }
    const older = [...buffers].slice(0, buffers.size - this.#named.size);
    let kept = older.reduce((sum, [, bytes]) => sum + bytes, 0);
    const forget: number[] = [];
    for (const [number, bytes] of older) {
      if (kept <= MOST_KEPT) break;
      kept -= bytes;
      buffers.delete(number);
      forget.push(number);
    }
    return forget;
  }

  #toldTo(member: Member): Told {
    const nothing = { passes: new Set<string>(), buffers: new Map<number, number>(), arena: undefined, visits: 0 };
    const told: Told = this.#told.get(member) ?? nothing;
    this.#told.set(member, told);
    return told;
  }
}
