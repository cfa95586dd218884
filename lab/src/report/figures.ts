/**
 * Figures on the speed of this package, each with its target, if it has one. Times are medians of the rounds
 * of one run; kernels are compared by their best bursts.
 */
import { OURS_ON_REAL_DATA } from '../contenders/index.ts';
import { numpyMsp } from '../contenders/numpy-msp.ts';
import { sklearnFastIca } from '../contenders/sklearn-fastica.ts';
import type { Measured } from '../tasks/measured.ts';
import type { Micro, Rate } from '../tasks/micro/rates.ts';
import type { StepTime } from '../tasks/micro/steps.ts';
import { SMALL_TABLE, VERSION } from '../tasks/processes/start-up.ts';
import { COARSE, EXACT } from '../tasks/recovery/objective.ts';
import type { Recovery, Result } from '../tasks/recovery/recovery.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Null: only for comparison with other runs on this machine. */
  readonly bar: number | null;
  /** `least`: the value should be at least the bar; `most`: at most. */
  readonly kind: 'least' | 'most';
  readonly met: boolean | null;
}

const MEMORY_FACTOR = 1.5;
const MEMORY_BASE = 200e6;

/** The figures measured in this run. */
export const figures = (measured: Measured): Figure[] => [
  ...recoveryFigures(measured),
  ...processFigures(measured),
  ...realFigures(measured),
  ...stepFigures(measured),
  ...(measured.micro ? rateFigures(measured.micro) : []),
  ...structuredFigures(measured),
];

function figure(name: string, value: number | undefined, bar: number | null, kind: Figure['kind'] = 'least'): Figure[] {
  if (value === undefined || !Number.isFinite(value)) return [];
  const met = bar === null ? null : kind === 'least' ? value >= bar : value <= bar;
  return [{ name, value, bar, kind, met }];
}

/** NumPy's time to 0.5 % over ours to a target. */
function numpyOver(
  measured: readonly Recovery[],
  features: number,
  backend: string,
  target: number,
): number | undefined {
  const results = measured.find(({ set }) => set.features === features)?.results ?? [];
  const seconds = (contender: string, wanted: number) =>
    results.find((result) => result.contender === contender && result.target === wanted)?.medianSeconds ?? undefined;
  return over(seconds(numpyMsp.name, COARSE), seconds(`orthodict ${backend}`, target));
}

function recoveryFigures({ recovery }: Measured): Figure[] {
  const ratio = (features: number, backend: string, target: number) => numpyOver(recovery, features, backend, target);
  const best = most(['native', 'wasm'].map((backend) => ratio(25, backend, COARSE)));
  const at100 = recovery.find(({ set }) => set.features === 100)?.results ?? [];
  return [
    ...figure('n=100, to 0.5 %: NumPy MSP / orthodict wasm', ratio(100, 'wasm', COARSE), 6),
    ...figure('n=100, to 0.5 %: NumPy MSP / orthodict native', ratio(100, 'native', COARSE), 9),
    ...figure('n=200: NumPy MSP to 0.5 % / orthodict wasm to 1e-10', ratio(200, 'wasm', EXACT), 3),
    ...figure('n=200: NumPy MSP to 0.5 % / orthodict native to 1e-10', ratio(200, 'native', EXACT), 5),
    ...figure('n=25, to 0.5 %: NumPy MSP / orthodict', best, 3),
    ...figure('n=100: FastICA / orthodict wasm, same error or better', fastIcaRatio(at100), 4),
  ];
}

/** FastICA has a single error; ours is the fastest wasm run with no larger error. */
function fastIcaRatio(results: readonly Result[]): number | undefined {
  const last = results.find(({ contender, target }) => contender === sklearnFastIca.name && target === COARSE)?.last;
  if (!last) return undefined;
  const asGood = results.filter(
    ({ contender, error }) => contender === 'orthodict wasm' && error !== null && error <= last.score,
  );
  return most(asGood.map(({ medianSeconds }) => over(last.seconds, medianSeconds ?? undefined)));
}

function processFigures({ processes, startUp, memory, recovery }: Measured): Figure[] {
  const start = (name: string) => startUp.find((one) => one.name === name)?.ofNode;
  const whole = 'n=100, to 0.5 %, whole processes: NumPy MSP / orthodict';
  return [
    ...figure(`${whole} wasm`, numpyOver(processes, 100, 'wasm', COARSE), 2.2),
    ...figure(`${whole} native`, numpyOver(processes, 100, 'native', COARSE), 2.5),
    ...figure('orthodict --version / node -e 0', start(VERSION), 2, 'most'),
    ...figure('orthodict learn, 1,000×10 CSV / node -e 0', start(SMALL_TABLE), 4, 'most'),
    ...memory.flatMap((command) => memoryFigures(command, recovery)),
  ];
}

