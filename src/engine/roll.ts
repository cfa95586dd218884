/**
 * Who attends at a board, and what each has been told: a pass once, a shared buffer once. Rounds refer to shared buffers
 * (samples, rows that are turned in place) by number. Workers forget those that nobody in the caller's thread has any
 * more.
 */
import type { Board } from './board.ts';
import type { SharedMemory } from './flat.ts';
import type { AnyPass } from './pass.ts';
import { introduce } from './registry.ts';
import type { Member } from './team.ts';

interface Told {
  readonly passes: Set<string>;
  readonly buffers: Set<number>;
  /** Numbers of buffers to forget, with the next message. */
  forget: number[];
  arena: SharedArrayBuffer | undefined;
  visits: number;
}

export class Roll {
  readonly #board: Board;
  readonly #told = new Map<Member, Told>();
  readonly #numbers = new WeakMap<SharedMemory, number>();
  readonly #collected: FinalizationRegistry<number>;
  #buffers = 0;
  /** Buffers of the round that is being written. */
  readonly #named = new Map<number, SharedMemory>();
  #present: readonly Member[] = [];

  constructor(board: Board) {
    this.#board = board;
    this.#collected = new FinalizationRegistry((number) => {
      for (const told of this.#told.values()) if (told.buffers.delete(number)) told.forget.push(number);
    });
  }

  /** The number of a buffer in the round that is being written. */
  readonly numberOf = (buffer: SharedMemory): number => {
    const number = this.#numbers.get(buffer) ?? ++this.#buffers;
    if (!this.#numbers.has(buffer)) {
      this.#numbers.set(buffer, number);
      this.#collected.register(buffer, number);
    }
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
    if (member.callAway && told.arena === arena && passes.length + buffers.length === 0) return;
    const [seat, visit] = [member.number, ++told.visits];
    member.post({ words, arena, seat, visit, passes, buffers, forget: told.forget });
    member.callAway = () => this.#board.callAway(seat, visit);
    told.arena = arena;
    told.forget = [];
    told.passes.add(pass.name);
    for (const [number] of buffers) told.buffers.add(number);
  }

  #toldTo(member: Member): Told {
    const nothing = { passes: new Set<string>(), buffers: new Set<number>(), forget: [], arena: undefined, visits: 0 };
    const told: Told = this.#told.get(member) ?? nothing;
    this.#told.set(member, told);
    return told;
  }
}
