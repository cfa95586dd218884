/**
 * The session: a worker that runs the page's jobs, so that the page itself only draws. It computes on further workers.
 */
import { createBrowserExecutor, type Executor, InputError } from 'orthodict/browser';
import type { JobContext } from './context.ts';
import { Gate } from './gate.ts';
import { jobs } from './jobs/index.ts';
import type { Failure, FromSession, ToSession } from './messages.ts';

const gates = new Map<number, { readonly gate: Gate; readonly abort: AbortController }>();
let executor: Promise<Executor> | undefined;

const send = (message: FromSession, transfer: Transferable[] = []) => postMessage(message, { transfer });

console.warn = (...words: unknown[]) => send({ kind: 'warning', message: words.join(' ') });

addEventListener('message', ({ data }: MessageEvent<ToSession>) => {
  if (data.kind === 'start') void start(data.id, data.job, data.request);
  else if (data.kind === 'cancel') gates.get(data.id)?.abort.abort();
  else gates.get(data.id)?.gate[data.kind]();
});

async function start(id: number, name: string, request: unknown): Promise<void> {
  const abort = new AbortController();
  const gate = new Gate(abort.signal);
  gates.set(id, { gate, abort });
  try {
    executor ??= createBrowserExecutor().catch(forget);
    const context: JobContext<unknown> = {
      executor: pausable(await executor, gate),
      signal: abort.signal,
      emit: (event, transfer) => send({ kind: 'event', id, event }, transfer),
      turn: () => gate.turn(),
    };
    const job = jobs[name as keyof typeof jobs] as (request: unknown, context: JobContext<unknown>) => Promise<unknown>;
    send({ kind: 'done', id, result: await job(request, context) });
  } catch (error) {
    send({ kind: 'failed', id, message: messageOf(error), reason: reasonOf(error, abort.signal) });
  } finally {
    gates.delete(id);
  }
}

/** The next job tries again. */
function forget(error: unknown): never {
  executor = undefined;
  throw error;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function reasonOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return 'cancelled';
  return error instanceof InputError ? 'input' : 'fault';
}

/** Wraps an executor for one job: it waits while the job is paused, and stays open at the end. */
function pausable(inner: Executor, gate: Gate): Executor {
  return {
    kernels: inner.kernels,
    get threads() {
      return inner.threads;
    },
    async sum(...pass) {
      await gate.pass();
      return inner.sum(...pass);
    },
    async *map(...pass) {
      for await (const value of inner.map(...pass)) {
        await gate.pass();
        yield value;
      }
    },
    async warm() {
      await inner.warm?.();
    },
    close: async () => {},
  };
}
