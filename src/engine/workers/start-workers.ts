/** What executors on threads have in common, in Node and in a page: how many there are, and starting those that can be had. */
import { inputError } from '../../core/errors.ts';
import { reasonOf, warnOnce } from '../../core/warn.ts';
import type { WorkerPort } from './protocol.ts';

/** More threads than this only take memory and time to start; the result is the same. */
const MOST_PER_CORE = 4;

/** How many threads to use of those that `who` was asked for. */
export function threadsWithin(who: string, wanted: number, cores: number): number {
  if (!(Number.isInteger(wanted) && wanted >= 1 && wanted <= 1024)) {
    throw inputError(who, 'threads', 'a whole number from 1 to 1024', wanted);
  }
  return Math.min(wanted, MOST_PER_CORE * cores);
}

/** The workers that are ready to compute. Those that cannot be had are left out: the result is the same with any number. */
export async function startEach(
  count: number,
  start: () => Promise<WorkerPort>,
  signal: AbortSignal,
): Promise<WorkerPort[]> {
  const started = await Promise.allSettled(Array.from({ length: count }, start));
  const ports = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refused = started.find((each) => each.status === 'rejected');
  if (refused && !signal.aborted) {
    const missing = count - ports.length;
    const [threads, them] = missing === 1 ? ['1 thread', 'it'] : [`${missing} threads`, 'them'];
    warnOnce(`${threads} cannot be started (${reasonOf(refused.reason)}): computing without ${them}.`);
  }
  return ports;
}
