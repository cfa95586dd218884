/** Rotates a round of groups of planes on all threads of an executor, with the rows in shared memory. */
import { fromRows, range } from '../core/matrix.ts';
import type { Executor } from '../engine/executor.ts';
import { sharingExecutor } from '../engine/executor.ts';
import { type MemorySource, memorySource } from '../engine/source/memory.ts';
import type { RowRange } from '../engine/source/source.ts';
import type { RotationObjective } from './coordinate-ascent.ts';
import type { Group } from './pairs.ts';
import type { RotatePlanesPass } from './rotate-planes.ts';

/** Smallest chunk worth a message, as number of planes times row length. */
const SMALLEST_CHUNK = 1 << 18;

export interface SharedRows<R> {
  readonly rows: R;
  /** Number of entries of a row. */
  readonly length: number;
}

/** Rotates groups of an objective's rows, which must be in shared memory, with its pass. */
export type OnThreads = <R>(
  pass: RotatePlanesPass<R>,
  state: () => SharedRows<R>,
) => NonNullable<RotationObjective['rotateGroups']>;

export function onThreadsOf(executor: Executor, signal?: AbortSignal): OnThreads {
  const sharing = sharingExecutor(executor);
  const sources = new WeakMap<readonly Group[], MemorySource>(); // rounds are the same in every sweep
  return (pass, state) => async (groups, leastAngle) => {
    const { rows, length } = state();
    const source = sources.get(groups) ?? memorySource(fromRows(groups.flat()));
    sources.set(groups, source);
    const planes = { ...source, ranges: chunksOf(groups, SMALLEST_CHUNK / length) };
    const { data } = await sharing.sum(pass, { rows, leastAngle }, planes, signal);
    return range(planes.rows).map((k) => ({ angle: data[3 * k], gain: data[3 * k + 1], slope: data[3 * k + 2] }));
  };
}

/** Chunks of whole groups with at least `least` planes; the last chunk may have fewer. */
function chunksOf(groups: readonly Group[], least: number): RowRange[] {
  const ranges: RowRange[] = [];
  let [start, end] = [0, 0];
  for (const { length } of groups) {
    end += length;
    if (end - start < least) continue;
    ranges.push({ start, end });
    start = end;
  }
  if (end > start) ranges.push({ start, end });
  return ranges;
}
