/** Computes blocks that come from a queue, which is untrusted. */
import type { Redis } from 'ioredis';
import * as v from 'valibot';
import type { Executor } from '../engine/executor.ts';
import { computeBlock } from './compute-block.ts';
import { damaged, requireBounded } from './form.ts';
import { type BlockDone, type BlockJob, blockJob, keysOf, LIFE, MOST, remoteSource } from './protocol.ts';
import { fromBytes, fromText, resultBytes } from './wire.ts';

/** Number of values to keep: parameters of passes, sources. */
const KEPT = 8;

export class BlockComputer {
  /** Values by kind and hash, the last used last. */
  readonly #values = new Map<string, unknown>();

  constructor(
    readonly executor: Executor,
    readonly redis: Redis,
    readonly name: string,
  ) {}

  async compute(data: unknown): Promise<BlockDone | null> {
    const job = parsed('a job', blockJob, data);
    const keys = keysOf(this.name);
    if (!(await this.redis.exists(keys.run(job.run)))) return null; // its driver is gone
    const started = performance.now();
    const bytes = await this.#sum(job);
    await this.redis.set(keys.result(job.result), Buffer.from(bytes.buffer), 'EX', LIFE.result);
    return { bytes: bytes.length, seconds: (performance.now() - started) / 1000 };
  }

  async #sum({ pass, mode, target, block, ...job }: BlockJob): Promise<Uint8Array> {
    const params = await this.#valueOf('params', job.params, fromBytes);
    const source = await this.#valueOf('source', job.source, (bytes) =>
      parsed('a source', remoteSource, fromText(bytes)),
    );
    requireBounded(pass, params);
    const request = { pass, mode, params, source, target };
    const value = await computeBlock(this.executor, request, block).catch((error) => {
      throw error instanceof TypeError ? damaged(`a job of ${pass} is`, error.message) : error;
    });
    return resultBytes(value, `a block of ${pass}`, MOST.result);
  }

  async #valueOf<T>(kind: string, hash: string, read: (bytes: Uint8Array) => T): Promise<T> {
    const name = `${kind} ${hash}`;
    const known = (this.#values.has(name) ? this.#values.get(name) : read(await this.#fetch(hash))) as T;
    this.#values.delete(name);
    this.#values.set(name, known);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= KEPT) break;
      this.#values.delete(oldest);
    }
    return known;
  }

  async #fetch(hash: string): Promise<Uint8Array> {
    const bytes = await this.redis.getBuffer(keysOf(this.name).value(hash));
    if (!bytes) throw new Error('cluster: the parameters of a pass are no longer there.');
    return bytes;
  }
}

function parsed<S extends v.GenericSchema>(what: string, schema: S, data: unknown): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, data);
  if (success) return output;
  throw damaged(`${what} is`, v.getDotPath(issues[0]) ?? 'form');
}
