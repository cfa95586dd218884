/** Fused pass Φᵀ Y with Φ = φ(Y Aᵀ), with products by the system's BLAS. */
import type { CorrelateRequest, Correlation, LikelihoodResponse, Response } from '../../../kernels/kernels.ts';
import { PANEL_BYTES, SampleBlocks } from '../../../kernels/wasm/blocks.ts';
import { HistogramCounts } from '../../../kernels/wasm/counts.ts';
import { Likelihood } from '../../../kernels/wasm/likelihood.ts';
import type { Machine } from '../../../kernels/wasm/module.ts';
import { Mask, normsFor, type PowerResponse, powerOf } from '../../../kernels/wasm/responder.ts';
import type { Blas } from './blas.ts';
import { Codes, conditionedRows, mirrored, Sums, staysUntouched } from './products.ts';

export function correlate(blas: Blas, machine: Machine, request: CorrelateRequest): Correlation {
  const { conditioning, response, samples, precision } = request;
  if (response.kind !== 'mask' && staysUntouched(samples, conditioning, precision)) {
    const sums = correlateUntouched(blas, machine, request, response);
    if (sums.values.every(Number.isFinite) && sums.correlation.data.every(Number.isFinite)) return sums;
  }
  return correlateConditioned(blas, machine, request);
}

/**
 * Computes powers and likelihoods for samples that need no offset and no other precision: the scale goes to the atoms and to the sums, and the
 * samples are read in place. These sums are those of unscaled samples, and may overflow.
 */
function correlateUntouched(
  blas: Blas,
  machine: Machine,
  { samples, atoms, conditioning, precision, gram = false }: CorrelateRequest,
  response: PowerResponse | LikelihoodResponse,
): Correlation {
  const { cols: n, data } = samples;
  const { scale } = conditioning;
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { untouched: true });
  const codes = new Codes(blas, blocks, machine, atoms, response.kind === 'likelihood', scale);
  const sums = new Sums(blas, blocks, machine, atoms.rows, n);
  const gramSums = gram ? new Sums(blas, blocks, machine, atoms.rows, atoms.rows) : undefined;
  const power = response.kind === 'power' ? powerOf(blocks.arithmetic, response) : undefined;
  const likelihood = likelihoodOf(machine, blocks, response, codes);
  blocks.forEach((rows, first) => {
    const Y = { rows, data: data.subarray(first * n, (first + rows) * n), width: n };
    const X = codes.compute(Y);
    power?.(codes.at, rows * codes.stride);
    likelihood?.prepare(rows);
    if (likelihood) codes.forEachStrip((strip, first) => likelihood.apply(strip, rows, first));
    sums.add(X, Y);
    gramSums?.add(X, X);
  });
  const found = likelihood?.read() ?? { values: sums.rowDots(codes.atoms) };
  return { correlation: sums.read(scale), ...found, ...(gramSums && { gram: mirrored(gramSums.read()) }) };
}

function likelihoodOf(
  machine: Machine,
  blocks: SampleBlocks,
  response: Response,
  { at, stride, matrix }: Codes,
): Likelihood | undefined {
  if (response.kind !== 'likelihood') return undefined;
  return new Likelihood(machine, blocks, response, matrix.rows, { at, stride, panelStride: PANEL_BYTES });
}

function correlateConditioned(blas: Blas, machine: Machine, request: CorrelateRequest): Correlation {
  const { samples, atoms, conditioning, response, precision, gram = false, counts = 0 } = request;
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, {
    tight: true,
    norms: normsFor(response),
  });
  const codes = new Codes(blas, blocks, machine, atoms, response.kind !== 'power');
  const mask = response.kind === 'mask' ? new Mask(machine, blocks, response, atoms.rows, codes.stride) : undefined;
  const likelihood = likelihoodOf(machine, blocks, response, codes);
  const summing = mask ?? likelihood;
  const power = response.kind === 'power' ? powerOf(blocks.arithmetic, response) : undefined;
  const counted =
    counts && mask ? new HistogramCounts(machine, blocks, atoms.rows, codes.stride, mask.response.meanNorm) : undefined;
  const sums = new Sums(blas, blocks, machine, atoms.rows, samples.cols);
  const gramSums = gram ? new Sums(blas, blocks, machine, atoms.rows, atoms.rows) : undefined;
  blocks.forEach((rows, start) => {
    const countedRows = Math.max(0, Math.min(rows, counts - start));
    const Y = conditionedRows(machine, blocks, rows);
    const X = codes.compute(Y);
    likelihood?.prepare(rows);
    if (summing) {
      codes.forEachStrip((strip, first) => {
        counted?.add(strip, countedRows, first, atoms.rows - first);
        summing.apply(strip, rows, first);
      });
    }
    power?.(codes.at, rows * codes.stride);
    sums.add(X, Y);
    gramSums?.add(X, X);
  });
  return {
    correlation: sums.read(),
    ...(summing ? summing.read() : { values: sums.rowDots(codes.atoms) }),
    ...(gramSums && { gram: mirrored(gramSums.read()) }),
    ...(counted && { counts: counted.read() }),
  };
}
