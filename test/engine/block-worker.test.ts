/** A worker by itself: what it answers to requests, in which order, and what it keeps and forgets. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { createBlockWorker } from '#src/engine/block-worker.ts';
import { memorySource } from '#src/engine/memory.ts';
import type { AnyPass } from '#src/engine/pass.ts';
import { failureOf, type Reply, type Request, sendOrSayWhy, transferables } from '#src/engine/worker-messages.ts';
import { referenceKernels } from '#src/kernels/reference.ts';

/** Adds up the first numbers of the chunks. */
const pass: AnyPass = {
  name: 'firsts',
  contribute: ({ samples, start, index }, params) => {
    if (params === 'refuse') throw new InputError('bad input');
    if (params === 'fail') throw new Error('a bug');
    return `${index}@${start}:${samples.data[0]}`;
  },
  add: (total, part) => `(${total}+${part})`,
};

function started() {
  const replies: Reply[] = [];
  const log: string[] = [];
  const matrix = { rows: 8, cols: 1, data: Float64Array.from({ length: 8 }, (_, k) => 10 * k) };
  const source = { ...memorySource(matrix), close: async () => void log.push('close') };
  const openLocator = async () => {
    log.push('open');
    return source;
  };
  const meet = async ({ name }: { name: string }) => {
    if (name !== 'firsts') throw new Error(`no ${name}`);
    return pass;
  };
  const post = createBlockWorker(referenceKernels, openLocator, (reply) => replies.push(reply), meet);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  const begin = (change: object = {}) => ({
    pass: { name: 'firsts', module: '' },
    params: undefined,
    locator: { kind: 'x' },
    mode: 'sum' as const,
    ...change,
  });
  const request = (change: Partial<Request>): Request => ({
    run: 1,
    block: 0,
    chunks: [0, 1, 2].map((k) => ({ index: k, start: 2 * k, end: 2 * k + 2 })),
    ended: [],
    ...change,
  });
  return { replies, log, post, settle, begin, request };
}

describe('a block worker', () => {
  it('adds up a block, or gives its contributions one by one', async () => {
    const { replies, log, post, settle, begin, request } = started();
    post(request({ begin: begin() }));
    post(request({ block: 1, chunks: request({}).chunks.slice(2) }));
    post(
      request({
        run: 2,
        begin: begin({ mode: 'map', locator: undefined }),
        chunks: [
          { index: 5, start: 3, end: 4, samples: { rows: 1, cols: 1, data: Float64Array.of(7) } },
          { index: 6, start: 4, end: 5, samples: { rows: 1, cols: 1, data: Float64Array.of(8) } },
        ],
      }),
    );
    await settle();
    expect(replies).toEqual([
      { run: 1, block: 0, chunks: 3, values: ['((0@0:0+1@2:20)+2@4:40)'] },
      { run: 1, block: 1, chunks: 1, values: ['2@4:40'] },
      { run: 2, block: 0, chunks: 2, values: ['5@3:7', '6@4:8'] },
    ]);
    expect(log).toEqual(['open']);
  });

  it('closes the source of a run that has ended, and forgets the run', async () => {
    const { replies, log, post, settle, begin, request } = started();
    post(request({ begin: begin() }));
    post(request({ run: 2, begin: begin(), ended: [1, 9] }));
    post(request({ run: 1 }));
    await settle();
    expect(log).toEqual(['open', 'close', 'open']);
    expect(replies[2]).toEqual({
      run: 1,
      block: 0,
      chunks: 3,
      failure: 'the pass could not begin in this worker.',
      refused: false,
    });
  });

  it('says what failed, and goes on', async () => {
    const { replies, post, settle, begin, request } = started();
    post(request({ begin: begin({ params: 'fail' }) }));
    post(request({ run: 2, begin: begin({ params: 'refuse' }) }));
    post(request({ run: 3, begin: begin({ pass: { name: 'other', module: '' } }) }));
    post(request({ run: 4, begin: begin() }));
    await settle();
    const said = replies.map((reply) => ('failure' in reply ? [reply.failure, reply.refused] : reply.values));
    expect(said).toEqual([['a bug', false], ['bad input', true], ['no other', false], ['((0@0:0+1@2:20)+2@4:40)']]);
  });
});

describe('replies', () => {
  it('that cannot be sent say why', () => {
    const sent: Reply[] = [];
    const send = sendOrSayWhy((reply) => {
      if ('values' in reply) throw new Error('too odd');
      sent.push(reply);
    });
    send({ run: 3, block: 4, chunks: 5, values: [] });
    expect(sent).toEqual([{ run: 3, block: 4, chunks: 5, failure: 'the contribution cannot be sent: Error: too odd' }]);
    expect(failureOf('words')).toEqual({ failure: 'words', refused: false });
  });

  it('hand over memory that is all theirs, once', () => {
    const [own, other] = [new Float64Array(2), new Uint8Array(4)];
    const shared = new Float64Array(new SharedArrayBuffer(16));
    const value = { own, list: [own, { other }], part: new Float64Array(4).subarray(1), shared, none: null, count: 3 };
    expect(transferables(value)).toEqual([own.buffer, other.buffer]);
    expect(transferables(5)).toEqual([]);
  });
});
