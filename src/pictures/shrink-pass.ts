/**
 * Denoises overlapping patches and averages them. For a patch y (without its mean) and a basis with
 * encoder E and atoms D, whose codes x = E y carry noise of standard deviation s_k = σ‖e_k‖:
 *
 *     first stage      g_k = [|x_k| > t s_k]                       weight 1/(1 + Σ g_k)
 *     second stage     g_k = b_k²/(b_k² + s_k²), b = E(guide's)    weight 1/(1 + Σ g_k²)
 *
 *     pixel = Σ weight·(mean + Dᵀ(g∘x)) / Σ weight, over all patches and bases that cover it
 *
 * The weight is the reciprocal of the noise left in the patch: 1 for the mean, which is kept as it is, and g² for every
 * code. A row that this pass runs over stands for a row of patches; what it contributes is a band of the picture.
 */
import { identity, type Matrix, range, zeros } from '../core/matrix.ts';
import { definePass } from '../engine/pass.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { PatchPlaces } from './patch-grid.ts';

/** An orthogonal or complete dictionary of patches. */
export interface PatchBasis {
  /** Encoder, n×n: codes = encoder · y. */
  readonly encoder: Matrix;
  /** Transposed atoms, n×n: y = synthesis · codes. */
  readonly synthesis: Matrix;
  /** ‖e_k‖: the noise of code k, for noise of standard deviation 1 in the pixels. */
  readonly noise: Float64Array;
}

export interface ShrinkParams {
  /** One plane of the picture, height×width, float32; in shared memory if the platform has it. */
  readonly plane: Matrix;
  /** A better estimate of the plane, for the second stage. */
  readonly guide?: Matrix | undefined;
  readonly bases: readonly PatchBasis[];
  /** Width and height of a patch. */
  readonly patch: { readonly width: number; readonly height: number };
  readonly places: Omit<PatchPlaces, 'count'>;
  readonly sigma: number;
  /** Threshold t of the first stage. */
  readonly threshold: number;
}

/** A band of rows of the picture, from `top` on: weighted sums of patches, and sums of the weights. */
export interface Band {
  readonly top: number;
  readonly width: number;
  readonly sums: Float32Array;
  readonly weights: Float32Array;
}

export const shrinkPass = definePass<ShrinkParams, Band>(import.meta.url, {
  name: 'shrink-patches',
  effort: 64,
  contribute({ samples, start }, params, kernels) {
    const { plane, patch, places } = params;
    const end = start + samples.rows;
    const top = places.tops[start];
    const length = (places.tops[end - 1] + patch.height - top) * plane.cols;
    const band = { top, width: plane.cols, sums: new Float32Array(length), weights: new Float32Array(length) };
    for (let row = start; row < end; row++) shrinkRow(places.tops[row], params, band, kernels);
    return band;
  },
  add(total, part) {
    const top = Math.min(total.top, part.top);
    const length = Math.max(...[total, part].map((band) => (band.top - top) * band.width + band.sums.length));
    const whole = { ...total, top, sums: new Float32Array(length), weights: new Float32Array(length) };
    for (const band of [total, part]) addBand(whole, band);
    return whole;
  },
  example(samples) {
    const one = identity(4);
    return {
      params: {
        plane: samples,
        guide: samples,
        bases: [{ encoder: one, synthesis: one, noise: new Float64Array(4).fill(1) }],
        patch: { width: 2, height: 2 },
        places: { lefts: Int32Array.of(0, 1, 5), tops: Int32Array.from(range(samples.rows - 1)) },
        sigma: 1,
        threshold: 1,
      },
      rows: zeros(samples.rows - 1, 1),
      ranges: [
        { start: 0, end: 50 },
        { start: 50, end: 110 },
        { start: 110, end: 150 },
        { start: 150, end: samples.rows - 1 },
      ],
    };
  },
});

