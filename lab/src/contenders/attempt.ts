/** One run of a contender: within a time limit, in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contender, Entrant, Session, Skipped, Snapshot, Task } from './contender.ts';

/** A failure is a result, an interruption is not. */
export type Attempt = { readonly snapshots: readonly Snapshot[] } | { readonly failure: string };

/** A task without what an attempt adds to it. */
export type Given<T extends Task> = Omit<T, 'folder' | 'signal'>;

export async function attempt<T extends Task>(
  session: Session<T>,
  task: Given<T>,
  limitSeconds: number,
  signal?: AbortSignal,
): Promise<Attempt> {
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const folder = await mkdtemp(join(task.file, '..', 'run-'));
  try {
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    return { snapshots: await session.run({ ...task, folder, signal: either } as unknown as T) };
  } catch (error) {
    signal?.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    return { failure: limit.aborted ? `did not finish within ${limitSeconds} s` : words };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens the contenders that are here, and says why the others are not. */
export async function openAll<T extends Task, C extends Contender<T>>(
  contenders: readonly C[],
  { signal, say }: { readonly signal?: AbortSignal | undefined; readonly say?: ((words: string) => void) | undefined },
): Promise<{ entrants: Entrant<T, C>[]; skipped: Skipped[] }> {
  const entrants: Entrant<T, C>[] = [];
  const skipped: Skipped[] = [];
  try {
    for (const contender of contenders) {
      signal?.throwIfAborted();
      say?.(`getting ${contender.name} ready`);
      const session = await contender.open();
      if ('missing' in session) skipped.push({ name: contender.name, reason: session.missing });
      else entrants.push({ contender, session });
    }
    return { entrants, skipped };
  } catch (error) {
    await closeAll(entrants);
    throw error;
  }
}

export async function closeAll(entrants: ReadonlyArray<{ readonly session: Session }>): Promise<void> {
  for (const { session } of entrants) await session.close();
}
