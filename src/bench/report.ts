/** Formats a benchmark as text tables for the command line. */
import type { Bench } from './bench.ts';
import type { CommandRun } from './command.ts';
import { MSP_ITERATIONS, numpyMsp } from './contenders/numpy-msp.ts';
import { describeSet } from './data-sets.ts';
import type { Figure } from './figures.ts';
import type { Micro, Rate } from './micro.ts';
import type { Race, Result } from './race.ts';
import type { StructuredTime } from './structured.ts';

export interface Table {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Lines below the table. */
  readonly notes: readonly string[];
}

export function reportTables(bench: Bench): Table[] {
  return [
    ...bench.races.map(raceTable),
    ...(bench.commands.length > 0 ? [commandTable(bench.commands, bench.races)] : []),
    ...(bench.micro ? [rateTable(bench.micro)] : []),
    ...(bench.structured.length > 0 ? [structuredTable(bench.structured)] : []),
    ...(bench.figures.length > 0 ? [figureTable(bench.figures)] : []),
  ];
}

/** One line per contender; below the table, the reasons for missing times. */
function raceTable({ set, results, ratios }: Race): Table {
  const targets = [...new Set(results.map(({ target }) => target))];
  const names = [...new Set(results.map(({ contender }) => contender))];
  const of = (name: string, target: number) =>
    results.find((result) => result.contender === name && result.target === target);
  const columns = targets.flatMap((target) => [`s to ${percent(target)}`, 'median', '/ best of ours', 'error']);
  const rows = names.map((name) => [name, ...targets.flatMap((target) => cells(of(name, target), results))]);
  const reasons = results
    .filter(({ reason, error }) => reason && error === null) // an error in the table explains itself
    .map(({ contender, reason }) => `${contender}: ${reason}`);
  const runs = Math.max(0, ...results.map((result) => result.runs));
  return {
    title: `${describeSet(set)}, θ=${set.theta}: time to reach a recovery error, best of ${runs} and median`,
    header: ['contender', ...columns],
    rows,
    notes: [
      ...new Set(reasons),
      ...ratios
        .filter(({ ours }) => ours !== 'orthodict js')
        .map(
          ({ peer, ours, target, best, median }) =>
            `${peer} / ${ours}, ${percent(target)}: ${best.toFixed(2)} (medians ${median?.toFixed(2) ?? '–'})`,
        ),
    ],
  };
}

function cells(result: Result | undefined, all: readonly Result[]): string[] {
  if (!result) return ['–', '–', '–', '–'];
  const ours = all.filter((other) => other.ours && other.target === result.target && other.seconds !== null);
  const best = Math.min(...ours.map(({ seconds }) => seconds ?? Infinity));
  const ratio = result.seconds === null || ours.length === 0 ? '–' : (result.seconds / best).toFixed(2);
  const error = result.error === null ? '–' : result.error.toExponential(1);
  return [formatSeconds(result.seconds), formatSeconds(result.medianSeconds), ratio, error];
}

function commandTable(commands: readonly CommandRun[], races: readonly Race[]): Table {
  const alone = commands.map(({ set, seconds }) => {
    const results = races.find((race) => race.set === set)?.results ?? [];
    const peer = results.find(({ contender }) => contender === numpyMsp.name)?.last?.seconds;
    return peer === undefined ? '–' : (peer / seconds).toFixed(2);
  });
  return {
    title: 'The whole command, orthodict learn as a process, from a .npy file to a model file',
    header: [
      'data',
      'file',
      'seconds',
      'error',
      'peak memory',
      'peak / file',
      'backend',
      `NumPy's ${MSP_ITERATIONS} iterations / it`,
    ],
    rows: commands.map(({ set, seconds, error, fileBytes, peakBytes, backend }, k) => [
      describeSet(set),
      megabytes(fileBytes),
      formatSeconds(seconds),
      error.toExponential(1),
      peakBytes === null ? '–' : megabytes(peakBytes),
      peakBytes === null ? '–' : (peakBytes / fileBytes).toFixed(2),
      backend,
      alone[k],
    ]),
    notes: [...new Set(commands.flatMap(({ reason }) => reason ?? []))],
  };
}

const WORDS: Record<Rate['what'], string> = {
  blas: 'product by BLAS',
  product: 'product',
  fused: 'fused pass',
  pass: 'fused pass, executor',
};

function rateTable({ rates, blas, skipped }: Micro): Table {
  const keys = [...new Set(rates.map(rateKey))];
  const find = (key: string, precision: string) =>
    rates.find((rate) => rateKey(rate) === key && rate.precision === precision);
  const rate = (found: Rate | undefined) => (found ? found.gflops.toFixed(1) : '–');
  const share = (found: Rate | undefined) => found?.ofBlas?.toFixed(2) ?? '–';
  return {
    title: 'GFLOPS: the best of short bursts that take turns, and relative to BLAS on as many threads',
    header: ['what', 'backend', 'n', 'threads', 'f64', '/ BLAS', 'f32', '/ BLAS'],
    rows: keys.map((key) => {
      const [f64, f32] = [find(key, 'f64'), find(key, 'f32')];
      const { what, backend, size, threads } = (f64 ?? f32) as Rate;
      return [WORDS[what], backend, String(size), String(threads), rate(f64), share(f64), rate(f32), share(f32)];
    }),
    notes: [`BLAS: ${blas}`, ...skipped.map(({ what, reason }) => `${what} skipped: ${reason}`)],
  };
}

const rateKey = ({ what, backend, size, threads }: Rate): string => `${what} ${backend} ${size} ${threads}`;

function structuredTable(times: readonly StructuredTime[]): Table {
  return {
    title: 'Encoding with structured dictionaries, and the speed-up over a matrix',
    header: ['factors', 'n', 'backend', 'threads', 'type', 'seconds', 'matrix', 'faster by'],
    rows: times.map(({ kind, factors, features, backend, threads, precision, seconds, denseSeconds }) => [
      `${factors} ${kind === 'givens' ? 'rotations' : 'reflectors'}`,
      String(features),
      backend,
      String(threads),
      precision,
      formatSeconds(seconds),
      formatSeconds(denseSeconds),
      (denseSeconds / seconds).toFixed(1),
    ]),
    notes: [],
  };
}

function figureTable(figures: readonly Figure[]): Table {
  return {
    title: 'Figures of this run and the bars they should clear',
    header: ['ratio', 'value', 'bar', 'met'],
    rows: figures.map(({ name, value, bar, kind, met }) => [
      name,
      value.toFixed(2),
      `${kind === 'least' ? '≥' : '≤'} ${bar}`,
      met ? 'yes' : 'no',
    ]),
    notes: [],
  };
}

/** 0.5 % or 1e-10. */
export const percent = (target: number): string =>
  target >= 1e-4 ? `${Number((100 * target).toPrecision(3))} %` : target.toExponential(0);

export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds >= 100 ? seconds.toFixed(0) : seconds.toPrecision(3);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
