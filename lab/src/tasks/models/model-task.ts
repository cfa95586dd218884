/** A task for one kind of model: contenders on the same data, scored by one number. */
import type { Contender } from '../../contenders/contender.ts';
import type { Data } from '../turns.ts';

export interface ModelTask {
  /** What is to be done: all tasks of a group are in one table. */
  readonly group: string;
  /** The data: kind and size. */
  readonly data: string;
  /** What the score is. */
  readonly objective: string;
  /** Most seconds of ours per second of the best other: 2 for small data, 1 for large. */
  readonly timeBar: 1 | 2;
  /** Most that ours may score, as a multiple of the best other. Default: EQUAL. */
  readonly scoreBar?: number;
  /** Why a target cannot be met, if it is known. */
  readonly reason?: string;
  /** The first is the default of this library and is judged; others are shown. */
  readonly contenders: readonly [Contender, ...Contender[]];
  /** Why the data is not here. */
  missing?(): string | undefined;
  /** The data of a round. */
  deal(seed: number): Promise<Data>;
}

/** Scores that differ by less are equal: both ends of the same optimum, up to where each of them stops. */
export const EQUAL = 1.005;

export const describeTask = ({ group, data }: Pick<ModelTask, 'group' | 'data'>): string => `${group}: ${data}`;
