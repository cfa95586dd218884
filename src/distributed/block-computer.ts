/** Computes blocks that come from a queue, which is not trusted. */
import type { Redis } from 'ioredis';
import * as v from 'valibot';
import { InputError } from '../core/errors.ts';
import type { Executor } from '../engine/executor.ts';
import type { AnyPass } from '../engine/pass.ts';
import { registeredPasses } from '../engine/registry.ts';
import type { RowRange, Source } from '../engine/source.ts';
import { type BlockDone, type BlockJob, blockJob, keysOf, LIFE, MOST } from './protocol.ts';
import { openRemote } from './remote-sources.ts';
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

  async #sum(job: BlockJob): Promise<Uint8Array> {
    const pass = passOf(job.pass);
    const params = await this.#paramsOf(job.params);
    const source = await sourceOf(job);
    try {
      if (job.mode === 'sum') {
        const sum = await this.executor.sum(pass, params, source, undefined, job.block);
        return toBytes(sum, `the sum of ${pass.name}`, MOST.result);
      }
      const values: unknown[] = [];
      for await (const value of this.executor.map(pass, params, source, undefined, job.block)) values.push(value);
      return toBytes(values, `a block of ${pass.name}`, MOST.result);
    } finally {
      await source.close?.();
    }
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

function passOf(name: string): AnyPass {
  const pass = registeredPasses().find((each) => each.name === name);
  if (!pass) throw new InputError(`cluster: the pass "${name}" is not one of this package.`);
  return pass;
}

async function sourceOf({ source: wanted }: BlockJob): Promise<Source> {
  const source = await openRemote(wanted.locator);
  const { rows, cols, precision } = source;
  if (rows !== wanted.rows || cols !== wanted.cols || precision !== wanted.precision) {
    await source.close?.();
    const found = `${rows}×${cols} ${precision}`;
    throw new InputError(`cluster: samples must be ${wanted.rows}×${wanted.cols} ${wanted.precision}; got ${found}.`);
  }
  return wanted.ranges ? { ...source, ranges: pairsOf(wanted.ranges) } : source;
}

const pairsOf = (numbers: readonly number[]): RowRange[] =>
  Array.from({ length: numbers.length >> 1 }, (_, k) => ({ start: numbers[2 * k], end: numbers[2 * k + 1] }));
