/** Formats a benchmark as text tables for the command line. */

import { MSP_ITERATIONS, numpyMsp } from '../contenders/numpy-msp.ts';
import type { Bench } from '../tasks/bench.ts';
import type { Micro, Rate } from '../tasks/micro/rates.ts';
import type { StepTime } from '../tasks/micro/steps.ts';
import type { StructuredTime } from '../tasks/micro/structured.ts';
import type { PeakMemory } from '../tasks/processes/peak-memory.ts';
import type { StartUp } from '../tasks/processes/start-up.ts';
import type { RealResults } from '../tasks/real/real.ts';
import { describeRealSet } from '../tasks/real/real-sets.ts';
import { describeSet } from '../tasks/recovery/data-sets.ts';
import type { Recovery, Result } from '../tasks/recovery/recovery.ts';
import type { Figure } from './figures.ts';
import { modelTables } from './model-tables.ts';
import { formatSeconds, megabytes, percent } from './numbers.ts';
import type { Table } from './table.ts';

export function reportTables(bench: Bench): Table[] {
  const some = <T>(list: readonly T[], table: (list: readonly T[]) => Table) => (list.length > 0 ? [table(list)] : []);
  return [
    ...bench.recovery.map(recoveryTable),
    ...bench.processes.map(processTable),
    ...some(bench.startUp, startUpTable),
    ...some(bench.memory, (memory) => memoryTable(memory, bench.recovery)),
    ...bench.real.map(realTable),
    ...modelTables(bench.models),
    ...(bench.micro ? [rateTable(bench.micro)] : []),
    ...some(bench.structured, structuredTable),
    ...some(bench.steps, stepTable),
    ...some(bench.figures, figureTable),
  ];
}

/** One line per contender; below the table, the reasons for missing times. */
function recoveryTable({ set, results, ratios }: Recovery): Table {
  const targets = [...new Set(results.map(({ target }) => target))];
  const names = [...new Set(results.map(({ contender }) => contender))];
  const of = (name: string, target: number) =>
    results.find((result) => result.contender === name && result.target === target);
  const columns = targets.flatMap((target) => [`s to ${percent(target)}`, 'best', '/ ours', 'error']);
  const rows = names.map((name) => [name, ...targets.flatMap((target) => cells(of(name, target), results))]);
  const reasons = results
    .filter(({ reason, error }) => reason && error === null) // an error in the table explains itself
    .map(({ contender, reason }) => `${contender}: ${reason}`);
  const runs = Math.max(0, ...results.map((result) => result.runs));
  return {
    title: `${describeSet(set)}, θ=${set.theta}: time to reach a recovery error, median and best of ${runs}; / ours: the fastest of them`,
    header: ['contender', ...columns],
    rows,
    notes: [
      ...new Set(reasons),
      ...ratios
        .filter(({ ours }) => ours !== 'orthodict js')
        .map(
          ({ other, ours, target, best, median }) =>
            `${other} / ${ours}, ${percent(target)}: ${median?.toFixed(2) ?? '–'} (best runs ${best.toFixed(2)})`,
        ),
    ],
  };
}

function cells(result: Result | undefined, all: readonly Result[]): string[] {
  if (!result) return ['–', '–', '–', '–'];
  const ours = all.filter((other) => other.ours && other.target === result.target && other.medianSeconds !== null);
  const best = Math.min(...ours.map(({ medianSeconds }) => medianSeconds ?? Infinity));
  const ratio = result.medianSeconds === null || ours.length === 0 ? '–' : (result.medianSeconds / best).toFixed(2);
  const error = result.error === null ? '–' : result.error.toExponential(1);
  return [formatSeconds(result.medianSeconds), formatSeconds(result.seconds), ratio, error];
}

