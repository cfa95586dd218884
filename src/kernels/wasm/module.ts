/** Instances of the compiled modules, and their typed exports. */
import type { Precision } from '../../core/matrix.ts';
import { Arena } from './arena.ts';
import type { CompiledKernels } from './compile.ts';
import { type WasmMemory, type WasmModule, WebAssembly } from './webassembly.ts';

/** An instance of the module with its memory. One call at a time. */
export interface Machine {
  readonly exports: WasmExports;
  /** The functions that work on this memory, which threads share. */
  readonly on: (memory: WasmMemory) => SharedExports;
  readonly arena: Arena;
  /** Most bytes of samples in memory at a time. The sums are bit-identical for any value. */
  readonly sampleBytes: number;
}

/** The functions of assembly/ for one type of arithmetic. Pointers, strides and sizes are in bytes unless noted. */
export interface Arithmetic {
  packRows(from: number, stride: number, rows: number, cols: number, out: number): void;
  packColumns(from: number, stride: number, rows: number, cols: number, out: number, panelStride: number): void;
  unpackRows(from: number, rows: number, cols: number, out: number, stride: number): void;
  unpackColumns(from: number, panelStride: number, rows: number, cols: number, out: number): void;
  unpackSums(sums: number, rows: number, cols: number, upper: boolean, out: number): void;
  codes(
    samples: number,
    rows: number,
    depth: number,
    atoms: number,
    count: number,
    out: number,
    codesStride: number,
  ): void;
  cubes(
    samples: number,
    rows: number,
    depth: number,
    atoms: number,
    count: number,
    out: number,
    codesStride: number,
  ): void;
  accumulate(
    left: number,
    leftWidth: number,
    leftStride: number,
    right: number,
    rightWidth: number,
    rightStride: number,
    rows: number,
    sums: number,
    upper: boolean,
  ): void;
  block(
    left: number,
    leftWidth: number,
    right: number,
    rightWidth: number,
    depth: number,
    out: number,
    stride: number,
  ): void;
  rowDots(sums: number, atoms: number, rows: number, cols: number, out: number): void;
  mirror(at: number, n: number, stride: number): void;
  rotate(panel: number, pairs: number, factors: number, count: number): void;
  arrange(panel: number, depth: number, order: number, signs: number, out: number): void;
  power(codes: number, bytes: number, odd: boolean, squares: number): void;
  mask(
    codes: number,
    stride: number,
    rows: number,
    thresholds: number,
    norms: number,
    meanNorm: number,
    values: number,
    kept: number,
    rejected: number,
  ): void;
  energies(codes: number, stride: number, panelStride: number, rows: number, atoms: number, out: number): void;
  likelihood(
    codes: number,
    stride: number,
    rows: number,
    atoms: number,
    numbers: number,
    values: number,
    spikeEnergy: number,
    slope: number,
  ): void;
  measure(
    codes: number,
    stride: number,
    rows: number,
    thresholds: number,
    norms: number,
    meanNorm: number,
    odd: boolean,
    halves: number,
    kept: number,
    powers: number,
  ): void;
  histogram(
    codes: number,
    stride: number,
    rows: number,
    atoms: number,
    norms: number,
    meanNorm: number,
    bins: number,
    lowest: number,
    counts: number,
  ): void;
}

type Condition = (
  samples: number,
  rows: number,
  cols: number,
  offset: number,
  scale: number,
  out: number,
  stride: number,
) => void;
type PackSamples = (
  samples: number,
  rows: number,
  cols: number,
  offset: number,
  scale: number,
  rowPanels: number,
  columnPanels: number,
  columnStride: number,
) => void;
type Norms = (
  samples: number,
  rows: number,
  cols: number,
  offset: number,
  scale: number,
  least: number,
  out: number,
) => void;
/** Addresses of the arrays of sparse codes; see assembly/pursuit.ts. */
export type SparsePlace = readonly [
  codes: number,
  rowBytes: number,
  panelBytes: number,
  rows: number,
  K: number,
  gram: number,
  norms: number,
  room: number,
  counts: number,
  atoms: number,
  values: number,
  residuals: number,
];
type SumCodes = (
  samples: number,
  stride: number,
  rows: number,
  starts: number,
  atoms: number,
  values: number,
  K: number,
  gram: number,
  correlation: number,
) => void;
type SurveyRows = (
  samples: number,
  rows: number,
  cols: number,
  offset: number,
  scale: number,
  sums: number,
  totals: number,
) => void;
/** Rotates rows by one step: see assembly/planes.ts. */
export type RotatePlanes = (
  headers: number,
  rows: number,
  distance: number,
  bytes: number,
  rotations: number,
  planes: number,
  cubic: boolean,
) => void;

