/** A round of groups of planes on all threads of an executor, over rows that all of them see. */
import { fromRows } from '../core/matrix.ts';
import { canShare } from '../core/share.ts';
import { type Executor, sumOver } from '../engine/executor.ts';
import { memorySource } from '../engine/memory.ts';
import type { RowRange } from '../engine/source.ts';
import type { RotationObjective } from './engine.ts';
import type { Group } from './pairs.ts';
import { type PlaneRows, turnPlanesPass } from './turn-planes.ts';

/** Planes times the length of their rows: a chunk of less is not worth a message. */
const SMALLEST_CHUNK = 1 << 17;

export interface SharedRows {
  readonly rows: PlaneRows;
  /** Numbers in a row. */
  readonly length: number;
}

/** Makes of an objective's rows, which must be shared, a way to turn groups of them. */
export type OnThreads = (state: () => SharedRows) => RotationObjective['turnGroups'];

/** Undefined where there are no threads, or no memory that they share. */
export function onThreadsOf(executor: Executor | undefined, signal?: AbortSignal): OnThreads | undefined {
  if (!executor || executor.threads === 1 || !canShare) return undefined;
  return (state) => async (groups, leastAngle) => {
    const { rows, length } = state();
    const planes = { ...memorySource(fromRows(groups.flat())), ranges: chunksOf(groups, SMALLEST_CHUNK / length) };
    const { data } = await sumOver(executor, turnPlanesPass, { rows, leastAngle }, planes, signal);
    return Array.from({ length: planes.rows }, (_, k) => {
      const [angle, gain, slope] = data.subarray(3 * k, 3 * k + 3);
      return { angle, gain, slope };
    });
  };
}

/** Whole groups together, of at least so many planes, the last perhaps of fewer. */
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