function memoryTable(commands: readonly PeakMemory[], recovery: readonly Recovery[]): Table {
  const alone = commands.map(({ set, seconds }) => {
    const results = recovery.find((one) => one.set === set)?.results ?? [];
    const numpy = results.find(({ contender }) => contender === numpyMsp.name)?.last?.seconds;
    return numpy === undefined ? '–' : (numpy / seconds).toFixed(2);
  });
  return {
    title: 'The whole command with default options, from a .npy file to a model file: time and memory',
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

/** One line per contender and target; below, how NumPy compares, and the reasons for missing times. */
function processTable({ set, results }: Recovery): Table {
  const runs = Math.max(0, ...results.map((result) => result.runs));
  const numpy = results.find(({ contender }) => contender === numpyMsp.name)?.medianSeconds ?? null;
  const over = (seconds: number | null) => (seconds === null || numpy === null ? '–' : (numpy / seconds).toFixed(2));
  return {
    title: `${describeSet(set)}, whole processes from start to exit: median and best of ${runs}`,
    header: ['process', 'target', 'seconds', 'best', `${numpyMsp.name} / it`, 'error'],
    rows: results.map(({ contender, target, medianSeconds, seconds, error }) => [
      contender,
      percent(target),
      formatSeconds(medianSeconds),
      formatSeconds(seconds),
      over(medianSeconds),
      error === null ? '–' : error.toExponential(1),
    ]),
    notes: results.flatMap(({ contender, target, reason }) =>
      reason ? [`${contender}, ${percent(target)}: ${reason}`] : [],
    ),
  };
}

function startUpTable(startUp: readonly StartUp[]): Table {
  return {
    title: `Start-up, from start to exit: median of ${startUp[0].runs}`,
    header: ['command', 'milliseconds', '/ node -e 0'],
    rows: startUp.map(({ name, seconds, ofNode }) => [name, (1000 * seconds).toFixed(0), ofNode.toFixed(2)]),
    notes: [],
  };
}

function realTable({ set, heldOutSamples, references, results }: RealResults): Table {
  const share = (value: number | null) => (value === null ? '–' : `${(100 * value).toFixed(3)} %`);
  const excess = (value: number | null) =>
    value === null ? '–' : `${value < 1 ? '' : '+'}${(100 * (value - 1)).toFixed(2)} %`;
  const near = `s to +${percent(set.within)}`;
  const list = (pick: (reference: RealResults['references'][number]) => string) => references.map(pick).join(', ');
  return {
    title: `${describeRealSet(set)}: energy missing when each of ${heldOutSamples.toLocaleString('en-US')} held-out samples keeps ${set.kept} codes, medians`,
    header: ['contender', 'starts', 'passes', 'seconds', 'residual', '/ reference', near],
    rows: results.map(({ contender, runs, passes, seconds, residual, ofReference, secondsToReference }) => [
      contender,
      String(runs),
      passes === null ? '–' : String(Number(passes.toFixed(1))),
      formatSeconds(seconds),
      share(residual),
      excess(ofReference),
      formatSeconds(secondsToReference),
    ]),
    notes: [
      `reference, plain MSP to its end: residual ${list(({ residual }) => share(residual))}; passes ${list(({ passes }) => String(passes))}`,
      ...results.flatMap(({ contender, reason }) => (reason ? [`${contender}: ${reason}`] : [])),
    ],
  };
}

const STEP_WORDS: Record<StepTime['what'], string> = {
  msp: 'MSP, a pass',
  givens: 'Givens, a sweep',
  ksvd: 'K-SVD, an iteration',
};

function stepTable(steps: readonly StepTime[]): Table {
  return {
    title: 'One step of a method: median seconds',
    header: ['step', 'n', 'p', 'backend', 'threads', 'seconds'],
    rows: steps.map(({ what, features, samples, backend, threads, seconds }) => [
      STEP_WORDS[what],
      String(features),
      String(samples),
      backend,
      String(threads),
      formatSeconds(seconds),
    ]),
    notes: [],
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
    header: ['figure', 'value', 'bar', 'met'],
    rows: figures.map(({ name, value, bar, kind, met }) => [
      name,
      Number.isInteger(value) ? String(value) : value.toFixed(3),
      bar === null ? '–' : `${kind === 'least' ? '≥' : '≤'} ${bar}`,
      met === null ? '–' : met ? 'yes' : 'no',
    ]),
    notes: [],
  };
}