/** The module whose memory is given to it: see assembly/shared.ts. */
export type SharedExports = { readonly [K in `rotatePlanes_${Precision}`]: RotatePlanes };

export type WasmExports = SharedExports & {
  readonly [K in keyof Arithmetic as `${K}_${Precision}`]: Arithmetic[K];
} & { readonly [K in `condition_${Precision}_${Precision}`]: Condition } & {
  readonly [K in `packSamples_${Precision}_${Precision}`]: PackSamples;
} & {
  readonly [K in `norms_${Precision}`]: Norms;
} & {
  readonly [K in `survey_${Precision}`]: SurveyRows;
} & {
  readonly memory: WasmMemory;
  readonly addWidened: (from: number, count: number, to: number) => void;
  readonly pursue: (...args: [...place: SparsePlace, most: number, target: number]) => number;
  readonly lasso: (...args: [...place: SparsePlace, lambda: number]) => number;
  readonly codeMoments: SumCodes;
  readonly closeGaps: (at: number, rows: number, bytes: number, stride: number) => void;
  readonly narrow: (at: number, count: number) => void;
  readonly fourthPowers: (at: number, count: number) => number;
  readonly arenaStart: () => number;
};

/** Bytes of samples copied into an instance's memory at a time. */
export const SAMPLE_BYTES = 256 * 1024;

/** The instances of this thread, with the usual {@link SAMPLE_BYTES}. Each reserves gigabytes of addresses, so one is enough. */
const instances = new WeakMap<WasmModule, Promise<Machine>>();

/** Creates an instance; fails if there is no memory for it. */
export function createMachine(compiled: CompiledKernels, sampleBytes = SAMPLE_BYTES): Promise<Machine> {
  const { main } = compiled;
  if (sampleBytes !== SAMPLE_BYTES) return instantiate(compiled, sampleBytes);
  const machine = instances.get(main) ?? instantiate(compiled, sampleBytes);
  instances.set(main, machine);
  machine.catch(() => instances.delete(main)); // there may be memory later
  return machine;
}

async function instantiate({ main, shared }: CompiledKernels, sampleBytes: number): Promise<Machine> {
  if (!WebAssembly) throw new Error('there is no WebAssembly.');
  const exports = (await WebAssembly.instantiate(main, {})).exports as WasmExports;
  const onMemory = new WeakMap<WasmMemory, SharedExports>();
  const on = (memory: WasmMemory): SharedExports => {
    const known = onMemory.get(memory);
    if (known) return known;
    const made = new WebAssembly!.Instance(shared!, { env: { memory } }).exports as SharedExports;
    onMemory.set(memory, made);
    return made;
  };
  return { exports, on, arena: new Arena(exports.memory, exports.arenaStart()), sampleBytes };
}

/** The functions that compute in this precision. */
export function arithmeticOf(exports: WasmExports, precision: Precision): Arithmetic {
  return {
    packRows: exports[`packRows_${precision}`],
    packColumns: exports[`packColumns_${precision}`],
    unpackRows: exports[`unpackRows_${precision}`],
    unpackColumns: exports[`unpackColumns_${precision}`],
    unpackSums: exports[`unpackSums_${precision}`],
    codes: exports[`codes_${precision}`],
    cubes: exports[`cubes_${precision}`],
    accumulate: exports[`accumulate_${precision}`],
    block: exports[`block_${precision}`],
    rowDots: exports[`rowDots_${precision}`],
    mirror: exports[`mirror_${precision}`],
    rotate: exports[`rotate_${precision}`],
    arrange: exports[`arrange_${precision}`],
    power: exports[`power_${precision}`],
    mask: exports[`mask_${precision}`],
    energies: exports[`energies_${precision}`],
    likelihood: exports[`likelihood_${precision}`],
    measure: exports[`measure_${precision}`],
    histogram: exports[`histogram_${precision}`],
  };
}

/** Multiplies numbers in the memory of the machine by a factor. */
export function scaleNumbers(
  { exports }: Machine,
  at: number,
  count: number,
  precision: Precision,
  factor: number,
): void {
  if (factor !== 1) exports[`condition_${precision}_${precision}`](at, 1, count, 0, factor, at, 0);
}
