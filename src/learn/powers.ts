/**
 * Powers of codes without overflow. Working coordinates have root mean square 1 (of all conditioned numbers, or of every
 * whitened one), so a code x of p samples of K numbers is at most √(pK), and usually at most √n times the largest number:
 *
 *     |x|^q · (samples in a sum) ≤ 2^range        float32 if that holds for its range, otherwise float64
 *
 * Ordinary codes are near 1, whose powers cannot underflow. An objective Σ|x|^q in the units of the samples may still
 * leave the range of float64: 1e150 to the power 4. It is then reported for the samples divided by a power of two.
 */
import { inputError } from '../core/errors.ts';
import type { Precision } from '../core/matrix.ts';
import { ACCUMULATION_ROWS } from '../kernels/kernels.ts';

/** Largest norm q: a higher one depends on nothing but the largest codes. */
export const MOST_NORM = 64;
/** Base-2 logarithms of the largest sums allowed. */
const FLOAT32_RANGE = 126;
const FLOAT64_RANGE = 1000;
/** Reported objectives lie between 2^−960 and 2^960 whatever the codes are. */
const REPORTED_RANGE = 960;

/** Whether sums of powers of this degree are finite in float64; `largest`: bound of the codes' magnitudes. */
export const powersFit = (largest: number, degree: number, samples: number): boolean =>
  degree * Math.log2(largest) + Math.log2(samples) <= FLOAT64_RANGE;

/** Returns the wanted precision, or float64 if powers overflow in float32. `largest`: bound of the codes' magnitudes. */
export function powerPrecision(largest: number, norm: number, samples: number, wanted: Precision): Precision {
  const power = norm * Math.log2(largest);
  if (wanted === 'f32' && power + Math.log2(ACCUMULATION_ROWS) <= FLOAT32_RANGE) return 'f32';
  if (powersFit(largest, norm, samples)) return 'f64';
  const room = FLOAT64_RANGE - Math.log2(samples);
  const most = Math.max(3, 2 * Math.floor(room / Math.log2(largest) / 2));
  throw inputError('learn', 'norm', `at most ${most} for samples with such outliers, whose powers overflow`, norm);
}

/**
 * Returns 1, or the power of two nearest to the size of the samples; `unit`: working coordinates are samples times this;
 * `numbers`: their count.
 */
export function objectiveUnit(unit: number, degree: number, numbers: number): number {
  const size = -Math.log2(unit);
  const least = degree * size;
  const most = least + (1 + degree / 2) * Math.log2(numbers);
  return least >= -REPORTED_RANGE && most <= REPORTED_RANGE ? 1 : 2 ** Math.round(size);
}
