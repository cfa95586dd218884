/** Workers in the thread of the test: they exchange messages as threads do, and cannot wait in shared memory. */

import { locatorOpener } from '#src/engine/source/locator.ts';
import type { Reply, ToWorker, WorkerPort } from '#src/engine/workers/protocol.ts';
import { createBlockWorker } from '#src/engine/workers/worker.ts';
import type { Kernels } from '#src/kernels/kernels.ts';

/** A worker that computes nothing, and keeps what it is sent. */
export const idlePort = (sent: unknown[]): WorkerPort => ({
  post: (message) => void sent.push(message),
  onReply: () => {},
  onFailure: () => {},
  hold: () => {},
  release: () => {},
  terminate: async () => {},
});

/** A worker that computes in the thread of the caller. `holds`: how many times it currently keeps the process alive. */
export function computingPort(kernels: Kernels): WorkerPort & { sent: ToWorker[]; holds: number } {
  let listener: (reply: Reply) => void = () => {};
  const deliver = <T>(message: T, to: (message: T) => void) => void setTimeout(() => to(structuredClone(message)));
  const work = createBlockWorker(kernels, locatorOpener(), (reply) => deliver(reply, listener));
  return {
    sent: [],
    holds: 0,
    post(message) {
      this.sent.push(message);
      deliver(message, work);
    },
    onReply: (heard) => {
      listener = heard;
    },
    onFailure: () => {},
    hold() {
      this.holds++;
    },
    release() {
      this.holds--;
    },
    terminate: async () => {},
  };
}
