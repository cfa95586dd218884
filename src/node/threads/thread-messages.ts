/** What a thread is told besides the requests of executors/workers.ts. */

/** The last message: the thread ends when it has answered what came before. */
export const CLOSE = 'close';
