/** Messages to and from a thread, in addition to the requests and replies of engine/workers/protocol.ts. */

/** The first message from a thread: it has its kernels and can compute. */
export const READY = 'ready';

/** The last message to a thread: it ends when it has answered what came before. */
export const CLOSE = 'close';
