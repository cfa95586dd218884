/**
 * The exports of the module: the generic functions of the other files, instantiated for each type. Names end with the
 * type of the arithmetic, preceded by that of the samples where samples are read. docs/kernels.md lists their uses.
 */
import { codeMoments } from './code-moments';
import { condition, norms } from './condition';
import { fourthPowers } from './fourth-powers';
import { lasso } from './lasso';
import { energies, likelihood } from './likelihood';
import { measure } from './measure';
import { mirror } from './mirror';
import { addWidened, closeGaps, narrow, packColumns, packRows, unpackColumns, unpackRows, unpackSums } from './pack';
import { packSamples } from './pack-samples';
import { accumulate, block, codes, cubes, rowDots } from './products';
import { pursue } from './pursuit';
import { histogram, mask, power } from './respond';
import { arrange, rotate } from './rotate';
import { survey } from './survey';

export { rotatePlanes_f32, rotatePlanes_f64 } from './shared';
export { addWidened, closeGaps, codeMoments, fourthPowers, lasso, narrow, pursue };

/** The first byte available to the caller. */
export function arenaStart(): usize {
  return __heap_base;
}

export function condition_f32_f32(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, out: usize, stride: usize): void {
  condition<f32, f32>(samples, rows, cols, offset, scale, out, stride);
}
export function condition_f32_f64(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, out: usize, stride: usize): void {
  condition<f32, f64>(samples, rows, cols, offset, scale, out, stride);
}
export function condition_f64_f32(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, out: usize, stride: usize): void {
  condition<f64, f32>(samples, rows, cols, offset, scale, out, stride);
}
export function condition_f64_f64(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, out: usize, stride: usize): void {
  condition<f64, f64>(samples, rows, cols, offset, scale, out, stride);
}

export function packSamples_f32_f32(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, rowPanels: usize, columnPanels: usize, columnStride: usize,
): void {
  packSamples<f32, f32>(samples, rows, cols, offset, scale, rowPanels, columnPanels, columnStride);
}
export function packSamples_f32_f64(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, rowPanels: usize, columnPanels: usize, columnStride: usize,
): void {
  packSamples<f32, f64>(samples, rows, cols, offset, scale, rowPanels, columnPanels, columnStride);
}
export function packSamples_f64_f32(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, rowPanels: usize, columnPanels: usize, columnStride: usize,
): void {
  packSamples<f64, f32>(samples, rows, cols, offset, scale, rowPanels, columnPanels, columnStride);
}
export function packSamples_f64_f64(
  samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, rowPanels: usize, columnPanels: usize, columnStride: usize,
): void {
  packSamples<f64, f64>(samples, rows, cols, offset, scale, rowPanels, columnPanels, columnStride);
}

export function norms_f32(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, least: f64, out: usize): void {
  norms<f32>(samples, rows, cols, offset, scale, least, out);
}
export function norms_f64(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, least: f64, out: usize): void {
  norms<f64>(samples, rows, cols, offset, scale, least, out);
}

export function survey_f32(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, sums: usize, totals: usize): void {
  survey<f32>(samples, rows, cols, offset, scale, sums, totals);
}
export function survey_f64(samples: usize, rows: i32, cols: i32, offset: usize, scale: f64, sums: usize, totals: usize): void {
  survey<f64>(samples, rows, cols, offset, scale, sums, totals);
}

export function packRows_f32(from: usize, stride: usize, rows: i32, cols: i32, out: usize): void {
  packRows<f32>(from, stride, rows, cols, out);
}
export function packRows_f64(from: usize, stride: usize, rows: i32, cols: i32, out: usize): void {
  packRows<f64>(from, stride, rows, cols, out);
}

export function packColumns_f32(from: usize, stride: usize, rows: i32, cols: i32, out: usize, panelStride: usize): void {
  packColumns<f32>(from, stride, rows, cols, out, panelStride);
}
export function packColumns_f64(from: usize, stride: usize, rows: i32, cols: i32, out: usize, panelStride: usize): void {
  packColumns<f64>(from, stride, rows, cols, out, panelStride);
}

export function unpackRows_f32(from: usize, rows: i32, cols: i32, out: usize, stride: usize): void {
  unpackRows<f32>(from, rows, cols, out, stride);
}
export function unpackRows_f64(from: usize, rows: i32, cols: i32, out: usize, stride: usize): void {
  unpackRows<f64>(from, rows, cols, out, stride);
}

export function unpackColumns_f32(from: usize, panelStride: usize, rows: i32, cols: i32, out: usize): void {
  unpackColumns<f32>(from, panelStride, rows, cols, out);
}
export function unpackColumns_f64(from: usize, panelStride: usize, rows: i32, cols: i32, out: usize): void {
  unpackColumns<f64>(from, panelStride, rows, cols, out);
}

export function unpackSums_f32(sums: usize, rows: i32, cols: i32, upper: bool, out: usize): void {
  unpackSums<f32>(sums, rows, cols, upper, out);
}
export function unpackSums_f64(sums: usize, rows: i32, cols: i32, upper: bool, out: usize): void {
  unpackSums<f64>(sums, rows, cols, upper, out);
}

export function codes_f32(samples: usize, rows: i32, depth: i32, atoms: usize, count: i32, out: usize, stride: usize): void {
  codes<f32>(samples, rows, depth, atoms, count, out, stride);
}
export function codes_f64(samples: usize, rows: i32, depth: i32, atoms: usize, count: i32, out: usize, stride: usize): void {
  codes<f64>(samples, rows, depth, atoms, count, out, stride);
}

