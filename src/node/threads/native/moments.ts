/** Computes second moments Yᵀ Y by the system's BLAS, alone or beside a survey of the samples. */
import { type Matrix, type Matrix64, type Precision, trace } from '../../../core/matrix.ts';
import type { Conditioning, SampleSurvey } from '../../../kernels/kernels.ts';
import { SampleBlocks } from '../../../kernels/wasm/blocks.ts';
import type { Machine } from '../../../kernels/wasm/module.ts';
import { Surveyor } from '../../../kernels/wasm/survey.ts';
import type { Blas } from './blas.ts';
import { mirrored, rowsOf, Sums, staysUntouched } from './products.ts';

export function productCovariance(
  blas: Blas,
  machine: Machine,
  samples: Matrix,
  conditioning: Conditioning,
  precision: Precision,
): Matrix64 {
  return squares(blas, machine, samples, conditioning, precision, false).gram;
}

export function surveyWithProducts(
  blas: Blas,
  machine: Machine,
  samples: Matrix,
  conditioning: Conditioning,
): SampleSurvey {
  const { gram, surveyor } = squares(blas, machine, samples, conditioning, 'f64', true);
  return { ...surveyor!.read(), gram };
}

interface Squares {
  readonly gram: Matrix64;
  readonly surveyor: Surveyor | undefined;
}

function squares(
  blas: Blas,
  machine: Machine,
  samples: Matrix,
  conditioning: Conditioning,
  precision: Precision,
  surveyed: boolean,
): Squares {
  /** Untouched: of samples in place; the scale goes to the sums, which may overflow. */
  const squaresOf = (untouched: boolean): Squares => {
    const blocks = new SampleBlocks(
      machine,
      samples,
      conditioning,
      precision,
      untouched ? { untouched } : { tight: true },
    );
    const surveyor = surveyed ? new Surveyor(machine, samples, conditioning) : undefined;
    const sums = new Sums(blas, blocks, machine, samples.cols, samples.cols);
    blocks.forEach((rows, first) => {
      if (untouched) surveyor?.addRows(first, first + rows);
      else surveyor?.add(blocks.raw, rows);
      sums.addSquare(rowsOf(machine, blocks, rows, first));
    });
    return { gram: mirrored(sums.read(untouched ? conditioning.scale ** 2 : 1)), surveyor };
  };
  // squares of unscaled float32 samples might underflow
  if (precision === 'f64' && staysUntouched(samples, conditioning, precision)) {
    const found = squaresOf(true);
    if (Number.isFinite(trace(found.gram))) return found; // no entry exceeds the largest on the diagonal
  }
  return squaresOf(false);
}
