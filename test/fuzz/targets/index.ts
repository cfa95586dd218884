/** Everything the harness attacks. To add a target, write its file and add it here. */
import type { Target } from '../target.ts';

const samples = () => import('./samples.ts');

/** The file of each target: a process that runs cases of one loads no other. */
const FILES: Readonly<Record<string, () => Promise<object>>> = {
  npy: samples,
  npz: samples,
  idx: samples,
  wav: samples,
  csv: samples,
  parquet: () => import('./parquet.ts'),
  pictures: () => import('./pictures.ts'),
  sparse: () => import('./sparse.ts'),
  tables: () => import('./tables.ts'),
  counts: () => import('./counts.ts'),
  model: () => import('./models.ts'),
  checkpoints: () => import('./checkpoints.ts'),
  options: () => import('./options.ts'),
  'strange-data': () => import('./strange-data.ts'),
  cli: () => import('./command-line.ts'),
  aborts: () => import('./aborts.ts'),
  executor: () => import('./executor.ts'),
  kills: () => import('./kills.ts'),
};

export const targetNames: readonly string[] = Object.keys(FILES);

export async function loadTarget(name: string): Promise<Target> {
  const exported = Object.values(await FILES[name]()).flat() as Partial<Target>[];
  const found = exported.find((one): one is Target => one.name === name && one.open !== undefined);
  if (!found) throw new Error(`fuzz: the file of the target ${name} has none of that name.`);
  return found;
}
