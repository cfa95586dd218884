/** Tells which pass over a large table is under way: workers read it themselves, piece by piece, and a pass may take a while. */
import type { Executor, Source } from 'orthodict/browser';
import type { MemorySource } from 'orthodict/extend';
import { bytes } from '../../../parts/numbers.ts';
import type { JobContext } from '../../context.ts';
import type { LearnEvent } from './messages.ts';

const isInMemory = (source: Source): source is MemorySource => 'matrix' in source;

/** The executor of a job, as it is if the table is in memory. `size`: bytes of the table. */
export function passTeller(source: Source, size: number, { executor, emit }: JobContext<LearnEvent>): Executor {
  if (isInMemory(source)) return executor;
  let passes = 0;
  const told: Executor = Object.create(executor);
  told.sum = (...pass) => {
    emit({ progress: { words: `Pass ${++passes} over ${bytes(size)}, read piece by piece` } });
    return executor.sum(...pass);
  };
  return told;
}
