/** Messages to a thread besides the requests of engine/workers.ts. */

/** The last message: the thread ends when it has answered what came before. */
export const CLOSE = 'close';
