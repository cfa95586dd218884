/** Messages to and from a thread, in addition to the requests and replies of engine/workers/protocol.ts. */

/** First message of a thread: it has its kernels and can compute. */
export const READY = 'ready';

/** Last message to a thread: it ends after replying to the earlier ones. */
export const CLOSE = 'close';
