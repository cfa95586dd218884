/** A worker: computes blocks of chunks in order of arrival and replies to each, or attends at a board. */
import type { Kernels } from '../../kernels/kernels.ts';
import type { Pass } from '../pass.ts';
import { type MeetPass, meetPass } from '../registry.ts';
import type { OpenLocator } from '../source/locator.ts';
import type { Source } from '../source/source.ts';
import { sumTree } from '../sum-tree.ts';
import { Attendant } from './attendant.ts';
import {
  type ChunkRequest,
  failureOf,
  type Reply,
  type Request,
  type RunDescription,
  type SendReply,
  sendOrSayWhy,
  type ToWorker,
} from './protocol.ts';

interface Run {
  readonly pass: Pass<unknown, unknown>;
  readonly params: unknown;
  readonly source: Source | undefined;
  readonly mode: RunDescription['mode'];
}

/** Returns what to do with a message. `meet`: how it finds a pass. */
export function createBlockWorker(
  kernels: Kernels,
  openLocator: OpenLocator,
  sendReply: SendReply,
  meet: MeetPass = meetPass,
): (message: ToWorker) => void {
  const runs = new Map<number, Run>();
  const send = sendOrSayWhy(sendReply);
  const attendant = new Attendant(kernels, send, meet);

  const begin = async ({ pass, params, locator, mode }: RunDescription): Promise<Run> => {
    return { pass: await meet(pass), params, source: locator && (await openLocator(locator)), mode };
  };
  const compute = async ({ pass, params, source, mode }: Run, chunks: readonly ChunkRequest[]): Promise<unknown[]> => {
    const tree = sumTree(pass.add);
    const values: unknown[] = [];
    for (const { index, start, end, samples } of chunks) {
      const chunk = { samples: samples ?? (await source!.read(start, end)), start, index };
      const contribution = pass.contribute(chunk, params, kernels);
      if (mode === 'sum') tree.push(contribution);
      else values.push(contribution);
    }
    return mode === 'sum' ? [tree.total()] : values;
  };
  const answer = async ({ run: id, begin: description, block, chunks, ended }: Request): Promise<Reply> => {
    try {
      for (const run of ended) {
        await runs.get(run)?.source?.close?.();
        runs.delete(run);
      }
      if (description) runs.set(id, await begin(description));
      const run = runs.get(id);
      if (!run) throw new Error('the pass could not begin in this worker.');
      return { run: id, block, chunks: chunks.length, values: await compute(run, chunks) };
    } catch (error) {
      return { run: id, block, chunks: chunks.length, ...failureOf(error) };
    }
  };

  let last = Promise.resolve();
  return (message) => {
    last = last.then(async () => {
      if ('words' in message) await attendant.attend(message);
      else send(await answer(message));
    });
  };
}
