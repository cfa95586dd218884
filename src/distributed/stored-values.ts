/** Values that jobs refer to by their hash: kept in Redis while a pass needs them, and put back if Redis has lost them. */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LIFE } from './protocol.ts';

interface Held {
  readonly bytes: Uint8Array;
  /** Number of passes that need it. */
  users: number;
}

export class StoredValues {
  readonly #held = new Map<string, Held>();

  constructor(
    readonly redis: Redis,
    readonly keyOf: (hash: string) => string,
  ) {}

  /** Stores a value until it is released; returns its hash. */
  async hold(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const held = this.#held.get(hash) ?? { bytes, users: 0 };
    this.#held.set(hash, held);
    if (held.users++ === 0) await this.#put(hash, bytes);
    return hash;
  }

  /** Lets a value expire soon, unless another pass needs it. */
  async release(hash: string): Promise<void> {
    const held = this.#held.get(hash);
    if (!held || --held.users > 0) return;
    this.#held.delete(hash);
    await this.redis.expire(this.keyOf(hash), LIFE.run);
  }

  /** Renews the expiry of all held values, and puts back lost ones. */
  async keep(): Promise<void> {
    for (const [hash, { bytes }] of [...this.#held]) {
      if (!(await this.redis.expire(this.keyOf(hash), LIFE.value))) await this.#put(hash, bytes);
    }
  }

  async #put(hash: string, bytes: Uint8Array): Promise<void> {
    const { buffer, byteOffset, byteLength } = bytes;
    await this.redis.set(this.keyOf(hash), Buffer.from(buffer, byteOffset, byteLength), 'EX', LIFE.value);
  }
}