function memoryFigures(command: Measured['memory'][number], recovery: readonly Recovery[]): Figure[] {
  const { set, precision, seconds, error, peakBytes, fileBytes, backend } = command;
  if (precision === 'f32') {
    const name = `n=${set.features}: peak memory / (1.5 × float32 file + 200 MB)`;
    const room = MEMORY_FACTOR * fileBytes + MEMORY_BASE;
    return figure(name, peakBytes === null ? undefined : peakBytes / room, 1, 'most');
  }
  if (set.features !== 400 || error > EXACT) return [];
  const results = recovery.find((one) => one.set === set)?.results ?? [];
  const numpy = results.find(({ contender }) => contender === numpyMsp.name)?.last?.seconds;
  const name = `n=400: NumPy MSP, 60 iterations alone / whole command to 1e-10, ${backend}`;
  return figure(name, over(numpy, seconds), 5);
}

function realFigures({ real }: Measured): Figure[] {
  return real.flatMap(({ set, results }) => {
    const ours = results.find(({ contender }) => contender === OURS_ON_REAL_DATA);
    const residual = `${set.name}: held-out residual, default / plain MSP to its end`;
    return [
      ...figure(`${set.name}: passes of the default`, ours?.passes ?? undefined, set.mostPasses, 'most'),
      ...figure(residual, ours?.ofReference ?? undefined, 1 + set.within, 'most'),
    ];
  });
}

function stepFigures({ steps }: Measured): Figure[] {
  const of = (what: StepTime['what'], backend: string) =>
    steps.find((step) => step.what === what && step.backend === backend);
  return [...new Set(steps.map(({ backend }) => backend))].flatMap((backend) => {
    const [msp, givens, ksvd] = [of('msp', backend), of('givens', backend), of('ksvd', backend)];
    const ratio = over(givens?.seconds, msp?.seconds);
    const size = (step: StepTime | undefined) => `n=${step?.features}, p=${step?.samples}`;
    return [
      ...figure(`Givens sweep / MSP pass, ${size(givens)}, f64, ${backend}`, ratio, 4, 'most'),
      ...figure(`K-SVD, ${size(ksvd)}, ${backend}: seconds an iteration`, ksvd?.seconds, null, 'most'),
    ];
  });
}

function rateFigures({ rates }: Micro): Figure[] {
  const find = (wanted: Partial<Rate>) =>
    rates.find((rate) => Object.entries(wanted).every(([key, value]) => rate[key as keyof Rate] === value));
  const ofBlas = (wanted: Partial<Rate>) => find(wanted)?.ofBlas ?? undefined;
  const scaling = (backend: string) => {
    const pass = { what: 'pass', backend, size: 256, precision: 'f64' } as const;
    return over(find({ ...pass, threads: 2 })?.gflops, find({ ...pass, threads: 1 })?.gflops);
  };
  const wasm = { what: 'fused', backend: 'wasm', size: 256 } as const;
  const native = { what: 'pass', backend: 'native', size: 256, precision: 'f64', threads: 2 } as const;
  return [
    ...figure('fused pass, wasm, f64, n=256, 1 thread / BLAS dgemm', ofBlas({ ...wasm, precision: 'f64' }), 0.45),
    ...figure('fused pass, wasm, f32, n=256, 1 thread / BLAS sgemm', ofBlas({ ...wasm, precision: 'f32' }), 0.42),
    ...figure('fused pass, wasm, f64, n=256: 2 threads / 1 thread', scaling('wasm'), 1.8),
    ...figure('fused pass, native, f64, n=256: 2 threads / 1 thread', scaling('native'), 1.8),
    ...figure('fused pass, native, f64, n=256, 2 threads / BLAS dgemm at 2', ofBlas(native), 0.8),
  ];
}

function structuredFigures({ structured }: Measured): Figure[] {
  return structured
    .filter(({ kind }) => kind === 'householder')
    .flatMap(({ factors, features, backend, precision, threads, seconds, denseSeconds }) => {
      const words = `encode, ${backend}, ${precision}, n=${features}, threads ${threads}`;
      return figure(`${words}: matrix / ${factors} reflectors`, denseSeconds / seconds, 5);
    });
}

const over = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a / b;

function most(values: ReadonlyArray<number | undefined>): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}
