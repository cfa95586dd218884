/** Values that a worker holds while it waits at a control block: those it was sent, less those it was sent to drop. */
import { expect, it } from 'vitest';
import { describePass, resolvePass } from '#src/engine/pass.ts';
import type { JobHeader } from '#src/engine/workers/control-block.ts';
import { ControlBlock } from '#src/engine/workers/control-block.ts';
import { SharedMemoryWorker } from '#src/engine/workers/worker.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';

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
