/** The benchmark of clusters as tables. */
import type { CheckedPass, ClusterBench, PredictedPass } from '../tasks/cluster/cluster-bench.ts';
import { formatSeconds, powerOfTen } from './numbers.ts';
import type { Table } from './table.ts';

const SHOWN_WORKERS = [1, 10, 100, 1000];
const percentOf = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const milliseconds = (seconds: number): string => (1000 * seconds).toPrecision(3);
const machines = ({ engine, workers }: { engine: string; workers: number }): string =>
  `${engine}, ${workers} ${engine === 'MPI' ? 'ranks' : workers === 1 ? 'worker' : 'workers'}`;

function groupsOf<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

export function clusterTables(bench: ClusterBench): Table[] {
  return [emptyTable(bench), fullTable(bench), predictionTable(bench), blockTable(bench)];
}

function emptyTable({ checked, costs }: ClusterBench): Table {
  const empty = checked.filter(({ samples }) => samples === 0);
  const sizes = [...new Set(empty.map(({ features }) => features))];
  const sizeOf = (features: number) =>
    `${Math.round(costs.find((each) => each.features === features)!.bytes / 1e3)} KB`;
  const groups = groupsOf(empty, machines);
  const rows = [...groups].map(([name, passes]) => {
    const cells = sizes.flatMap((features) => {
      const { measured, modelled } = passes.find((pass) => pass.features === features)!;
      return [milliseconds(measured), milliseconds(modelled)];
    });
    return [name, ...cells];
  });
  return {
    title: 'A pass with nothing to compute, ms, by the size of a sum',
    header: ['', ...sizes.flatMap((features) => [sizeOf(features), 'model'])],
    rows,
    notes: [
      'One sample and one sum for every worker; medians. The model knows one worker with small sums, and two ranks.',
    ],
  };
}

function fullTable({ checked, costs, cores }: ClusterBench): Table {
  const full = checked.filter(({ samples }) => samples > 0);
  const { samples, features } = full[0];
  const alone = samples * costs.find((each) => each.features === features)!.sample;
  const row = (pass: CheckedPass) => [
    machines(pass),
    formatSeconds(pass.measured),
    formatSeconds(pass.modelled),
    (pass.modelled / pass.measured).toFixed(2),
  ];
  return {
    title: `A pass over ${samples} samples of ${features} features, s; one thread without a cluster: ${formatSeconds(alone)}`,
    header: ['', 'measured', 'model', 'model / measured'],
    rows: full.map(row),
    notes: [`Workers, driver and Redis share ${cores} cores.`],
  };
}

function predictionTable({ predicted }: ClusterBench): Table {
  const shown = predicted.filter(({ workers, samples }) => SHOWN_WORKERS.includes(workers) && samples >= 1e8);
  const groups = groupsOf(shown, ({ features, samples, workers }) => `${features} ${samples} ${workers}`);
  const cellsOf = (pass: PredictedPass | undefined) =>
    pass ? [formatSeconds(pass.seconds), percentOf(pass.efficiency)] : ['', ''];
  const rows = [...groups.values()].map((passes) => {
    const [redis, mpi] = (['Redis', 'MPI'] as const).map((engine) => passes.find((pass) => pass.engine === engine));
    const { features, samples, workers } = passes[0];
    const blocks = redis?.blocks === undefined ? ['', ''] : [`${redis.blocks}`, formatSeconds(redis.blockSeconds!)];
    return [`${features}`, powerOfTen(samples), `${workers}`, ...cellsOf(redis), ...blocks, ...cellsOf(mpi)];
  });
  return {
    title: 'The model for machines like this one, one thread each: seconds a pass, and part of the ideal speed',
    header: ['n', 'samples', 'threads', 'Redis', '', 'blocks', 's each', 'MPI', ''],
    rows,
    notes: ['A network between machines that is slower than memory makes transfers slower in proportion.'],
  };
}

function blockTable({ blockSizes }: ClusterBench): Table {
  const groups = groupsOf(blockSizes, ({ features, workers }) => `${features} ${workers}`);
  const rows = [...groups.values()].map((sizes) => {
    const best = sizes.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    const { features, workers } = best;
    return [`${features}`, `${workers}`, formatSeconds(best.blockSeconds), percentOf(best.efficiency)];
  });
  return {
    title: `Through Redis, ${powerOfTen(blockSizes[0].samples)} samples: the best block`,
    header: ['n', 'threads', 's each', 'of the ideal'],
    rows,
    notes: [],
  };
}
