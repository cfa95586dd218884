/** Figures: medians, not bests; bars; nothing where nothing was measured. */
import { describe, expect, it } from 'vitest';
import { figures } from '#lab/report/figures.ts';
import type { Measured } from '#lab/tasks/measured.ts';
import type { RealResult } from '#lab/tasks/real/real.ts';
import type { Recovery, Result } from '#lab/tasks/recovery/recovery.ts';

const nothing: Measured = {
  recovery: [],
  processes: [],
  startUp: [],
  memory: [],
  real: [],
  models: [],
  micro: null,
  structured: [],
  steps: [],
};

const result = (contender: string, target: number, seconds: number | null, median: number | null): Result => ({
  contender,
  ours: contender.startsWith('orthodict'),
  target,
  seconds,
  medianSeconds: median,
  error: target / 2,
  runs: 3,
  last: { seconds: median ?? 9, passes: null, score: target / 2 },
});

const recovery = (features: number, ...results: Result[]): Recovery => ({
  set: { features, samples: 10, theta: 0.3, seed: 1, mostRuns: 9, limitSeconds: 1 },
  results,
  ratios: [],
  curves: [],
});

const figureOf = (measured: Partial<Measured>, name: RegExp) =>
  figures({ ...nothing, ...measured }).find((figure) => name.test(figure.name));

describe('figures', () => {
  it('are none if nothing was measured', () => {
    expect(figures(nothing)).toEqual([]);
  });

  it('compare medians, and know their bars', () => {
    const measured = {
      recovery: [
        recovery(
          100,
          result('NumPy plain MSP', 5e-3, 1, 12),
          result('orthodict wasm', 5e-3, 1, 2),
          result('orthodict native', 5e-3, 0.1, 1.5),
          result('orthodict native', 1e-10, 0.1, null),
        ),
      ],
    };
    expect(figureOf(measured, /n=100.*wasm$/)).toMatchObject({ value: 6, bar: 6, kind: 'least', met: true });
    expect(figureOf(measured, /n=100.*native$/)).toMatchObject({ value: 8, bar: 9, met: false });
    expect(figureOf(measured, /n=200/)).toBeUndefined();
  });

  it('take the better of ours at n=25, and count only runs that reached the target', () => {
    const wasm = result('orthodict wasm', 5e-3, 1, 2);
    const native = result('orthodict native', 5e-3, null, null);
    const measured = { recovery: [recovery(25, result('NumPy plain MSP', 5e-3, 5, 8), wasm, native)] };
    expect(figureOf(measured, /n=25/)).toMatchObject({ value: 4, bar: 3, met: true });
  });

  it('compare whole processes, and their start with that of Node', () => {
    const whole = recovery(100, result('NumPy plain MSP', 5e-3, 1, 4.4), result('orthodict wasm', 5e-3, 1, 2));
    const start = (name: string, ofNode: number) => ({ name, seconds: ofNode, ofNode, runs: 11 });
    const measured = {
      processes: [whole],
      startUp: [start('node -e 0', 1), start('orthodict --version', 2.5), start('orthodict learn, 1,000×10 CSV', 3)],
    };
    expect(figureOf(measured, /whole processes.*wasm$/)).toMatchObject({ value: 2.2, bar: 2.2, met: true });
    expect(figureOf(measured, /--version/)).toMatchObject({ value: 2.5, bar: 2, kind: 'most', met: false });
    expect(figureOf(measured, /CSV/)).toMatchObject({ value: 3, bar: 4, met: true });
  });

  it('judge the default on real data by its passes and by the reference', () => {
    const ours: RealResult = {
      contender: 'orthodict default',
      ours: true,
      runs: 3,
      seconds: 1,
      passes: 21,
      residual: 0.1,
      ofReference: 1.004,
      secondsToReference: 1,
      marks: [],
    };
    const set = { name: 'digits', samples: 9, features: 3, kept: 5, within: 0.01, mostPasses: 20 };
    const measured = { real: [{ set, heldOutSamples: 9, references: [], results: [ours] }] };
    expect(figureOf(measured, /^digits: passes/)).toMatchObject({ value: 21, bar: 20, met: false });
    expect(figureOf(measured, /^digits: held-out/)).toMatchObject({ value: 1.004, bar: 1.01, met: true });
  });

  it('put a sweep beside a pass; K-SVD has no bar', () => {
    const step = (what: 'msp' | 'givens' | 'ksvd', seconds: number) => {
      return { what, features: 50, samples: 20, backend: 'wasm', threads: 2, seconds };
    };
    const measured = { steps: [step('msp', 0.5), step('givens', 1.5), step('ksvd', 7)] };
    expect(figureOf(measured, /^Givens sweep/)).toMatchObject({ value: 3, bar: 4, kind: 'most', met: true });
    expect(figureOf(measured, /^K-SVD/)).toMatchObject({ value: 7, bar: null, met: null });
  });
});
