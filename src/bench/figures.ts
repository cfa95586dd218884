/** The figures that judge the speed of this package: ratios within one run, each with the bar it should clear. */
import type { CommandRun } from './command.ts';
import { numpyMsp } from './contenders/numpy-msp.ts';
import { sklearnFastIca } from './contenders/sklearn-fastica.ts';
import type { Micro, Rate } from './micro.ts';
import type { Race, Result } from './race.ts';
import type { StructuredTime } from './structured.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly bar: number;
  /** `least`: the value should be at least the bar; `most`: at most. */
  readonly kind: 'least' | 'most';
  readonly met: boolean;
}

const COARSE = 5e-3;
const EXACT = 1e-10;
const MEMORY_FACTOR = 1.5;
const MEMORY_BASE = 200e6;

/** The figures measured in this run. */
export function figures(
  races: readonly Race[],
  commands: readonly CommandRun[],
  micro: Micro | null,
  structured: readonly StructuredTime[],
): Figure[] {
  return [
    ...(micro ? rateFigures(micro) : []),
    ...structuredFigures(structured),
    ...raceFigures(races),
    ...commandFigures(races, commands),
  ];
}

function structuredFigures(times: readonly StructuredTime[]): Figure[] {
  return times
    .filter(({ kind }) => kind === 'householder')
    .flatMap(({ factors, features, backend, precision, threads, seconds, denseSeconds }) => {
      const words = `encode, ${backend}, ${precision}, n=${features}, threads ${threads}`;
      return figure(`${words}: matrix / ${factors} reflectors`, denseSeconds / seconds, 5);
    });
}

function figure(name: string, value: number | undefined, bar: number, kind: Figure['kind'] = 'least'): Figure[] {
  if (value === undefined || !Number.isFinite(value)) return [];
  return [{ name, value, bar, kind, met: kind === 'least' ? value >= bar : value <= bar }];
}

function rateFigures({ rates }: Micro): Figure[] {
  const find = (wanted: Partial<Rate>) =>
    rates.find((rate) => Object.entries(wanted).every(([key, value]) => rate[key as keyof Rate] === value));
  const ofBlas = (wanted: Partial<Rate>) => find(wanted)?.ofBlas ?? undefined;
  const scaling = (backend: string) => {
    const pass = { what: 'pass', backend, size: 256, precision: 'f64' } as const;
    const [one, two] = [find({ ...pass, threads: 1 }), find({ ...pass, threads: 2 })];
    return one && two ? two.gflops / one.gflops : undefined;
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

function raceFigures(races: readonly Race[]): Figure[] {
  const at = (features: number) => races.find(({ set }) => set.features === features)?.results ?? [];
  const seconds = (features: number, contender: string, target: number) =>
    resultOf(at(features), contender, target)?.seconds ?? undefined;
  const numpy = (features: number) => seconds(features, numpyMsp.name, COARSE);
  const ours = (backend: string, features: number, target: number) => seconds(features, `orthodict ${backend}`, target);
  const best = least(['native', 'wasm'].map((backend) => ours(backend, 25, COARSE)));
  return [
    ...figure('n=100, to 0.5 %: NumPy MSP / orthodict wasm', over(numpy(100), ours('wasm', 100, COARSE)), 4),
    ...figure('n=100, to 0.5 %: NumPy MSP / orthodict native', over(numpy(100), ours('native', 100, COARSE)), 8),
    ...figure('n=200: NumPy MSP to 0.5 % / orthodict wasm to 1e-10', over(numpy(200), ours('wasm', 200, EXACT)), 2.5),
    ...figure('n=25, to 0.5 %: NumPy MSP / orthodict', over(numpy(25), best), 1.5),
    ...figure('n=100: FastICA / orthodict wasm, same error or better', fastIcaRatio(at(100)), 4),
  ];
}

/** FastICA has a single error; ours is the fastest wasm run with no larger error. */
function fastIcaRatio(results: readonly Result[]): number | undefined {
  const { last } = resultOf(results, sklearnFastIca.name, COARSE) ?? {};
  if (!last) return undefined;
  const asGood = results.filter(
    ({ contender, error }) => contender === 'orthodict wasm' && error !== null && error <= last.error,
  );
  return over(last.seconds, least(asGood.map((result) => result.seconds ?? undefined)));
}

function commandFigures(races: readonly Race[], commands: readonly CommandRun[]): Figure[] {
  return commands.flatMap((command) => {
    const { set, seconds, peakBytes, fileBytes, backend } = command;
    const results = races.find((race) => race.set === set)?.results ?? [];
    const numpy = resultOf(results, numpyMsp.name, COARSE)?.last ?? undefined;
    const bytesPerNumber = Math.round(fileBytes / (set.features * set.samples));
    if (bytesPerNumber === 8) {
      if (set.features !== 400 || command.error > EXACT) return [];
      const name = `n=400: NumPy MSP, 60 iterations alone / whole command to 1e-10, ${backend}`;
      return figure(name, over(numpy?.seconds, seconds), 5);
    }
    const name = `n=${set.features}: peak memory / (1.5 × float32 file + 200 MB)`;
    const room = MEMORY_FACTOR * fileBytes + MEMORY_BASE;
    return figure(name, peakBytes === null ? undefined : peakBytes / room, 1, 'most');
  });
}

const resultOf = (results: readonly Result[], contender: string, target: number): Result | undefined =>
  results.find((result) => result.contender === contender && result.target === target);

const over = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a / b;

function least(values: ReadonlyArray<number | undefined>): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
