/**
 * A run on the processes of `mpirun`. Rank 0 runs the program and prints; the others compute blocks for it. Blocks are dealt
 * out in turn, so nothing has to be agreed on: every rank knows its own. Sums go to rank 0, which adds them up in the order
 * of the tree.
 */
import { InputError } from '../core/errors.ts';
import type { Executor } from '../engine/executor.ts';
import { type Block, equalBlocks } from '../engine/sum-tree.ts';
import { failureOf } from '../engine/worker-messages.ts';
import { createNodeExecutor, type NodeExecutorOptions } from '../node/threads/threads.ts';
import { type BlockValue, type Cluster, clusterExecutor, type RemotePass } from './cluster-executor.ts';
import { type BlockRequest, computeBlock } from './compute-block.ts';
import { arithmeticOf, version } from './identity.ts';
import { type Mpi, openMpi } from './mpi.ts';
import { MOST } from './protocol.ts';
import { fromBytes, toBytes } from './wire.ts';

/** Milliseconds of a pass up to which rank 0 computes it alone. */
const BRIEF = 3;
/** Blocks for every rank: more even out differences between machines. */
const BLOCKS_PER_RANK = 2;

/** What rank 0 tells the others. */
type Order =
  | { readonly kind: 'end' }
  | { readonly kind: 'pass'; readonly request: BlockRequest; readonly blocks: Block[] };
/** What they reply for every block of theirs. */
type Answer = { readonly value: unknown } | { readonly failure: string; readonly refused?: boolean };

/**
 * An executor on all ranks, on rank 0; undefined on the others, which have then computed all that was asked of them. One
 * thread a rank unless `threads` says otherwise.
 */
export async function createMpiExecutor(options: NodeExecutorOptions = {}): Promise<Executor | undefined> {
  const mpi = await openMpi();
  const local = await createNodeExecutor({ threads: 1, ...withoutUndefined(options) });
  requireSameArithmetic(mpi, `${version()} ${arithmeticOf(local.kernels)}`);
  if (mpi.rank === 0) return clusterExecutor(local, new Ranks(mpi, local));
  await serve(mpi, local);
  await local.close();
  mpi.finalize();
  return undefined;
}

const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

/** Throws on every rank if they would not compute the same bits. */
function requireSameArithmetic(mpi: Mpi, own: string): void {
  const encoder = new TextEncoder();
  if (mpi.rank > 0) {
    mpi.send(encoder.encode(own), 0);
  }
  const others = mpi.rank > 0 ? [] : Array.from({ length: mpi.size - 1 }, (_, k) => decode(mpi.receive(k + 1)));
  const odd = others.findIndex((each) => each !== own);
  const verdict = odd < 0 ? '' : `cluster: rank ${odd + 1} must compute as rank 0 (${own}); got ${others[odd]}.`;
  const words = decode(mpi.broadcast(mpi.rank === 0 ? encoder.encode(`${verdict} `) : undefined)).trim();
  if (words === '') return;
  mpi.finalize();
  throw new InputError(words);
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const mine = (blocks: readonly Block[], { rank, size }: Mpi): Block[] => blocks.filter((_, k) => k % size === rank);

/** Computes what rank 0 asks for until it says that there is no more. */
async function serve(mpi: Mpi, local: Executor): Promise<void> {
  await import('../index.ts'); // all passes of the package
  for (;;) {
    const order = fromBytes(mpi.broadcast()) as Order;
    if (order.kind === 'end') return;
    for (const block of mine(order.blocks, mpi)) {
      mpi.send(toBytes(await answerTo(order.request, block, local), 'a block', MOST.result), 0);
    }
  }
}

async function answerTo(request: BlockRequest, block: Block, local: Executor): Promise<Answer> {
  try {
    return { value: await computeBlock(local, request, block) };
  } catch (error) {
    return failureOf(error);
  }
}

/** The other ranks, as rank 0 sees them. */
class Ranks implements Cluster {
  #hasEnded = false;
  #inPass = false;

  constructor(
    readonly mpi: Mpi,
    readonly local: Executor,
  ) {
    process.once('exit', (code) => this.#end(code)); // the others wait for this process
  }

  get brief(): number {
    return this.mpi.size === 1 ? Number.POSITIVE_INFINITY : BRIEF;
  }

  get threads(): number {
    return this.mpi.size * this.local.threads;
  }

  async *blocks({ request, chunks }: RemotePass, signal: AbortSignal | undefined): AsyncGenerator<BlockValue, void> {
    signal?.throwIfAborted();
    const { mpi } = this;
    const blocks = equalBlocks(chunks, BLOCKS_PER_RANK * mpi.size);
    const order: Order = { kind: 'pass', request, blocks };
    mpi.broadcast(toBytes(order, `the parameters of ${request.pass}`, MOST.params));
    this.#inPass = true;
    const own: Answer[] = [];
    for (const block of mine(blocks, mpi)) own.push(await answerTo(request, block, this.local));
    // every answer is received, also after a failure: the next pass must not find one of these
    const answers = blocks.map((_, k) =>
      k % mpi.size === 0 ? own[k / mpi.size] : (fromBytes(mpi.receive(k % mpi.size)) as Answer),
    );
    this.#inPass = false;
    for (const [k, answer] of answers.entries()) {
      if ('failure' in answer) throw answer.refused ? new InputError(answer.failure) : new Error(answer.failure);
      yield { block: blocks[k], value: answer.value };
    }
  }

  /** Lets the others go; in the middle of a pass they cannot be asked. */
  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#inPass) {
      this.mpi.abort(code);
      return;
    }
    this.mpi.broadcast(toBytes({ kind: 'end' } satisfies Order, 'the end', MOST.params));
    this.mpi.finalize();
  }

  async close(): Promise<void> {
    this.#end(1);
  }
}
