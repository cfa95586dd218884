/** Keeps the list of members of a queue: drivers and workers report every few seconds, and notice those that do not fit. */
import type { Redis } from 'ioredis';
import * as v from 'valibot';
import { describeMember, LIFE, type Member, member } from './protocol.ts';

/** Milliseconds between two heartbeats. */
const EVERY = 5000;

/** Heartbeat of one member. */
export class Presence {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #keys: readonly string[];
  readonly #id: string;
  readonly #self: Omit<Member, 'seen'>;
  readonly #timer: NodeJS.Timeout;
  /** Members that do not fit and have been reported. */
  readonly #named = new Set<string>();
  readonly #say: (words: string) => void;

  private constructor(
    redis: Redis,
    keys: readonly string[],
    id: string,
    self: Omit<Member, 'seen'>,
    say: (words: string) => void,
  ) {
    this.#redis = redis;
    this.#key = keys[0];
    this.#keys = keys;
    this.#id = id;
    this.#self = self;
    this.#say = say;
    this.#timer = setInterval(() => void this.#tell().catch(() => {}), EVERY); // Redis may be unavailable for a while
    this.#timer.unref();
  }

  /** Starts the heartbeat. `keys`: that of the members, and others that expire when nobody has been there for a while. */
  static async begin(
    redis: Redis,
    keys: readonly string[],
    id: string,
    self: Omit<Member, 'seen'>,
    say: (words: string) => void,
  ): Promise<Presence> {
    const presence = new Presence(redis, keys, id, self, say);
    await presence.#tell();
    return presence;
  }

  async #tell(): Promise<void> {
    await this.#redis.hset(this.#key, this.#id, JSON.stringify({ ...this.#self, seen: await this.#now() }));
    await this.keep();
    await this.others();
  }

  /** Renews the expiry of the keys; call it when one of them may have been created. */
  async keep(): Promise<void> {
    await Promise.all(this.#keys.map((key) => this.#redis.expire(key, LIFE.value)));
  }

  /** Returns milliseconds by the clock of the server: those of machines differ. */
  async #now(): Promise<number> {
    return 1000 * Number((await this.#redis.time())[0]);
  }

  /** Returns workers that fit, and reports every other member of the opposite role once. */
  async others(): Promise<Member[]> {
    const own = this.#self;
    const [all, now] = await Promise.all([this.#redis.hgetall(this.#key), this.#now()]);
    const fitting: Member[] = [];
    for (const [id, text] of Object.entries(all)) {
      const found = parseMember(text);
      if (!found || now - found.seen > 1000 * LIFE.member) {
        await this.#redis.hdel(this.#key, id);
        continue;
      }
      if (found.role === own.role) continue;
      if (found.version === own.version && found.backend === own.backend) fitting.push(found);
      else this.#nameOnce(id, found);
    }
    return fitting;
  }

  #nameOnce(id: string, found: Member): void {
    if (this.#named.has(id)) return;
    this.#named.add(id);
    const { version, backend } = this.#self;
    this.#say(`not used: ${describeMember(found)}; this is version ${version}, ${backend}.`);
  }

  /** Stops the heartbeat; others notice after a while. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** Stops the heartbeat and leaves the list. */
  async end(): Promise<void> {
    this.stop();
    await this.#redis.hdel(this.#key, this.#id);
    await this.keep();
  }
}

function parseMember(text: string): Member | undefined {
  try {
    return v.parse(member, JSON.parse(text));
  } catch {
    return undefined;
  }
}
