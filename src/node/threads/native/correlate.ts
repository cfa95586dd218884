/** Fused pass Φᵀ Y with Φ = φ(Y Aᵀ), with products by the system's BLAS. */
import type { CorrelateRequest, Correlation } from '../../../kernels/kernels.ts';
import { SampleBlocks } from '../../../kernels/wasm/blocks.ts';
import type { Machine } from '../../../kernels/wasm/module.ts';
import { normsFor, Responder } from '../../../kernels/wasm/responder.ts';
import type { Blas } from './blas.ts';
import { Codes, mirrored, rowsOf, Sums, staysUntouched } from './products.ts';

export function correlateByProducts(blas: Blas, machine: Machine, request: CorrelateRequest): Correlation {
  const { conditioning, response, samples, precision } = request;
  if (response.kind !== 'mask' && staysUntouched(samples, conditioning, precision)) {
    const sums = correlateBlocks(blas, machine, request, true);
    if (sums.values.every(Number.isFinite) && sums.correlation.data.every(Number.isFinite)) return sums;
  }
  return correlateBlocks(blas, machine, request, false);
}

/**
 * Correlates block by block. `untouched`: for powers and likelihoods of samples that need no offset and no other precision. The
 * scale goes to the atoms and to the sums, and the samples are read in place; the sums are those of unscaled samples, and may
 * overflow.
 */
function correlateBlocks(blas: Blas, machine: Machine, request: CorrelateRequest, untouched: boolean): Correlation {
  const { samples, atoms, conditioning, response, precision, gram = false } = request;
  const wishes = untouched ? { untouched } : { tight: true, norms: normsFor(response) };
  const scale = untouched ? conditioning.scale : 1;
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, wishes);
  const codes = new Codes(blas, blocks, machine, atoms, response.kind !== 'power', scale);
  const responder = new Responder(machine, blocks, request, codes.place);
  const sums = new Sums(blas, blocks, machine, atoms.rows, samples.cols);
  const gramSums = gram ? new Sums(blas, blocks, machine, atoms.rows, atoms.rows) : undefined;
  blocks.forEach((rows, start) => {
    const Y = rowsOf(machine, blocks, rows, start);
    const X = codes.compute(Y);
    responder.prepare(rows);
    codes.forEachStrip((strip, first, count) => responder.apply(strip, rows, start, first, count));
    sums.add(X, Y);
    gramSums?.add(X, X);
  });
  const found = responder.read(() => sums.rowDots(codes.atoms));
  return { correlation: sums.read(scale), ...found, ...(gramSums && { gram: mirrored(gramSums.read()) }) };
}
