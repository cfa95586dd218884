/** Computes blocks that come from a queue, which is not trusted. */
import type { Redis } from 'ioredis';
import * as v from 'valibot';
import { InputError } from '../core/errors.ts';
import type { Executor } from '../engine/executor.ts';
import { computeBlock } from './compute-block.ts';
import { type BlockDone, type BlockJob, blockJob, keysOf, LIFE, MOST } from './protocol.ts';
import { fromBytes, toBytes } from './wire.ts';

/** Parameters of passes that are kept. */
const KEPT = 8;

export class BlockComputer {
  /** Parameters by their hash, the last used last. */
  readonly #params = new Map<string, unknown>();

  constructor(
    readonly executor: Executor,
    readonly redis: Redis,
    readonly name: string,
  ) {}

  async compute(data: unknown): Promise<BlockDone | null> {
    const parsed = v.safeParse(blockJob, data);
    if (!parsed.success)
      throw new InputError(`cluster: a job is damaged (${v.getDotPath(parsed.issues[0]) ?? 'form'}).`);
    const job = parsed.output;
    const keys = keysOf(this.name);
    if (!(await this.redis.exists(keys.run(job.run)))) return null; // its driver is gone
    const started = performance.now();
    const bytes = await this.#sum(job);
    await this.redis.set(keys.result(job.result), Buffer.from(bytes.buffer), 'EX', LIFE.result);
    return { bytes: bytes.length, seconds: (performance.now() - started) / 1000 };
  }

  async #sum({ pass, mode, source, block, ...job }: BlockJob): Promise<Uint8Array> {
    const params = await this.#paramsOf(job.params);
    return toBytes(
      await computeBlock(this.executor, { pass, mode, params, source }, block),
      `a block of ${pass}`,
      MOST.result,
    );
  }

  async #paramsOf(hash: string): Promise<unknown> {
    const known = this.#params.has(hash) ? this.#params.get(hash) : await this.#fetch(hash);
    this.#params.delete(hash);
    this.#params.set(hash, known);
    for (const oldest of this.#params.keys()) {
      if (this.#params.size <= KEPT) break;
      this.#params.delete(oldest);
    }
    return known;
  }

  async #fetch(hash: string): Promise<unknown> {
    const bytes = await this.redis.getBuffer(keysOf(this.name).params(hash));
    if (!bytes) throw new Error('cluster: the parameters of a pass are no longer there.');
    return fromBytes(bytes);
  }
}
