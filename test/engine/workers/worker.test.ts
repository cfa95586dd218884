/** A worker by itself: its replies to messages, their order, and the values that it holds while it waits at a control block. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import type { AnyPass } from '#src/engine/pass.ts';
import { describePass, resolvePass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { JobHeader } from '#src/engine/workers/control-block.ts';
import { ControlBlock } from '#src/engine/workers/control-block.ts';
import type { ComputeRequest, Reply } from '#src/engine/workers/protocol.ts';
import { createBlockWorker, SharedMemoryWorker } from '#src/engine/workers/worker.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';

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
  const resolve = async ({ name }: { name: string }) => {
    if (name !== 'firsts') throw new Error(`no ${name}`);
    return pass;
  };
  const post = createBlockWorker(referenceKernels, openLocator, (reply) => replies.push(reply), resolve);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  const begin = (change: object = {}) => ({
    pass: { name: 'firsts', module: '' },
    params: undefined,
    locator: { kind: 'file', spec: 'x.npy', size: 1, stamp: '' } as const,
    mode: 'sum' as const,
    ...change,
  });
  const request = (change: Partial<ComputeRequest>): ComputeRequest => ({
    job: 1,
    block: 0,
    chunks: [0, 1, 2].map((k) => ({ index: k, start: 2 * k, end: 2 * k + 2 })),
    ended: [],
    ...change,
  });
  return { replies, log, post, settle, begin, request };
}

describe('a worker of messages', () => {
  it('adds up a block, or gives its contributions one by one', async () => {
    const { replies, log, post, settle, begin, request } = started();
    post(request({ begin: begin() }));
    post(request({ block: 1, chunks: request({}).chunks.slice(2) }));
    post(
      request({
        job: 2,
        begin: begin({ mode: 'map', locator: undefined }),
        chunks: [
          { index: 5, start: 3, end: 4, samples: { rows: 1, cols: 1, data: Float64Array.of(7) } },
          { index: 6, start: 4, end: 5, samples: { rows: 1, cols: 1, data: Float64Array.of(8) } },
        ],
      }),
    );
    await settle();
    expect(replies).toEqual([
      { job: 1, block: 0, chunks: 3, values: ['((0@0:0+1@2:20)+2@4:40)'] },
      { job: 1, block: 1, chunks: 1, values: ['2@4:40'] },
      { job: 2, block: 0, chunks: 2, values: ['5@3:7', '6@4:8'] },
    ]);
    expect(log).toEqual(['open']);
  });

  it('closes the source of a job that has ended, and forgets the job', async () => {
    const { replies, log, post, settle, begin, request } = started();
    post(request({ begin: begin() }));
    post(request({ job: 2, begin: begin(), ended: [1, 9] }));
    post(request({ job: 1 }));
    await settle();
    expect(log).toEqual(['open', 'close', 'open']);
    expect(replies[2]).toEqual({
      job: 1,
      block: 0,
      chunks: 3,
      failure: 'the pass could not begin in this worker.',
      refused: false,
    });
  });

  it('says what failed, and goes on', async () => {
    const { replies, post, settle, begin, request } = started();
    post(request({ begin: begin({ params: 'fail' }) }));
    post(request({ job: 2, begin: begin({ params: 'refuse' }) }));
    post(request({ job: 3, begin: begin({ pass: { name: 'other', module: '' } }) }));
    post(request({ job: 4, begin: begin() }));
    await settle();
    const said = replies.map((reply) => ('failure' in reply ? [reply.failure, reply.refused] : reply.values));
    expect(said).toEqual([['a bug', false], ['bad input', true], ['no other', false], ['((0@0:0+1@2:20)+2@4:40)']]);
  });
});

const NUMBER = 7;
const buffer = new SharedArrayBuffer(6 * 8);

it.each([
  ['was sent to forget', true, [NUMBER]],
  ['was not sent', false, []],
])('a worker does not know a buffer that it %s', async (_, sent, forget) => {
  const control = ControlBlock.create(1);
  const header: JobHeader = {
    job: 5,
    pass: surveyPass.name,
    params: { moments: false },
    ranges: Float64Array.of(0, 6),
    blocks: Float64Array.of(0, 1),
    samples: { locator: { kind: 'memory', rows: 6, cols: 1, data: new Float64Array(buffer) } },
    slots: { at: 8192, bytes: 0 },
  };
  control.data.write(header, ControlBlock.headerOffset(1), () => NUMBER);
  control.open(1, 1);
  const worker = new SharedMemoryWorker(referenceKernels, () => {}, resolvePass);
  const request = { control: control.control, arena: control.arena, worker: 0, passes: [describePass(surveyPass)] };
  control.interrupt(0, 1); // the worker takes in what it is sent, and does not wait
  await worker.wait({ ...request, epoch: 1, buffers: sent ? [[NUMBER, buffer]] : [], forget: [] });
  const second = worker.wait({ ...request, epoch: 2, buffers: [], forget });
  await expect(second).rejects.toThrow(`shared buffer ${NUMBER} is not known`);
});
