/** Lets the worker receive messages from the page: they are handled between tasks, and a job may be a single long task. */

const EVERY_MILLISECONDS = 15;
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();
let last = 0;

/** Yields to the event loop every few milliseconds; call it often. A timer would take 4 ms each time. */
export async function breathe(): Promise<void> {
  if (performance.now() - last < EVERY_MILLISECONDS) return;
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
  last = performance.now();
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