/** Adds a band to a larger one. */
export function addBand(whole: Band, { top, width, sums, weights }: Band): void {
  const first = (top - whole.top) * width;
  for (let k = 0; k < sums.length; k++) {
    whole.sums[first + k] += sums[k];
    whole.weights[first + k] += weights[k];
  }
}

/** Shrinks the patches whose upper edge is at `top`. */
function shrinkRow(top: number, params: ShrinkParams, band: Band, kernels: Kernels): void {
  const { plane, guide, bases, patch } = params;
  const { patches, means } = patchRow(plane, top, params);
  const guides = guide && patchRow(guide, top, params).patches;
  for (const basis of bases) {
    const codes = codesOf(patches, basis, kernels);
    const kept = guides
      ? wiener(codes, codesOf(guides, basis, kernels), params.sigma, basis)
      : keepLarge(codes, params, basis);
    const shrunk = kernels.project(codes, basis.synthesis, { scale: 1 }, 'f32');
    layRow(band, top, shrunk, { means, weights: kept.map((noise) => 1 / (1 + noise)) }, patch, params.places.lefts);
  }
}

const codesOf = (patches: Matrix, { encoder }: PatchBasis, kernels: Kernels): Matrix =>
  kernels.project(patches, encoder, { scale: 1 }, 'f32');

/** The patches of one row, without their means. */
function patchRow(
  plane: Matrix,
  top: number,
  { patch, places }: ShrinkParams,
): { patches: Matrix; means: Float32Array } {
  const { width, height } = patch;
  const [rows, cols] = [places.lefts.length, width * height];
  const data = new Float32Array(rows * cols);
  const means = new Float32Array(rows);
  for (let k = 0; k < rows; k++) {
    let sum = 0;
    for (let y = 0; y < height; y++) {
      const from = (top + y) * plane.cols + places.lefts[k];
      const to = k * cols + y * width;
      for (let x = 0; x < width; x++) sum += data[to + x] = plane.data[from + x];
    }
    means[k] = sum / cols;
    for (let i = k * cols; i < (k + 1) * cols; i++) data[i] -= means[k];
  }
  return { patches: { rows, cols, data }, means };
}

/** Sets small codes to zero; returns how many remain in each patch. */
function keepLarge(
  { rows, cols, data }: Matrix,
  { threshold, sigma }: ShrinkParams,
  { noise }: PatchBasis,
): Float64Array {
  const limits = noise.map((each) => threshold * sigma * each);
  const kept = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    for (let k = 0; k < cols; k++) {
      if (Math.abs(data[j * cols + k]) > limits[k]) kept[j]++;
      else data[j * cols + k] = 0;
    }
  }
  return kept;
}

/** Shrinks codes by their size in the guide; returns Σ g² of every patch. */
function wiener({ rows, cols, data }: Matrix, guide: Matrix, sigma: number, { noise }: PatchBasis): Float64Array {
  const variances = noise.map((each) => (sigma * each) ** 2);
  const left = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    for (let k = 0; k < cols; k++) {
      const energy = guide.data[j * cols + k] ** 2;
      const gain = energy / (energy + variances[k]);
      data[j * cols + k] *= gain;
      left[j] += gain * gain;
    }
  }
  return left;
}

function layRow(
  { top: bandTop, width, sums, weights: totals }: Band,
  top: number,
  { cols, data }: Matrix,
  { means, weights }: { readonly means: Float32Array; readonly weights: Float64Array },
  patch: ShrinkParams['patch'],
  lefts: Int32Array,
): void {
  for (let k = 0; k < lefts.length; k++) {
    const [mean, weight] = [means[k], weights[k]];
    for (let y = 0; y < patch.height; y++) {
      const to = (top - bandTop + y) * width + lefts[k];
      const from = k * cols + y * patch.width;
      for (let x = 0; x < patch.width; x++) {
        sums[to + x] += weight * (mean + data[from + x]);
        totals[to + x] += weight;
      }
    }
  }
}
