/** Reports which pass over a large table is running: workers read the table themselves in chunks, which may take a while. */
import type { Executor, Source } from 'orthodict/browser';
import type { MemorySource } from 'orthodict/extend';
import { bytes } from '../../../parts/numbers.ts';
import type { JobContext } from '../../context.ts';
import type { LearnEvent } from './messages.ts';

const isInMemory = (source: Source): source is MemorySource => 'matrix' in source;

/** Wraps the executor of a job to report passes; unchanged if the table is in memory. `size`: bytes of the table. */
export function passTeller(source: Source, size: number, { executor, emit }: JobContext<LearnEvent>): Executor {
  if (isInMemory(source)) return executor;
  let passes = 0;
  const told: Executor = Object.create(executor);
  told.sum = (...pass) => {
    emit({ progress: { words: `Pass ${++passes} over ${bytes(size)}, read in chunks` } });
    return executor.sum(...pass);
  };
  return told;
}
