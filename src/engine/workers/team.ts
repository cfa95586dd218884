/** The workers of an executor: what they are sent, what they send back, and whether all are alive. */
import { InputError } from '../../core/errors.ts';
import type { Reply, ToWorker, WorkerPort } from './protocol.ts';

/** A worker, as its caller sees it. */
export class Member {
  /** Blocks under way by message, and their chunks. */
  readonly load = { blocks: 0, chunks: 0 };
  /** Passes by message that have ended since the last one. */
  ended: number[] = [];
  /** Set while the worker attends at a board, where it hears no messages: sends it back to them. */
  callAway: (() => void) | undefined;

  constructor(
    readonly port: WorkerPort,
    readonly number: number,
  ) {}

  post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.port.post(message, transfer);
    this.listen();
  }

  listen(): void {
    this.callAway?.();
    this.callAway = undefined;
  }

  unload(chunks: number): void {
    this.load.blocks--;
    this.load.chunks -= chunks;
    this.port.release();
  }
}

export class Team {
  /** Why no pass can be computed any more. */
  broken: Error | undefined;
  readonly members: Member[] = [];
  readonly #inboxes = new Map<number, Inbox>();
  #runs = 0;

  join(port: WorkerPort): void {
    const member = new Member(port, this.members.length);
    this.members.push(member);
    port.onReply((reply) => {
      if (reply.chunks !== undefined) member.unload(reply.chunks);
      this.#inboxes.get(reply.run)?.replies.set(reply.block, reply);
      this.wakeAll(); // a free worker may serve any pass
    });
    port.onFailure((error) => this.break(error));
    this.wakeAll();
  }

  /** For the replies to a new run. Close it at the end. */
  openInbox(signal: AbortSignal | undefined): Inbox {
    const run = ++this.#runs;
    const inbox = new Inbox(run, this, signal, () => this.#inboxes.delete(run));
    this.#inboxes.set(run, inbox);
    return inbox;
  }

  break(error: Error): void {
    this.broken ??= error; // the first one is the cause
    this.wakeAll();
  }

  wakeAll(): void {
    for (const inbox of this.#inboxes.values()) inbox.wake();
  }

  async close(): Promise<void> {
    for (const member of this.members) member.listen();
    await Promise.all(this.members.map(({ port }) => port.terminate()));
  }
}

/** Where a running pass waits for its workers. */
export class Inbox {
  readonly replies = new Map<number, Reply>();
  /** Ends {@link news}. */
  wake: () => void = () => {};
  readonly close: () => void;

  constructor(
    readonly run: number,
    readonly team: Team,
    readonly signal: AbortSignal | undefined,
    onClose: () => void,
  ) {
    const onAbort = () => this.wake();
    signal?.addEventListener('abort', onAbort);
    this.close = () => {
      signal?.removeEventListener('abort', onAbort);
      onClose();
    };
  }

  /** Throws if the pass was aborted or its workers have failed. */
  check(): void {
    this.signal?.throwIfAborted();
    if (this.team.broken) throw this.team.broken;
  }

  /** Waits for a reply, an abort or a failure. */
  news(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** Waits for something else, unless the pass is aborted or its workers fail. */
  async until(event: Promise<unknown>): Promise<void> {
    let hasCome = false;
    void event.then(() => {
      hasCome = true;
      this.wake();
    });
    while (!hasCome) {
      this.check();
      await this.news();
    }
    this.check();
  }

  /** The values of a block that has been replied to. */
  take<C>(block: number): readonly C[] {
    const reply = this.replies.get(block)!;
    this.replies.delete(block);
    if ('failure' in reply) throw reply.refused ? new InputError(reply.failure) : new Error(reply.failure);
    return reply.values as readonly C[];
  }
}
