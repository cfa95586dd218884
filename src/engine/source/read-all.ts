/** A source read into memory, for models that need all samples at once. */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, zeros } from '../../core/matrix.ts';
import type { MemorySource } from './memory.ts';
import { rangesOf, type Source } from './source.ts';

/** All samples in float64. Do not write to them: samples already in memory as float64 are not copied. */
export async function readAll(source: Source, signal?: AbortSignal, who = 'readAll'): Promise<Matrix64> {
  const { matrix } = source as Partial<MemorySource>;
  if (matrix && matrix.data instanceof Float64Array) return matrix as Matrix64;
  const all = allocate(who, source);
  for (const { start, end } of rangesOf(source)) {
    signal?.throwIfAborted();
    all.data.set((await source.read(start, end)).data, start * source.cols);
  }
  return all;
}

function allocate(who: string, { rows, cols }: Source): Matrix64 {
  try {
    return zeros(rows, cols);
  } catch {
    throw inputError(who, 'samples', 'few enough to be held in memory as float64', `${rows} × ${cols} numbers`);
  }
}
