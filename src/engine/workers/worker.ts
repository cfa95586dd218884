/** A worker: computes blocks of chunks in order of arrival and replies to each, or waits at a control block and computes there. */
import { weigh } from '../../core/shared-memory.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { type AnyPass, type ResolvePass, resolvePass } from '../pass.ts';
import type { OpenLocator } from '../source/locator.ts';
import type { Source } from '../source/source.ts';
import { sumTree } from '../sum-tree.ts';
import { ControlBlock, chunkReader, type JobHeader, SENT, sumBlock, WRITTEN } from './control-block.ts';
import { noReference, plainDataBytes, type SharedMemory, sizeOf } from './plain-data.ts';
import {
  type ChunkRequest,
  type ComputeRequest,
  failureOf,
  type JobDescription,
  type Reply,
  type SendReply,
  sendOrReport,
  type ToWorker,
  type WaitRequest,
} from './protocol.ts';

/** Returns the handler of the messages to a worker. `resolve`: how it finds a pass. */
export function createBlockWorker(
  kernels: Kernels,
  openLocator: OpenLocator,
  sendReply: SendReply,
  resolve: ResolvePass = resolvePass,
): (message: ToWorker) => void {
  const send = sendOrReport(sendReply);
  const sharedMemory = new SharedMemoryWorker(kernels, send, resolve);
  const messages = new MessageWorker(kernels, openLocator, resolve);
  let last = Promise.resolve();
  return (message) => {
    last = last.then(async () => {
      if ('control' in message) await sharedMemory.wait(message);
      else send(await messages.reply(message));
    });
  };
}

/** A job that has begun in this worker. */
interface OpenJob {
  readonly pass: AnyPass;
  readonly params: unknown;
  readonly source: Source | undefined;
  readonly mode: JobDescription['mode'];
}

/** Computes blocks that come by message. */
class MessageWorker {
  readonly #kernels: Kernels;
  readonly #openLocator: OpenLocator;
  readonly #resolve: ResolvePass;
  readonly #jobs = new Map<number, OpenJob>();

  constructor(kernels: Kernels, openLocator: OpenLocator, resolve: ResolvePass) {
    this.#kernels = kernels;
    this.#openLocator = openLocator;
    this.#resolve = resolve;
  }

  async reply({ job: id, begin, block, chunks, ended }: ComputeRequest): Promise<Reply> {
    const reply = { job: id, block, chunks: chunks.length };
    try {
      for (const job of ended) {
        await this.#jobs.get(job)?.source?.close?.();
        this.#jobs.delete(job);
      }
      if (begin) this.#jobs.set(id, await this.#begin(begin));
      const job = this.#jobs.get(id);
      if (!job) throw new Error('the pass could not begin in this worker.');
      return { ...reply, values: await this.#compute(job, chunks) };
    } catch (error) {
      return { ...reply, ...failureOf(error) };
    }
  }

  async #begin({ pass, params, locator, mode }: JobDescription): Promise<OpenJob> {
    return { pass: await this.#resolve(pass), params, source: locator && (await this.#openLocator(locator)), mode };
  }

  /** Computes a block that came by message: its samples may have to be waited for. In shared memory: `sumBlock`. */
  async #compute({ pass, params, source, mode }: OpenJob, chunks: readonly ChunkRequest[]): Promise<unknown[]> {
    const tree = sumTree(pass.add);
    const values: unknown[] = [];
    for (const { index, start, end, samples } of chunks) {
      const chunk = { samples: samples ?? (await source!.read(start, end)), start, index };
      const contribution = pass.contribute(chunk, params, this.#kernels);
      if (mode === 'sum') tree.push(contribution);
      else values.push(contribution);
    }
    return mode === 'sum' ? [tree.total()] : values;
  }
}

/** Computes blocks of the jobs at a control block. */
export class SharedMemoryWorker {
  readonly #kernels: Kernels;
  readonly #send: SendReply;
  readonly #resolve: ResolvePass;
  /** The passes known so far, or why they could not be loaded. */
  readonly #passes = new Map<string, AnyPass | Error>();
  readonly #buffers = new Map<number, SharedMemory>();

  constructor(kernels: Kernels, send: SendReply, resolve: ResolvePass) {
    this.#kernels = kernels;
    this.#send = send;
    this.#resolve = resolve;
  }

  /** Takes in what the worker does not know yet, then blocks its thread until it is interrupted. */
  async wait({ control: words, arena, worker, epoch, passes, buffers, forget }: WaitRequest): Promise<void> {
    for (const number of forget) this.#buffers.delete(number);
    for (const [number, buffer] of buffers) this.#buffers.set(number, weigh(buffer, sizeOf(buffer)));
    for (const pass of passes) this.#passes.set(pass.name, await this.#resolve(pass).catch(asError));
    const control = new ControlBlock(words, arena);
    for (;;) {
      const { wakeCount } = control; // read before looking at the job, so as not to miss what changes meanwhile
      const isOpen = control.enter(worker);
      const isInterrupted = control.isInterrupted(worker, epoch);
      if (isOpen && !isInterrupted) this.#takeBlocks(control);
      control.leave();
      if (isInterrupted) return;
      control.sleep(wakeCount);
    }
  }

  #takeBlocks(control: ControlBlock): void {
    const at = ControlBlock.headerOffset(control.blocks);
    const header = control.data.read(at, (number) => this.#bufferOf(number)) as JobHeader;
    const { job, slots } = header;
    for (let block = control.take(); block !== undefined; block = control.take()) {
      try {
        const summed = this.#sum(header, block, control);
        if (!summed) return;
        const fits = plainDataBytes(summed.value, noReference) <= slots.bytes;
        if (fits) control.data.write(summed.value, slots.at + block * slots.bytes, noReference);
        else this.#send({ job, block, values: [summed.value] });
        control.finish(block, fits ? WRITTEN : SENT);
      } catch (error) {
        this.#send({ job, block, ...failureOf(error) });
        control.finish(block, SENT);
      }
    }
  }

  /** The sum of a block; undefined if the job is closed meanwhile. */
  #sum(header: JobHeader, block: number, control: ControlBlock): { readonly value: unknown } | undefined {
    const { pass: name, params, blocks } = header;
    const pass = this.#passes.get(name);
    if (!pass || pass instanceof Error) throw pass ?? new Error(`the pass "${name}" is not known in this worker.`);
    const chunks = { first: blocks[2 * block], count: blocks[2 * block + 1] };
    const steps = sumBlock(pass, params, chunkReader(header), chunks, this.#kernels);
    for (let step = steps.next(); control.isOpen; step = steps.next()) {
      if (step.done) return { value: step.value };
      control.recordChunk(step.value);
    }
    return undefined;
  }

  #bufferOf(number: number): SharedMemory {
    const buffer = this.#buffers.get(number);
    if (!buffer) throw new Error(`executor: shared buffer ${number} is not known in this worker.`);
    return buffer;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
