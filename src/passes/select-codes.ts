/** Selects the codes of a sample to keep: all, the k largest in magnitude, or those of at least a given size. */
import { inputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';

/** Which codes are kept; the others become zero. */
export interface Selection {
  /** Keep the k codes of largest magnitude of every sample; among equal ones the first. */
  readonly keep?: number | undefined;
  /** Keep codes of at least this magnitude. */
  readonly threshold?: number | undefined;
}

export function validateSelection(who: string, { keep, threshold }: Selection): void {
  if (keep !== undefined && threshold !== undefined) {
    throw inputError(who, 'the selection', 'either keep or threshold', 'both');
  }
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 0)) {
    throw inputError(who, 'keep', 'a whole number, 0 or more', keep);
  }
  if (threshold !== undefined && !(threshold >= 0))
    throw inputError(who, 'threshold', 'a number, 0 or more', threshold);
}

/** Sets the codes that are not kept to zero, in place. */
export function select(codes: Matrix, { keep, threshold }: Selection): void {
  const { rows, cols, data } = codes;
  if (threshold !== undefined) {
    for (let i = 0; i < data.length; i++) if (Math.abs(data[i]) < threshold) data[i] = 0;
  }
  if (keep === undefined || keep >= cols) return;
  const sizes = new Float64Array(cols);
  for (let j = 0; j < rows; j++) keepLargest(data.subarray(j * cols, (j + 1) * cols), keep, sizes);
}

/** Keeps the largest codes. `sizes`: a buffer as long as the codes. */
function keepLargest(codes: Matrix['data'], keep: number, sizes: Float64Array): void {
  if (keep === 0) {
    codes.fill(0);
    return;
  }
  for (let i = 0; i < codes.length; i++) sizes[i] = Math.abs(codes[i]);
  const smallestKept = nthSmallest(sizes, codes.length - keep);
  let ties = keep;
  for (let i = 0; i < codes.length; i++) if (Math.abs(codes[i]) > smallestKept) ties--;
  for (let i = 0; i < codes.length; i++) {
    const size = Math.abs(codes[i]);
    if (size > smallestKept || (size === smallestKept && ties-- > 0)) continue;
    codes[i] = 0;
  }
}

/** The number at place n in sorted order, by Hoare's selection; reorders the numbers. */
function nthSmallest(numbers: Float64Array, n: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i] < pivot) i++;
      while (numbers[j] > pivot) j--;
      if (i > j) break;
      const x = numbers[i];
      numbers[i++] = numbers[j];
      numbers[j--] = x;
    }
    if (n <= j) high = j;
    else if (n >= i) low = i;
    else return numbers[n];
  }
  return numbers[n];
}
