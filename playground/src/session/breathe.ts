/** Lets the worker hear from the page: messages are handled between tasks, and a job may be a single long one. */

const EVERY_MILLISECONDS = 15;
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();
let last = 0;

/** Call it often: it takes a turn of the event loop now and then. A timer would take 4 ms each time. */
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