export function cubes_f32(samples: usize, rows: i32, depth: i32, atoms: usize, count: i32, out: usize, stride: usize): void {
  cubes<f32>(samples, rows, depth, atoms, count, out, stride);
}
export function cubes_f64(samples: usize, rows: i32, depth: i32, atoms: usize, count: i32, out: usize, stride: usize): void {
  cubes<f64>(samples, rows, depth, atoms, count, out, stride);
}

export function accumulate_f32(
  left: usize, leftWidth: i32, leftStride: usize, right: usize, rightWidth: i32, rightStride: usize,
  rows: i32, sums: usize, upper: bool,
): void {
  accumulate<f32>(left, leftWidth, leftStride, right, rightWidth, rightStride, rows, sums, upper);
}
export function accumulate_f64(
  left: usize, leftWidth: i32, leftStride: usize, right: usize, rightWidth: i32, rightStride: usize,
  rows: i32, sums: usize, upper: bool,
): void {
  accumulate<f64>(left, leftWidth, leftStride, right, rightWidth, rightStride, rows, sums, upper);
}

export function block_f32(left: usize, leftWidth: i32, right: usize, rightWidth: i32, depth: i32, out: usize, stride: usize): void {
  block<f32>(left, leftWidth, right, rightWidth, depth, out, stride);
}
export function block_f64(left: usize, leftWidth: i32, right: usize, rightWidth: i32, depth: i32, out: usize, stride: usize): void {
  block<f64>(left, leftWidth, right, rightWidth, depth, out, stride);
}

export function rowDots_f32(sums: usize, atoms: usize, rows: i32, cols: i32, out: usize): void {
  rowDots<f32>(sums, atoms, rows, cols, out);
}
export function rowDots_f64(sums: usize, atoms: usize, rows: i32, cols: i32, out: usize): void {
  rowDots<f64>(sums, atoms, rows, cols, out);
}
export function mirror_f32(at: usize, n: i32, stride: usize): void {
  mirror<f32>(at, n, stride);
}
export function mirror_f64(at: usize, n: i32, stride: usize): void {
  mirror<f64>(at, n, stride);
}

export function rotate_f32(panel: usize, pairs: usize, factors: usize, count: i32): void {
  rotate<f32>(panel, pairs, factors, count);
}
export function rotate_f64(panel: usize, pairs: usize, factors: usize, count: i32): void {
  rotate<f64>(panel, pairs, factors, count);
}

export function arrange_f32(panel: usize, depth: i32, order: usize, signs: usize, out: usize): void {
  arrange<f32>(panel, depth, order, signs, out);
}
export function arrange_f64(panel: usize, depth: i32, order: usize, signs: usize, out: usize): void {
  arrange<f64>(panel, depth, order, signs, out);
}

export function power_f32(codes: usize, bytes: usize, odd: bool, squares: i32): void {
  power<f32>(codes, bytes, odd, squares);
}
export function power_f64(codes: usize, bytes: usize, odd: bool, squares: i32): void {
  power<f64>(codes, bytes, odd, squares);
}

export function mask_f32(
  codes: usize, stride: usize, rows: i32, thresholds: usize, norms: usize, meanNorm: f64, values: usize, kept: usize, rejected: usize,
): void {
  mask<f32>(codes, stride, rows, thresholds, norms, meanNorm, values, kept, rejected);
}
export function mask_f64(
  codes: usize, stride: usize, rows: i32, thresholds: usize, norms: usize, meanNorm: f64, values: usize, kept: usize, rejected: usize,
): void {
  mask<f64>(codes, stride, rows, thresholds, norms, meanNorm, values, kept, rejected);
}

export function energies_f32(codes: usize, stride: usize, panelStride: usize, rows: i32, atoms: i32, out: usize): void {
  energies<f32>(codes, stride, panelStride, rows, atoms, out);
}
export function energies_f64(codes: usize, stride: usize, panelStride: usize, rows: i32, atoms: i32, out: usize): void {
  energies<f64>(codes, stride, panelStride, rows, atoms, out);
}

export function likelihood_f32(
  codes: usize, stride: usize, rows: i32, atoms: i32, numbers: usize, values: usize, spikeEnergy: usize, slope: usize,
): void {
  likelihood<f32>(codes, stride, rows, atoms, numbers, values, spikeEnergy, slope);
}
export function likelihood_f64(
  codes: usize, stride: usize, rows: i32, atoms: i32, numbers: usize, values: usize, spikeEnergy: usize, slope: usize,
): void {
  likelihood<f64>(codes, stride, rows, atoms, numbers, values, spikeEnergy, slope);
}

export function measure_f32(
  codes: usize, stride: usize, rows: i32, thresholds: usize, norms: usize, meanNorm: f64, odd: bool, halves: i32, kept: usize, powers: usize,
): void {
  measure<f32>(codes, stride, rows, thresholds, norms, meanNorm, odd, halves, kept, powers);
}
export function measure_f64(
  codes: usize, stride: usize, rows: i32, thresholds: usize, norms: usize, meanNorm: f64, odd: bool, halves: i32, kept: usize, powers: usize,
): void {
  measure<f64>(codes, stride, rows, thresholds, norms, meanNorm, odd, halves, kept, powers);
}

export function histogram_f32(
  codes: usize, stride: usize, rows: i32, atoms: i32, norms: usize, meanNorm: f64, bins: i32, lowest: i32, counts: usize,
): void {
  histogram<f32>(codes, stride, rows, atoms, norms, meanNorm, bins, lowest, counts);
}
export function histogram_f64(
  codes: usize, stride: usize, rows: i32, atoms: i32, norms: usize, meanNorm: f64, bins: i32, lowest: i32, counts: usize,
): void {
  histogram<f64>(codes, stride, rows, atoms, norms, meanNorm, bins, lowest, counts);
}
